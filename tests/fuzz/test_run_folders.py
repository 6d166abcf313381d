"""Damaged folders of runs: each is resumed or refused, and loses no answer that is whole.

Files are damaged by bytes, by lines (dropped, doubled, swapped), or are missing. What is resumed
holds nothing that was not in its file; an answer that counts as done has all its rows; one that no
damage has touched is still there; and money that was spent is not forgotten.
"""

from __future__ import annotations

import asyncio
import json
import math
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from run_folder import open_folder
from tests.fuzz.fuzzing import damaged, fill, fuzz, tries

from assize import check, read_judgments
from assize.base.conversation import Conversation
from assize.base.errors import AssizeError
from assize.base.judgment import Judgment, Order, Question, Unscored, Usage
from assize.base.line_checksum import seal, unseal
from assize.judging.judge import Task
from assize.judging.records import Answer, answers, completeness, line_of
from assize.judging.run import finished
from assize.running import Budget, Codec, Journal

ROWS, RUN, MONEY, QUESTIONS = "judgments.jsonl", "run.json", "money.jsonl", "questions.json"


@dataclass(frozen=True)
class Asked:
    """As much of a judge as a folder needs."""

    name: str
    questions: tuple[Question, ...]
    rows_vary: bool = False
    signature: str = "9f2c"
    kind: str = "model"


ONE = Asked("io@openai:tiny", (Question("preference", answers=("A", "B", "tie")),))
THREE = Asked("three@openai:tiny", tuple(Question(f"Q{n}", kind="number") for n in range(3)))
ANY = Asked("any", (Question("any"),), rows_vary=True, kind="metric")
JUDGES: Any = [ONE, THREE, ANY]
CODEC: Codec[Answer] = answers(completeness(JUDGES))
COMMAND = {"votes": 2}
ORDERS: tuple[Order, Order] = ("AB", "BA")


def opened(folder: Path) -> Journal[Answer]:
    """The folder of the command, as a resumed run has it."""
    return open_folder(folder, JUDGES, command=COMMAND)


def records() -> list[list[Judgment]]:
    """Answers of one row, of three, and of any number; some are to be asked again."""
    found = []
    for item in ("p1", "p-ü", '"\u2028"', "p5"):
        task = Task(Conversation(item, ()), None)
        for order in ORDERS:
            row = Judgment(item, ONE.name, "preference", answer="A", order=order)
            found.append(_made(ONE, Task(task.item, order), [row]))
        rows = [Judgment(item, THREE.name, f"Q{n}", score=n / 7) for n in range(3)]
        found.append(_made(THREE, task, rows))
        rows = [Judgment(item, ANY.name, "any", score=1.0, turn=n) for n in range(len(item) % 4)]
        found.append(_made(ANY, task, rows or [Judgment(item, ANY.name, "any", score=math.nan)]))
    again = Judgment("p9", ONE.name, "preference", unscored=Unscored("server", "down"))
    never = Judgment("p8", ONE.name, "preference", unscored=Unscored("refused"))
    more = [[again], *found[:3], [never], *found[3:]]
    made = [[_used(rows[0], number), *rows[1:]] for number, rows in enumerate(more)]
    return [[replace(row, at="2026-11-20T10:00:00Z") for row in rows] for rows in made]


def _made(judge: Any, task: Task, rows: Sequence[Judgment]) -> list[Judgment]:
    return list(finished(judge, task, rows))


def _used(row: Judgment, number: int) -> Judgment:
    return replace(row, usage=Usage(100 + number, number, 0.25), explanation="so\nit is")


