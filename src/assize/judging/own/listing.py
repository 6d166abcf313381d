"""Every judge that could be named: of assize, of installed packages, and one's own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from assize.base.errors import AssizeError
from assize.base.plugins import each
from assize.judging.own.prompt_file import SUFFIX, load_method
from assize.judging.table import GROUP, JUDGES, loaded, offer


def known_judges(folder: Path, note: Callable[[str], object]) -> dict[str, str]:
    """The judges of assize, of installed packages, and the prompt files of a folder.

    Args:
        folder: whose prompt files, templates that begin with front matter, are listed. They are
            read, and nothing in them is run that is no template.
        note: told of each one that is broken, and why.

    Returns:
        A line about each, by its name as users write it.
    """
    found = {name: offer(name).about for name in JUDGES}
    found |= {name: getattr(made, "about", "") for name, made in each(GROUP, JUDGES, loaded, note)}
    for path in sorted(folder.glob(f"*{SUFFIX}")):
        try:
            with path.open("rb") as stream:
                if stream.readline().strip() == b"---":  # else some other template
                    found[str(path)] = load_method(str(path)).about
        except (AssizeError, OSError) as error:
            note(str(error))
    return found
