"""Public sets of pairs: Arena's battles as texts, RewardBench, PKU-SafeRLHF.

    {"prompt", "response_a", "response_b", "winner_model_a", "winner_model_b", "winner_tie"}
    {"prompt", "chosen", "chosen_model", "rejected", "rejected_model", "subset", "id"}
    {"prompt", "response_0", "response_1", "better_response_id", "safer_response_id"}

Any table of two responses with a label beside them is read as the first of these. In RewardBench 2
`chosen` and `rejected` are lists: every chosen response makes a pair with every rejected one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import product, zip_longest
from typing import Any

from assize.base.conversation import Pair, Preference, Turn
from assize.base.errors import DataError, shorten
from assize.base.judgment import PREFERENCE, Question
from assize.formats.chat_messages import read_turns
from assize.formats.format import Format, Options
from assize.formats.messages import RoleNames, common_start, object_at, record_id, split_metadata
from assize.formats.preferences import read_preference
from assize.formats.records import Record
from assize.formats.research.fields import others
from assize.formats.rows import Row, Sample, parse_json_text

_RESPONSES = ("response_a", "response_b")
_WINS: Mapping[str, Preference] = {
    "winner_model_a": "A",
    "winner_model_b": "B",
    "winner_tie": "tie",
    "winner_model_tie": "tie",
}
_LABELS = ("label", "winner", "preference", "preferred", "chosen", "gold", "human_preference")
_CONTEXTS = ("prompt", "context", "instruction", "question", "messages", "conversation", "input")

SECTIONS: Mapping[str, tuple[str, ...]] = {
    "Chat": ("alpacaeval-easy", "alpacaeval-length", "alpacaeval-hard", "mt-bench-easy",
             "mt-bench-med"),
    "Chat Hard": ("mt-bench-hard", "llmbar-natural", "llmbar-adver-neighbor",
                  "llmbar-adver-GPTInst", "llmbar-adver-GPTOut", "llmbar-adver-manual"),
    "Safety": ("refusals-dangerous", "refusals-offensive", "xstest-should-refuse",
               "xstest-should-respond", "donotanswer"),
    "Reasoning": ("math-prm", "hep-cpp", "hep-go", "hep-java", "hep-js", "hep-python", "hep-rust"),
}  # fmt: skip
"""The sections of RewardBench's leaderboard, and their subsets."""

SAFETY = Question(
    id="safety", text="Which response is safer?", kind="preference", answers=PREFERENCE.answers
)
_BETTER = {"preference": "better_response_id", "safety": "safer_response_id"}


# --- two responses and a label -------------------------------------------------------------------


def read_texts(row: Row, options: Options) -> Iterable[Record]:
    """A pair a row, whose gold is the vote.

    Lists of texts (also as JSON in a cell, as Kaggle's tables have them) are turns: prompt and
    answer by turns, and what both sides share is the context. A label is A, B or tie, or the name
    of the column; a number says nothing of itself, so it needs `--map` with `gold:0=A,gold:1=B`.
    """
    fields = object_at(row.value, "")
    for side in _RESPONSES:
        if side not in fields:
            raise DataError("there is no such field, and each row here has one", field=side)
    prompt = next((name for name in _CONTEXTS if fields.get(name) not in (None, "", [])), None)
    context, a, b = _dialogues(fields, prompt, options.roles)
    label = None if _has_wins(fields) else _label(fields)
    gold = _winner(fields) if label is None else _read_label(fields[label], label, prompt)
    wins = _WINS if label is None else ()
    metadata, extra = split_metadata(fields, {"id", prompt, label, *_RESPONSES, *wins})
    name = record_id(row, fields.get("id"))
    yield Pair(name, context, a, b, gold=gold, metadata={**metadata, **extra})


def _dialogues(
    fields: Mapping[str, Any], prompt: str | None, names: RoleNames
) -> tuple[tuple[Turn, ...], tuple[Turn, ...], tuple[Turn, ...]]:
    asked: Any = None if prompt is None else parse_json_text(fields[prompt])
    sides = [parse_json_text(fields[side]) for side in _RESPONSES]
    context: tuple[Turn, ...] = ()
    if all(map(_are_texts, (asked, *sides))):
        a, b = (_interleave(asked, side) for side in sides)
    else:
        context = () if asked is None else read_turns(asked, str(prompt), "user", names)
        a, b = (
            read_turns(side, name, "assistant", names)
            for side, name in zip(sides, _RESPONSES, strict=True)
        )
    shared = 0 if context else common_start(a, b)
    return context or a[:shared], a[shared:], b[shared:]


def _are_texts(value: Any) -> bool:
    """Whether it is a list of texts, of which one may be missing."""
    return isinstance(value, list) and all(text is None or isinstance(text, str) for text in value)


def _interleave(prompts: Sequence[Any], answers: Sequence[Any]) -> tuple[Turn, ...]:
    """Prompts and answers by turns; a missing one is an empty turn, as it was seen."""
    turns: list[Turn] = []
    for prompt, answer in zip_longest(prompts, answers):
        turns += [Turn("user", prompt or ""), Turn("assistant", answer or "")]
    return tuple(turns)


def _has_wins(fields: Mapping[str, Any]) -> bool:
    return {"winner_model_a", "winner_model_b"} <= fields.keys()


def _label(fields: Mapping[str, Any]) -> str | None:
    return next((name for name in _LABELS if name in fields), None)


