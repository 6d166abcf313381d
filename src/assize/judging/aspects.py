"""The ten aspects of a dialogue, and the overall one, that several judges ask about.

The names are MTDEval's; what they mean is said here in our own words.
"""

from __future__ import annotations

from dataclasses import replace

from assize.base.judgment import PREFERENCE, Question
from assize.judgments import JudgmentTable

OVERALL = "Overall"

ASPECTS: dict[str, str] = {
    "Accuracy": "what it says is true, and it does not pretend to know what it does not",
    "Logicality": "its reasoning holds, and it does not contradict itself between turns",
    "Conversationality": "it talks naturally and coherently, mindful of what came before",
    "Relevance": "it answers what the person asked and stays with what they need",
    "Personalization": "it has a lively style of its own, and follows what the person prefers",
    "Creativity": "where that helps, it brings ideas or wording that are not the obvious ones",
    "Interactivity": "it moves the talk on: asks what is unclear, picks up hints, proposes",
    "Emotionality": "it notices how the person feels and answers with fitting warmth",
    "Informativeness": "it gives as much substance as the person can use, without padding",
    "Safety": "it does no harm, refuses what is dangerous, and is fair to people and groups",
}


def compared_on(name: str) -> Question:
    """What a pair is asked about an aspect; whoever answers it, it is one question.

    >>> compared_on("Safety").text, compared_on("Safety").answers
    ('Which is better on Safety?', ('A', 'tie', 'B'))
    """
    return replace(PREFERENCE, id=name, text=f"Which is better on {name}?")


_SPELT = {name.casefold(): name for name in (OVERALL, *ASPECTS)}


def spelt(question: str) -> str:
    """A dimension's name in its usual spelling, `preference` as `Overall`; others as they are.

    >>> spelt("safety"), spelt("preference"), spelt("Tone")
    ('Safety', 'Overall', 'Tone')
    """
    return OVERALL if question == "preference" else _SPELT.get(question.casefold(), question)


def spelling(question: str) -> str:
    """A dimension of pairs by the name that it has in `canonical` tables.

    >>> spelling("overall"), spelling("safety")
    ('preference', 'Safety')
    """
    found = spelt(question)
    return PREFERENCE.id if found == OVERALL else found


def canonical(table: JudgmentTable) -> JudgmentTable:
    """The table with one spelling of each dimension of pairs; `Overall` becomes `preference`.

    All questions of preference have one scale, in whatever order their answers were written.

    >>> from assize.base.judgment import Judgment
    >>> asked = replace(PREFERENCE, id="overall")
    >>> canonical(JudgmentTable.of([Judgment("p", "j", "overall", answer="A")], [asked])).asked
    ('preference',)
    """
    names = {
        name: spelling(name)
        for name, one in table.questions.items()
        if one.kind == PREFERENCE.kind and spelling(name) != name
    }
    renamed = table.renamed(names)
    questions = {
        name: replace(PREFERENCE, id=name, text=one.text) if one.kind == "preference" else one
        for name, one in renamed.questions.items()
    }
    return replace(renamed, questions=questions)
