"""Making conversations about topics: `assize simulate dialogues`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from assize.base.arguments import check_range
from assize.base.errors import ConfigError, DataError
from assize.formats.arguments import listed
from assize.judging.asking import DEFAULT, Asking, session_of
from assize.judging.plan import Plan, asks_models
from assize.judging.step_work import plan_steps
from assize.retrieval.index import Index
from assize.simulate._recipes.plan import plans
from assize.simulate._recipes.recipes import Recipe, recipes_named
from assize.simulate._recipes.simulate import DialogueWork
from assize.simulate._recipes.simulated import SimulatedDialogues
from assize.simulate._recipes.sources import Sources
from assize.simulate._retrieve import index_of
from assize.simulate._settings import NOBODY, Retrieval
from assize.simulate._text_lines import read_entries
from assize.simulate._topics_file import Topic, Topics, read_topics

RETRIEVAL = Retrieval()


@asks_models
def dialogues(
    topics: Topics,
    model: str,
    *,
    recipe: str | Sequence[str] = "DS4",
    user: str | None = None,
    retrieval: Retrieval = RETRIEVAL,
    out: str | Path | None = None,
    exchanges: int = 10,
    personas: str | Path | None = None,
    sample_temperature: float | None = 0.7,
    seed: int = 0,
    quiet: bool = False,
    asking: Asking = DEFAULT,
) -> Plan[SimulatedDialogues]:
    """Make conversations about topics, by the five recipes of LLM-Rubric.

    DS1 to DS3 write a whole dialogue in one call: without documents, with the topic's own, or with
    those that a search for the topic finds. DS4 and DS5 go turn by turn: the user knows the topic,
    and the assistant sees documents found anew for each answer, by all that was said so far (DS4)
    or by a query that it writes (DS5). Run the same command again to continue an interrupted run.

    Args:
        topics: files of topics, one per line, as text or JSON. In Python also objects with a text,
            or what `assize.simulate.topics` returns.
        model: model that writes dialogues and plays the assistant, as provider:name.
        recipe: recipe of LLM-Rubric, DS1 to DS5 (repeatable); each makes a dialogue about each
            topic.
        user: model that plays the user (recipes DS4 and DS5). Default: the same model.
        retrieval: the documents, and how much of them is shown.
        out: folder of the run. In Python None makes the dialogues in memory.
        exchanges: maximum number of exchanges (a user turn and its answer).
        personas: file of kinds of user, one per line, drawn for topics without their own, or none
            for no persona at all.
        sample_temperature: temperature of the models that write, from 0 to 2. In Python None leaves
            it to the model.
        seed: random seed.
        quiet: no progress and no notes.
        asking: how models are asked; see `Asking`; without its temperature.

    Returns:
        The conversations, with checks of them. Dialogues that failed are counted by reason,
        kept in `failed.jsonl`, and asked for again where the reason may have passed.

    Raises:
        ConfigError: a setting is not allowed, or the folder is another run's.
        DataError: a topic or a page cannot be read, or every dialogue failed.
        MissingExtra: bm25s is not installed, and a recipe searches.
        Interrupted: it was interrupted; what was answered is in `out`.

    Source: LLM-Rubric, section 3.2 and appendix F. Differs: prompts are ours, answers are JSON
    objects that are read strictly, exchanges have a limit, temperature is 0.7, and passages are
    shown rather than whole pages. `Retrieval(documents, words=0)`, no temperature and no personas
    are the paper's; prompts, strict reading and the limit stay ours.
    """
    if asking.temperature != 0:
        raise ConfigError("temperature is a judge's; give sample_temperature", "temperature")
    check_range("exchanges", exchanges, 1)
    check_range("sample_temperature", sample_temperature, 0, 2)

    def prepare(folder: Path, dry: bool) -> DialogueWork:
        session = session_of([], [], folder, asking, seed=seed, dry=dry)
        known = read_topics(topics)
        if personas == NOBODY:
            known = [replace(topic, persona=None) for topic in known]
        recipes = recipes_named(listed(recipe))
        pages = index_of(retrieval)
        _check_documents(recipes, known, pages)
        people = () if personas in (None, NOBODY) else read_entries(personas)
        return DialogueWork(
            session,
            plans(known, recipes, people, seed),
            model,
            user or model,
            Sources(pages, retrieval.top, retrieval.cutting()),
            exchanges,
            sample_temperature,
        )

    return plan_steps(prepare, out, quiet)


def _check_documents(
    recipes: Sequence[Recipe], topics: Sequence[Topic], index: Index | None
) -> None:
    """Refuse recipes whose documents are not there."""
    searching = [recipe.name for recipe in recipes if recipe.searches]
    if searching and index is None:
        problem = f"{', '.join(searching)} search; name a folder of pages"
        raise ConfigError(f"documents: {problem}, or make dialogues by DS1 or DS2")
    if any(recipe.documents == "given" for recipe in recipes) and not any(
        topic.documents for topic in topics
    ):
        problem = "DS2 shows the documents that a topic names, and no topic names any; write them"
        raise DataError(
            f'{problem} as "documents": [{{"id": "...", "text": "..."}}]', source="topics"
        )
