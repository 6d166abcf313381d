"""`da`: every turn labelled with its dialogue acts, then which response is better (AMULET).

The judge answers by turn *number*: a model that repeats every turn costs twice as much and
leaves room for what a turn says to be taken for a label. `da-paper` is the paper's form,
in which turns are repeated. Labels outside the taxonomy are forbidden by the schema.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from assize.acts._taxonomy import DEFAULT, Taxonomy, load_taxonomy, taxonomy_in
from assize.base.conversation import Conversation, Item, Pair, Turn
from assize.base.errors import AnswerError, ConfigError
from assize.base.judgment import PREFERENCE
from assize.judging.judge import JudgeContext
from assize.judging.method import Method, Said
from assize.judging.prompt_judge import PromptJudge, open_method
from assize.judging.reading import read_answer
from assize.judging.schemas import one_of, record, words

PROMPTS = Path(__file__).with_name("prompts")
PLACES = {"context": "context", "A": "a", "B": "b"}

_SPEAKING = ("user", "assistant")
_MOST_NAMED = 8


@dataclass(frozen=True, slots=True)
class DialogueActs:
    """A row of the judges' table: a method that is made once the taxonomy is known."""

    # name, about: as of a method
    name: str
    about: str
    taxonomy: str = DEFAULT  # the shipped one that is meant where the user gives none
    # makes another form of the method, for instance the paper's
    form: Callable[[Method], Method] = replace
    variants: bool = True  # `name/taxonomy@model` names another shipped one

    def open(self, target: str, context: JudgeContext) -> PromptJudge:
        """The judge that asks this model, by the taxonomy that is meant (`chosen`)."""
        method = self.method(chosen(context, self.taxonomy))
        return open_method(varied(method, context), target, context)

    def method(self, taxonomy: Taxonomy) -> Method:
        """The judge as a prompt."""
        made = Method(
            name=self.name,
            about=self.about,
            takes=(Pair,),
            questions=(PREFERENCE,),
            prompt="da",
            schema=schema_of(taxonomy),
            read=read,
            examples=taxonomy.examples or None,
            max_tokens=4096,
            home=PROMPTS,
            values={"taxonomy": taxonomy.prompt_values(), "acts": list(taxonomy.acts.values())[:2]},
            find=find,
            exchange=exchange,
            write=write,
            likely=likely,
            facts={"taxonomy": taxonomy.to_record()},
        )
        return self.form(made)


def chosen(context: JudgeContext, usual: str) -> Taxonomy:
    """The shipped taxonomy that the judge's variant names; else that among the user's prompts,
    else the usual one of the judge."""
    if context.variant:
        return load_taxonomy(context.variant)
    return taxonomy_in(context.settings.prompts, usual)


def varied(method: Method, context: JudgeContext) -> Method:
    """The method under the name by which its taxonomy was chosen."""
    if not context.variant:
        return method
    return replace(method, name=f"{method.name}/{context.variant}")


def schema_of(taxonomy: Taxonomy) -> dict[str, Any]:
    """The labels of all turns, reasons, and the choice."""
    return record(turns=labels_schema(taxonomy), explanation=words(), answer=one_of(("A", "B")))


def labels_schema(taxonomy: Taxonomy) -> dict[str, Any]:
    """One entry a turn, by place and number; acts are those of the taxonomy and no other."""
    act = one_of(tuple(taxonomy.acts))
    turn = record(place=one_of(tuple(PLACES)), turn={"type": "integer"}, acts=_list(act))
    return _list(turn)


