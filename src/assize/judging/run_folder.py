"""What a run's folder says of itself: what was judged, and who was asked about which of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assize.base.errors import ConfigError, DataError
from assize.formats import ItemsLike, JudgmentsLike, read, read_judgments
from assize.formats.arguments import files_in, items_beside, source_of
from assize.formats.questions import read_questions
from assize.judging.records import JUDGMENTS, QUESTIONS
from assize.judging.session import fingerprint
from assize.judgments import JudgmentTable
from assize.results.log import log
from assize.running.journal import RUN, read_run

if TYPE_CHECKING:
    from assize.base.conversation import Item

IN_TURN = "in turn"  # as a live cascade is written down


def selected_by_cascade(folder: str | Path) -> str | None:
    """Says which judges of a run were asked only about what others had left open.

    A live cascade (`assize jury PAIRS --cascade ... --out FOLDER`) asks its second judge only
    about ties of the first. What such a judge says holds for those pairs and not for all of
    them, so whoever counts its answers must say so, or refuse.

    Args:
        folder: of a run, or the `judgments.jsonl` in one.

    Returns:
        A sentence that names the judges and their counts. None where nothing was selected: no
        folder of a run, a run that asked every judge about everything, or a cascade whose
        judges all saw the same items.
    """
    place = Path(folder)
    place = place.parent if place.name == JUDGMENTS else place
    command = _command(place)
    if command is None or command.get("asked") != IN_TURN:
        return None
    try:
        table = read_judgments(place / JUDGMENTS, on_error="skip")
    except DataError:  # there is no judgment
        return None
    seen = {name: set(table.where(judge=name).items) for name in table.judges}
    first, *later = [name for name in command.get("judges", ()) if name in seen] or [""]
    fewer = [name for name in later if seen[name] != seen[first]]
    if not fewer:
        return None
    told = ", ".join(f"{name} was asked about {len(seen[name]):,}" for name in fewer)
    return (
        f"{place} is a live cascade ({command.get('jury')}), which asks a judge only about what"
        f" those before it left open: of {len(seen[first]):,} items that {first} has judged, {told}"
    )


def stored_judgments(folder: Path) -> JudgmentTable:
    """All that a run's folder holds, with its questions; none before its first answer."""
    if not (folder / JUDGMENTS).stat().st_size:
        return JudgmentTable.of([], read_questions(folder / QUESTIONS))
    return read_judgments([folder])


def items_judged(judgments: JudgmentsLike, items: ItemsLike | None) -> list[Item]:
    """The items that are given, those that stand among the judgments, else those of the runs.

    `run.json` names the files that a run has judged, with their hashes. They are read where
    nothing else tells what was judged, and the log says so; a file that is gone, or has changed
    since, is not read, and the log says that.
    """
    found = list(items_beside(judgments, items))
    return found if found or items is not None else list(_of_runs(judgments))


def _of_runs(judgments: JudgmentsLike) -> Iterator[Item]:
    """The items of all runs among the judgments; a file that several have judged once."""
    read = set[str]()
    for folder in map(Path, files_in(judgments)):
        command = _command(folder.parent if folder.name == JUDGMENTS else folder)
        files = None if command is None else command.get("files")
        if command is None or not isinstance(files, Mapping):
            continue
        sound = [
            name
            for name, known in files.items()
            if name not in read and _is_as_it_was(folder, name, known)
        ]
        read.update(sound)
        if sound:
            log.info("%s names what was judged: %s", folder, ", ".join(sound))
            yield from _read(sound, command, source_of(judgments).options.max_bytes)


def _is_as_it_was(folder: Path, name: str, known: Any) -> bool:
    if known is not None and Path(name).is_file() and fingerprint(name) == known:
        return True
    was = "cannot be read again" if known is None else "has changed since, or is gone"
    log.warning("%s has judged %s, which %s; name what was judged with items", folder, name, was)
    return False


def _read(
    files: Sequence[str], command: Mapping[str, Any], max_bytes: int | None
) -> Iterator[Item]:
    """The items, read as the run has read them."""
    names = {name: command.get(name) for name in ("format", "map", "roles")}
    yield from read(list(files), on_error="skip", max_bytes=max_bytes, **names)


def _command(folder: Path) -> Mapping[str, Any] | None:
    """The command of a run's folder; None where it is none."""
    try:
        found = read_run(folder / RUN)
    except (ConfigError, OSError):  # whoever reads the judgments says what is wrong
        return None
    return None if found is None else found["command"]