def whole_folder(folder: Path) -> dict[str, bytes]:
    """The files of a run of two sessions, with a call in flight at a kill in either."""

    async def run() -> None:
        made = records()
        for part in (made[: len(made) // 2], made[len(made) // 2 :]):
            with opened(folder) as journal:
                budget = Budget()
                budget.keep_in(journal.ledger)
                await budget.reserve(0.125)  # whose end nobody sees
                for rows in part:
                    budget.settle(await budget.reserve(0.5), 0.25)
                    await journal.append([rows], lambda: None)
                await journal.flush()

    asyncio.run(run())
    return {path.name: path.read_bytes() for path in folder.iterdir()}


Files = dict[str, bytes | None]


def damage(files: dict[str, bytes], rng: random.Random) -> Files:
    """The files, of which one or two are damaged or missing."""
    found: Files = dict(files)
    names = [ROWS, ROWS, ROWS, MONEY, MONEY, RUN, QUESTIONS]
    for name in {rng.choice(names) for _ in range(rng.randint(1, 2))}:
        data = files[name]
        how = rng.random()
        if how < 0.02:
            found[name] = None
        elif how < 0.7 and name in (ROWS, MONEY):
            found[name] = b"".join(_moved(data.splitlines(keepends=True), rng))
        else:
            found[name] = damaged(data, rng)
    return found


def _moved(lines: list[bytes], rng: random.Random) -> list[bytes]:
    """Lines of which some are dropped, doubled, swapped or damaged."""
    for _ in range(rng.randint(1, 3)):
        at, to = rng.randrange(len(lines)), rng.randrange(len(lines))
        match rng.randrange(5):
            case 0:
                lines[at : at + rng.randint(1, 3)] = []
            case 1:
                lines[to:to] = lines[at : at + rng.randint(1, 4)]
            case 2:
                lines[at], lines[to] = lines[to], lines[at]
            case 3:
                lines[at] = lines[at][: rng.randint(0, len(lines[at]))]
            case _:
                lines[at] = damaged(lines[at], rng)
        lines = lines or [b""]
    return lines


def _lines(data: bytes) -> list[bytes]:
    """Lines as a run writes them: ended by a newline, and by nothing else."""
    found = [line + b"\n" for line in data.split(b"\n")]
    return found[:-1] + ([] if data.endswith(b"\n") or not data else [found[-1][:-1]])


def parsed(line: bytes) -> tuple[int, str] | None:
    """The key and the value of a line, spelt in one way; None for what is no row."""
    try:
        value = json.loads(unseal(line))
        return CODEC.key(value), json.dumps(value, sort_keys=True)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


class Folder:
    """One folder, filled with damaged files again and again."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.tried = 0
        self.files = whole_folder(path)
        self.made = records()
        self.lines = [[seal(line_of(row)) for row in rows] for rows in self.made]
        assert b"".join(b"".join(lines) for lines in self.lines[1:]) in self.files[ROWS]
        self.keys = [CODEC.key(json.loads(unseal(lines[0]))) for lines in self.lines]
        self.spelt = [sorted(one[1] for one in map(parsed, lines) if one) for lines in self.lines]
        self.known = {one for lines in self.spelt for one in lines}

    def resume(self, files: Files) -> None:
        """Reads or checks, and resumes; what must hold, holds. Raises what refuses to resume."""
        fill(self.path, files)
        self.tried += 1
        if self.tried % 2:
            self._read(files[ROWS])
        else:
            with suppress(AssizeError):
                check(self.path / ROWS, quiet=True)
        with opened(self.path) as journal:
            done, spent = set(journal.stored.done), journal.ledger.balance.spent
            assert not journal.ledger.balance.open
        self._money(files, spent)
        left = (self.path / ROWS).read_bytes()
        self._rows(b"" if files[ROWS] is None else files[ROWS] or b"", left, done)
        with opened(self.path) as journal:  # what was resumed once, is resumed again
            assert journal.stored.done >= done
            assert journal.ledger.balance.spent == spent
        assert (self.path / ROWS).read_bytes() == left

    def _read(self, data: bytes | None) -> None:
        """As judgments: every row that no damage has touched is there, and no other many times."""
        try:
            table = read_judgments(self.path)
        except AssizeError:
            return
        there = Counter(line for line in _lines(data or b""))
        read = Counter(seal(line_of(row)) for row in table)
        assert len(table) <= sum(there.values())
        for lines in self.lines:
            for line in lines:
                assert read[line] >= there[line]

    def _money(self, files: Files, spent: float) -> None:
        assert 0 <= spent < math.inf
        if files[MONEY] == self.files[MONEY]:
            assert spent >= 0.25 * len(self.made)
        if files[RUN] == self.files[RUN]:
            assert spent >= json.loads(self.files[RUN])["spent_before"] > 0

    def _rows(self, before: bytes, left: bytes, done: set[int]) -> None:
        given = [one for one in map(parsed, before.split(b"\n")) if one is not None]
        values = Counter(value for _, value in given)
        kept: dict[int, list[str]] = {}
        for line in _lines(left):
            one = parsed(line)
            assert one is not None
            assert one[1] in values  # nothing new
            kept.setdefault(one[0], []).append(one[1])
        assert set(kept) == done
        for key, spelt in zip(self.keys, self.spelt, strict=True):
            rows = kept.get(key, [])
            if all(row in self.known for row in rows):
                assert not rows or sorted(rows) == spelt  # whole, or not there
            if key not in done:
                assert self._touched(key, spelt, given)

    def _touched(self, key: int, spelt: list[str], given: list[tuple[int, str]]) -> bool:
        """Whether an answer was damaged, is to be asked again, or may be unfinished at the end."""
        places = [place for place, (one, _) in enumerate(given) if one == key]
        mine = sorted(given[place][1] for place in places)
        if mine != spelt or places[-1] - places[0] != len(places) - 1 or '"server"' in mine[0]:
            return True
        return places[-1] == len(given) - 1


def inputs(files: dict[str, bytes], count: int) -> Iterator[Files]:
    """Damaged folders, drawn from a seed."""
    rng = random.Random(16)
    for _ in range(count):
        yield damage(files, rng)


def test_a_damaged_folder_is_resumed_or_refused_and_loses_no_whole_answer(tmp_path: Path) -> None:
    folder = Folder(tmp_path / "run")
    whole: Files = dict(folder.files)
    made = inputs(folder.files, tries(300))
    trial = fuzz("run folders", made, folder.resume, sound=[whole])
    assert min(trial.read, trial.refused) > trial.inputs / 20
