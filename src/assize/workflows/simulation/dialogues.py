"""Making conversations about topics: `assize simulate dialogues`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, Unpack

from assize.arguments import refuse_unknown
from assize.errors import ConfigError, DataError
from assize.judging.outcome import Estimates
from assize.judging.steps import Step
from assize.retrieval import Cutting
from assize.running import run_sync
from assize.running.progress import progress
from assize.simulation.dialogues import simulate as simulating
from assize.simulation.dialogues.plan import plans
from assize.simulation.dialogues.recipes import Recipe, recipes_named
from assize.simulation.dialogues.simulate import Simulating
from assize.simulation.dialogues.simulated import SimulatedDialogues
from assize.simulation.dialogues.sources import Sources
from assize.simulation.topics_file import Topic, Topics, read_topics
from assize.workflows.allowed import check_range, check_word
from assize.workflows.asking import Asking, check_finished, folder_for, session_of
from assize.workflows.reading import listed, log
from assize.workflows.retrieve import Documents, check_cutting, index_of

_NOWHERE = Path("-")


@refuse_unknown
def simulate_dialogues(
    topics: Topics,
    model: str,
    *,
    recipe: str | Sequence[str] = "DS4",
    user: str | None = None,
    documents: Documents | None = None,
    index: str | Path | None = None,
    out: str | Path | None = None,
    top: int = 5,
    words: int = 300,
    overlap: int = 50,
    exchanges: int = 10,
    personas: str | Path | None = None,
    sample_temperature: float = 0.7,
    preset: Literal["own", "paper"] = "own",
    seed: int = 0,
    quiet: bool = False,
    **asking: Unpack[Asking],
) -> SimulatedDialogues:
    """Makes conversations about topics, by the five recipes of LLM-Rubric.

    DS1 to DS3 write a whole dialogue in one call: without documents, with the topic's own,
    or with those that a search for the topic finds. DS4 and DS5 go turn by turn: the user
    knows the topic, the assistant sees documents that are looked up anew for each answer,
    by all that was said so far (DS4) or by a query that it writes (DS5).
    The same command continues an interrupted run.

    Args:
        topics: files with a topic a line, as text or JSON. In Python also objects with a text, or
            what `simulate_topics` returns.
        model: who writes dialogues and plays the assistant, as provider:name.
        recipe: DS1 to DS5 (repeatable); each makes a dialogue about each topic.
        user: who plays the user turn by turn; the same model if unset.
        documents: folders or files of pages to search: text, Markdown, HTML, JSONL (repeatable).
        index: folder in which the index of the documents is kept, to be used again. Without
            documents the index that is there is searched.
        out: the run's folder. In Python None makes the dialogues in memory.
        top: documents that are shown at once.
        words: of a passage; 0 for whole pages.
        overlap: words that a passage shares with the one before.
        exchanges: of user and assistant, at most.
        personas: a file with a kind of user a line; one is drawn for each topic without its own.
        sample_temperature: of all that is written, from 0 to 2.
        preset: own, or paper: five whole pages, the model's own temperature, no persona.
        seed: seed of what is drawn, and of the models.
        quiet: no progress and no notes.
        asking: how models are asked; see `Asking`; without its temperature.

    Returns:
        The conversations, with checks of them. Dialogues that failed are counted by reason,
        kept in `failed.jsonl`, and asked for again where the reason may have passed.

    Raises:
        ConfigError: a setting is not allowed, or the folder is another run's.
        DataError: a topic or a page cannot be read, or every dialogue failed.
        MissingExtra: bm25s is not installed, and a recipe searches.
        KeyboardInterrupt: it was interrupted; what was answered is in `out`.

    Source: LLM-Rubric, section 3.2 and appendix F. Differs: prompts are ours, answers are JSON
    objects that are read strictly, exchanges have a limit, temperature is 0.7, and passages are
    shown rather than whole pages. Preset paper shows five whole pages and leaves the temperature
    to the model; prompts, strict reading and the limit stay ours.
    """
    told: Any = {name: value for name, value in locals().items() if name not in _POSITIONAL}
    told |= told.pop("asking")
    found = run_dialogues(topics, model, **told)
    check_finished(found)
    return found if out is not None else replace(found, out=None, outputs={})


_POSITIONAL = ("topics", "model")


class SimulatingDialogues(Asking, total=False):
    """The arguments of `simulate_dialogues`, which say what each means."""

    recipe: str | Sequence[str]
    user: str | None
    documents: Documents | None
    index: str | Path | None
    out: str | Path | None
    top: int
    words: int
    overlap: int
    exchanges: int
    personas: str | Path | None
    sample_temperature: float
    preset: Literal["own", "paper"]
    seed: int
    quiet: bool


def run_dialogues(
    topics: Topics, model: str, **given: Unpack[SimulatingDialogues]
) -> SimulatedDialogues:
    """`simulate_dialogues`, told how far it came where it was interrupted."""
    with folder_for(given.get("out")) as folder:
        told = _simulating(topics, model, folder, given)
        with progress("asking", None, quiet=given.get("quiet", False)) as advance:

            def on_step(_: Step) -> None:
                advance()

            return run_sync(lambda: simulating.simulate_async(told, on_step=on_step, note=log.info))


def estimate_dialogues(
    topics: Topics, model: str, **given: Unpack[SimulatingDialogues]
) -> Estimates:
    """What `simulate_dialogues` would take and cost at most; nothing is asked.

    What `out` and the cache hold already is not counted as calls.
    """
    out = given.get("out")
    told = _simulating(topics, model, _NOWHERE if out is None else Path(out), given, dry=True)
    case = f"if every dialogue reaches {told.most} exchanges of the longest answers"
    return Estimates(run_sync(lambda: simulating.estimate(told)), at_most=case)


def _simulating(
    topics: Topics,
    model: str,
    folder: Path,
    given: SimulatingDialogues,
    *,
    dry: bool = False,
) -> Simulating:
    """What these arguments describe, topics read and documents indexed."""
    _check(given)
    asking: Any = {name: value for name, value in given.items() if name in Asking.__annotations__}
    asking["seed"] = given.get("seed", 0)
    session = session_of([], [], folder, asking, dry=dry)
    known = read_topics(topics)
    recipes = recipes_named(listed(given.get("recipe", "DS4")))
    paper = given.get("preset", "own") == "paper"
    if paper:
        known = [replace(one, persona=None) for one in known]
    sources = _sources(given, recipes, known, whole=paper)
    personas = None if paper else given.get("personas")
    return Simulating(
        session,
        plans(
            known,
            recipes,
            () if personas is None else _lines(Path(personas)),
            given.get("seed", 0),
        ),
        model,
        given.get("user") or model,
        sources,
        given.get("exchanges", 10),
        None if paper else given.get("sample_temperature", 0.7),
    )


_PAPER = {"top": 5, "words": 300, "overlap": 50, "sample_temperature": 0.7, "personas": None}
"""What preset paper decides, with what each is where nobody chose it."""


def _check(given: SimulatingDialogues) -> None:
    if given.get("temperature", 0.0) != 0:
        raise ConfigError("temperature is a judge's; give sample_temperature")
    chosen = [name for name, usual in _PAPER.items() if given.get(name, usual) != usual]
    if chosen and given.get("preset", "own") == "paper":
        raise ConfigError(f"{' and '.join(chosen)}: preset paper decides that; leave one out")
    check_range("top", given.get("top", 5), 1)
    check_range("words", given.get("words", 300), 0)
    check_range("exchanges", given.get("exchanges", 10), 1)
    check_range("sample_temperature", given.get("sample_temperature", 0.7), 0, 2)
    check_word("preset", given.get("preset", "own"), ("own", "paper"))


def _sources(
    given: SimulatingDialogues, recipes: Sequence[Recipe], topics: Sequence[Topic], *, whole: bool
) -> Sources:
    """The documents; raises where a recipe needs some and there are none."""
    words, top = given.get("words", 300), given.get("top", 5)
    cutting = Cutting(None, 0) if whole or words == 0 else Cutting(words, given.get("overlap", 50))
    index = index_of(given.get("documents"), given.get("index"), cutting)
    searching = [one.name for one in recipes if one.searches]
    if searching and index is None:
        problem = f"{', '.join(searching)} search; name a folder of pages"
        raise ConfigError(f"documents: {problem}, or make dialogues by DS1 or DS2")
    if index is not None:
        check_cutting(index, cutting)
    if any(one.documents == "given" for one in recipes) and not any(
        one.documents for one in topics
    ):
        problem = "DS2 shows the documents that a topic names, and no topic names any; write them"
        raise DataError(
            f'{problem} as "documents": [{{"id": "...", "text": "..."}}]', source="topics"
        )
    return Sources(index, 5 if whole else top, cutting)


def _lines(path: Path) -> list[str]:
    try:
        found = [one.strip() for one in path.read_text(encoding="utf-8").splitlines()]
    except (OSError, UnicodeDecodeError) as error:
        problem = f"personas {path}: {error}; give a text file, a kind of user a line"
        raise ConfigError(problem) from error
    kept = [one for one in found if one and not one.startswith("#")]
    if not kept:
        raise ConfigError(f"personas {path}: it is empty; write a kind of user a line")
    return kept