def _winner(fields: Mapping[str, Any]) -> Preference | None:
    """The one column that holds 1; None where there is none, as in a test set."""
    won = {side for name, side in _WINS.items() if str(fields.get(name)) in ("1", "1.0", "True")}
    if len(won) > 1:
        raise DataError("more than one side has won", field="winner_model_a")
    return next(iter(won), None)


def _read_label(value: Any, field: str, prompt: str | None) -> Preference | None:
    if value is None or value == "":
        return None
    side = read_preference(value)
    if side is None:
        context = "" if prompt is None else f"context={prompt},"
        words = "gold:0=A,gold:1=B" if str(value) in ("0", "1") else f"gold:{value}=A,gold:OTHER=B"
        raise DataError(
            f"received {shorten(value)}; expected A, B or tie: say what it means by --map"
            f" {context}a=response_a,b=response_b,gold={field},{words}",
            field=field,
        )
    return side


ARENA_TEXTS = Format(
    name="arena-texts",
    summary="two responses and who won: response_a, response_b, a label (Arena 55k)",
    recognise=lambda sample: (
        sample.has(*_RESPONSES) and (_has_wins(sample.first) or _label(sample.first) is not None)
    ),
    parse=read_texts,
)


# --- RewardBench ---------------------------------------------------------------------------------


def read_reward_bench(row: Row, options: Options) -> Iterable[Record]:
    """A pair a row, `chosen` being A and gold, with `subset` and `section` in its metadata.

    Of lists of texts (RewardBench 2) every pair of a chosen and a rejected response is one, named
    `ID/0-2` by their places, and `group` in the metadata says which row it is from.
    """
    fields = object_at(row.value, "")
    context = read_turns(fields.get("prompt"), "prompt", "user", options.roles)
    subset = fields.get("subset")
    name = f"{subset}-{fields['id']}" if fields.get("id") is not None else record_id(row)
    metadata = others(
        fields, {"prompt", "chosen", "rejected", "id", "chosen_model", "rejected_model"}
    )
    section = next((section for section, names in SECTIONS.items() if subset in names), None)
    metadata |= {} if section is None else {"section": section}
    chosen, rejected = (_responses(fields, side, options) for side in ("chosen", "rejected"))
    single = len(chosen) == len(rejected) == 1
    for (i, a), (j, b) in product(enumerate(chosen), enumerate(rejected)):
        systems = {
            "system_a": _model(fields.get("chosen_model"), i),
            "system_b": _model(fields.get("rejected_model"), j),
        }
        yield Pair(
            name if single else f"{name}/{i}-{j}",
            context,
            a,
            b,
            gold="A",
            metadata=metadata | ({} if single else {"group": name}) | others(systems, ()),
        )


def _responses(fields: Mapping[str, Any], side: str, options: Options) -> list[tuple[Turn, ...]]:
    """The responses of a side: one text, messages, or a list of texts."""
    value = fields.get(side)
    if not value:
        raise DataError(f"received {shorten(value)}; expected a response", field=side)
    several = value if isinstance(value, list) and isinstance(value[0], str) else [value]
    return [read_turns(part, side, "assistant", options.roles) for part in several]


def _model(value: Any, index: int) -> Any:
    """Who answered: one model, or one of a list."""
    return value[index] if isinstance(value, list) and index < len(value) else value


REWARD_BENCH = Format(
    name="reward-bench",
    summary="RewardBench and RewardBench 2: prompt, chosen, rejected, subset",
    recognise=lambda sample: (
        sample.has("prompt", "subset")
        and all(isinstance(sample.first.get(side), str | list) for side in ("chosen", "rejected"))
    ),
    parse=read_reward_bench,
)


# --- PKU-SafeRLHF --------------------------------------------------------------------------------


def read_safe_rlhf(row: Row, options: Options) -> Iterable[Record]:
    """A pair a row; gold says which response is better (`preference`) and safer (`safety`)."""
    fields = object_at(row.value, "")
    prompt = read_turns(fields.get("prompt"), "prompt", "user")
    a, b = (
        read_turns(fields.get(name), name, "assistant") for name in ("response_0", "response_1")
    )
    sides = {question: _side(fields.get(name), name) for question, name in _BETTER.items()}
    gold = others(sides, ())
    systems = {
        f"system_{side}": fields.get(f"response_{number}_source")
        for number, side in enumerate("ab")
    }
    used = {"prompt", "id", *_BETTER.values()}
    used |= {f"response_{number}{end}" for number in (0, 1) for end in ("", "_source")}
    yield Pair(
        record_id(row, fields.get("id")),
        prompt,
        a,
        b,
        gold=gold["preference"] if gold.keys() == {"preference"} else gold or None,
        metadata=others(fields, used) | others(systems, ()),
    )


def _side(value: Any, field: str) -> Preference | None:
    if value is None or value == "":
        return None
    sides: Mapping[str, Preference] = {"0": "A", "1": "B", "-1": "tie"}
    side = sides.get(str(value).removesuffix(".0"))
    if side is None:
        raise DataError(f"received {shorten(value)}; expected 0 or 1", field=field)
    return side


def _is_safe_rlhf(sample: Sample) -> bool:
    both = sample.has("prompt", "response_0", "response_1")
    return both and any(name in sample.first for name in _BETTER.values())


SAFE_RLHF = Format(
    name="safe-rlhf",
    summary="PKU-SafeRLHF: two responses, which is better and which is safer",
    recognise=_is_safe_rlhf,
    parse=read_safe_rlhf,
    questions=(PREFERENCE, SAFETY),
)
