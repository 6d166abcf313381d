"""What installed packages add: judges, formats and models, by entry points.

    [project.entry-points."assize.judges"]
    politeness = "my_package.judges:POLITENESS"

They are looked up when a name is none of ours, or when everything is listed, so that nothing
is read or imported otherwise. A name of ours cannot be replaced. A package that cannot be
imported is an error for who names it, and a note for everybody else.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from assize.base.errors import ConfigError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

Group = Literal["assize.judges", "assize.formats", "assize.models"]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Plugin:
    """One entry point.

    Args:
        group: what it adds.
        name: as users write it.
        place: `module:attribute`.
        package: the distribution and its version, for messages.
        point: the entry point itself.
    """

    group: Group
    name: str
    place: str
    package: str
    point: EntryPoint

    def load(self) -> Any:
        """What the entry point names, imported.

        Raises:
            ConfigError: it cannot be imported; names the package.
        """
        try:
            return self.point.load()
        except Exception as error:
            raise self.broken(f"{type(error).__name__}: {error}") from error

    def broken(self, problem: str) -> ConfigError:
        """The error of a plugin that is not what it must be."""
        kind = self.group.removeprefix("assize.").removesuffix("s")
        return ConfigError(
            f"{kind} {self.name!r} of the package {self.package} cannot be used"
            f" ({self.place}): {problem}; update or uninstall that package"
        )


def plugins(group: Group) -> dict[str, Plugin]:
    """The entry points of a group by name; nothing is imported.

    Where two packages give one name, the first on the path has it, as with modules.
    """
    from importlib.metadata import entry_points

    found: dict[str, Plugin] = {}
    for point in entry_points(group=group):
        about = point.dist
        package = "?" if about is None else f"{about.metadata['Name']} {about.version}"
        plugin = Plugin(group, point.name, point.value, package, point)
        found.setdefault(point.name, plugin)
    return found


def each(
    group: Group,
    own: Container[str],
    use: Callable[[Plugin], T],
    note: Callable[[str], object] = lambda _: None,
) -> Iterator[tuple[str, T]]:
    """The name of each plugin of a group and what `use` makes of it.

    Args:
        own: names of ours, which none replaces.
        note: told of each plugin that is left out, and why.
    """
    for name, plugin in plugins(group).items():
        if name in own:
            kind = group.removeprefix("assize.").removesuffix("s")
            note(
                f"{plugin.package} offers a {kind} {name!r}, which assize has itself; not replaced"
            )
            continue
        try:
            yield name, use(plugin)
        except ConfigError as error:
            note(str(error))