def _list(of: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": dict(of)}


def find(text: str, method: Method, item: Item, judged: Sequence[str]) -> dict[str, Any]:
    """The answer in a reply, its turns in the order of the item."""
    value = read_answer(text, method.schema, judged)
    given = Counter((one["place"], one["turn"]) for one in value["turns"])
    wanted = numbered(item)
    problems = [
        named("lacks", [key for key in wanted if key not in given]),
        named("has more than once", [key for key, count in given.items() if count > 1]),
        named("has turns that do not exist:", [key for key in given if key not in wanted]),
    ]
    said = {(one["place"], one["turn"]): one["acts"] for one in value["turns"]}
    bare = [key for key, turn in wanted.items() if speaks(turn) and said.get(key) == []]
    problems.append(named("has no act for", bare))
    if any(problems):
        raise AnswerError(f"`turns` {'; it '.join(filter(None, problems))}")
    turns = [{"place": p, "turn": n, "acts": said[p, n]} for p, n in wanted]
    return {**value, "turns": turns}


def write(answer: Mapping[str, Any], method: Method, item: Item) -> str:
    """An example's answer as the judge should give it."""
    turns = labels_written(answer, method, item)
    return json.dumps(
        {"turns": turns, "explanation": answer["explanation"], "answer": answer["answer"]}
    )


def labels_written(answer: Mapping[str, Any], method: Method, item: Item) -> list[dict[str, Any]]:
    """The labels of an example's turns as the schema wants them."""
    act = method.schema["properties"]["turns"]["items"]["properties"]["acts"]["items"]
    for turn in answer["turns"]:
        for one in turn["acts"]:
            if one not in act["enum"]:
                raise ConfigError(
                    f"the example {item.id} holds the act {one!r}, which the taxonomy does not"
                    ' have; give examples of your own, or none with `examples = ""`'
                )
    return [dict(turn) for turn in answer["turns"]]


def likely(method: Method, item: Item) -> str:
    """An answer as it could be, with two acts a turn; `method.write` gives it its form."""
    acts = [": ".join(act) for act in method.values["acts"]]
    turns = [{"place": p, "turn": n, "acts": acts} for p, n in numbered(item)]
    return method.write({"turns": turns, "explanation": "", "answer": "A"}, method, item)


def numbered(item: Item) -> dict[tuple[str, int], Turn]:
    """The turns of an item as presented, by place and number, as the prompt numbers them."""
    if isinstance(item, Conversation):
        return {("context", n): turn for n, turn in enumerate(item.turns)}
    if not isinstance(item, Pair):
        raise TypeError(f"dialogue acts have no place in a {type(item).__name__}")
    first = len(item.context)
    return {
        **{("context", n): turn for n, turn in enumerate(item.context)},
        **{("A", n): turn for n, turn in enumerate(item.a, start=first)},
        **{("B", n): turn for n, turn in enumerate(item.b, start=first)},
    }


def speaks(turn: Turn) -> bool:
    """Whether a turn must have an act."""
    return turn.role in _SPEAKING and bool(turn.text.strip())


def named(what: str, keys: Sequence[tuple[str, int]]) -> str:
    """A complaint about some turns; "" where there are none."""
    if not keys:
        return ""
    names = [f"{place} {number}" for place, number in keys[:_MOST_NAMED]]
    more = f" and {len(keys) - _MOST_NAMED} more" if len(keys) > _MOST_NAMED else ""
    return f"{what} {', '.join(names)}{more}"


def read(value: Mapping[str, Any]) -> Iterable[Said]:
    """The choice with its reasons, and the acts of every turn."""
    acts = by_side(value["turns"])
    yield Said(PREFERENCE.id, value["answer"], None, value["explanation"], {"acts": acts})


def by_side(turns: Iterable[Mapping[str, Any]]) -> dict[str, list[list[Any]]]:
    """The acts of each turn of the context and of both responses."""
    acts: dict[str, list[list[Any]]] = {side: [] for side in PLACES.values()}
    for one in turns:
        acts[PLACES[one["place"]]].append([_act(act) for act in one["acts"]])
    return acts


def _act(act: Any) -> list[Any]:
    """[dimension, function]."""
    if isinstance(act, list):
        return act
    dimension, _, function = act.partition(": ")
    return [dimension, function]


def exchange(details: Mapping[str, Any]) -> dict[str, Any]:
    """The details with both sides exchanged."""
    acts = details.get("acts", {})
    return {"acts": {"context": acts["context"], "a": acts["b"], "b": acts["a"]}} if acts else {}


DA = DialogueActs("da", "every turn's dialogue acts, then which of two responses is better")
DA_INTENTS = DialogueActs("da-intents", "da with AMULET's eight intents as acts", "intents")
