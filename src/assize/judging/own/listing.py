"""Every judge that could be named: of assize, of installed packages, and one's own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from assize.base.errors import AssizeError
from assize.base.plugins import each
from assize.judging.judge import Judge, JudgeContext
from assize.judging.own.prompt_file import SUFFIX, load_method
from assize.judging.table import GROUP, JUDGES, is_judge, loaded, offer, open_judge
from assize.models import Models

Origin = Literal["assize", "package", "own"]


@dataclass(frozen=True, slots=True)
class Listed:
    """A judge in a list.

    Args:
        name: as users write it.
        about: one line.
        origin: `assize`, `package` (an installed one) or `own`.
        asks: whether a model or an artefact follows, as in `name@target`.
    """

    name: str
    about: str
    origin: Origin = "assize"
    asks: bool = True


def known_judges(
    named: Iterable[str | Judge] = (),
    *,
    folder: Path | None = None,
    note: Callable[[str], object] = lambda _: None,
) -> list[Listed]:
    """The judges of assize, of installed packages, and of one's own.

    Args:
        named: judges that somebody wrote or made, such as `module:name`; a module is imported
            only where it is named here.
        folder: whose prompt files are listed; the current one when None. They are read, and
            nothing in them is run that is no template.
        note: told of each one that is broken, and why.
    """
    found = [Listed(name, offer(name).about) for name in JUDGES]
    for name, made in each(GROUP, JUDGES, loaded, note):
        found.append(Listed(name, getattr(made, "about", ""), "package", not is_judge(made)))
    found += _files(Path() if folder is None else folder, note)
    for one in named:
        try:
            judge = open_judge(one, JudgeContext(Models()))
        except AssizeError as error:
            note(str(error))
            continue
        written = one if isinstance(one, str) else judge.name
        found.append(Listed(written, getattr(judge, "about", ""), "own", asks=False))
    return found


def _files(folder: Path, note: Callable[[str], object]) -> Iterator[Listed]:
    """The prompt files of a folder: templates that begin with front matter."""
    for path in sorted(folder.glob(f"*{SUFFIX}")):
        try:
            with path.open("rb") as stream:
                if stream.readline().strip() != b"---":
                    continue  # some other template
            yield Listed(str(path), load_method(str(path)).about, "own")
        except (AssizeError, OSError) as error:
            note(str(error))
