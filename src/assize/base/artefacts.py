"""Folders of what is learnt: a manifest that people can read, and arrays beside it.

    calibration.json                    the manifest: format, kind, signature, facts, files
    weights-5e0f3a1c9b7d.safetensors    the arrays

The manifest names every other file with its sha256, and a file is called after its content.
So one step, the replacement of the manifest, turns the old artefact into the new one, and a
save that is interrupted anywhere leaves the old one whole. The manifest holds a checksum of its
own; whoever corrects it by hand takes the checksum out.

Nothing is unpickled and nothing in a folder can run. What is not known is refused: another
kind, another format, a file that is too large, damaged, or outside the folder; and facts and arrays
that do not make the record they are read as (`record_parts`).
"""

from __future__ import annotations

import json
import os
import re
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from assize.base.depth import check_depth
from assize.base.errors import AssizeError, DataError, OutputError
from assize.base.line_checksum import seal_record, unseal_record
from assize.base.record_parts import from_parts, read_as, to_parts
from assize.base.signature import content_hash

if TYPE_CHECKING:
    from numpy.typing import NDArray

FORMAT = 1  # of the manifest, whatever the kind
MOST_MANIFEST = 16 << 20  # bytes
MOST_FILE = 4 << 30  # bytes of one file, and of the arrays in it

R = TypeVar("R")

_UNREADABLE = (
    ArithmeticError,
    AttributeError,
    LookupError,
    MemoryError,
    RecursionError,
    TypeError,
    ValueError,
)
_PLAIN = re.compile(r"\w[\w.+-]*", re.ASCII)


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of artefact, and how its folder is laid out."""

    name: str  # as messages and manifests have it, for instance `calibrator`
    manifest: str  # the manifest's file name
    arrays: str  # the role of the file with the arrays; its name begins so
    version: int  # of the facts and arrays
    remedy: str = "make it again"  # what to do where there is none, or it is damaged


@dataclass(frozen=True, slots=True)
class File:
    """A file as the manifest names it."""

    name: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Artefact:
    """A folder whose manifest has been read, or written."""

    kind: Kind
    folder: Path
    signature: str  # what the numbers that it makes are signed with
    facts: Mapping[str, Any]  # what it says of itself, as JSON values
    files: Mapping[str, File]  # by role, `kind.arrays` always among them

    @property
    def place(self) -> Path:
        """The manifest's path."""
        return self.folder / self.kind.manifest

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The arrays by name, as they are.

        Raises:
            DataError: the file is missing, damaged or too large; an array holds no numbers.
        """
        data = self.read(self.kind.arrays)
        try:
            arrays = _from_safetensors(data)
        except ValueError as error:
            raise self._damaged(self.kind.arrays, f"damaged ({error})") from error
        odd = [name for name, array in arrays.items() if not _is_plain(array.dtype)]
        if odd:
            raise self._damaged(
                self.kind.arrays,
                f"damaged (array {odd[0]!r} holds {arrays[odd[0]].dtype}, not numbers)",
            )
        return arrays

    def record(self, record_type: type[R], name: str, **more: Any) -> R:
        """The record that one of the facts and all arrays make.

        Args:
            name: of the fact; `more`: fields that are not stored, see `record_parts.to_parts`.

        Raises:
            DataError: they make none, or the file of the arrays is missing or damaged.
        """
        arrays = self.arrays()
        with self.understood(AssizeError):  # of the record's own checks
            return from_parts(record_type, self.facts[name], arrays, **more)

    @contextmanager
    def understood(self, *more: type[Exception]) -> Iterator[None]:
        """What its facts and arrays are made into is what they must be, or it is a DataError;
        `more` are errors that say so too."""
        unreadable: tuple[type[Exception], ...] = (*_UNREADABLE, *more)
        try:
            yield
        except unreadable as error:
            said = f"{type(error).__name__}: {error}"
            raise DataError(
                f"not what it must be ({said:.300}); {self.kind.remedy}", source=str(self.place)
            ) from error

    def read(self, role: str, most: int = MOST_FILE) -> bytes:
        """A file's bytes, `most` at most, checked against the manifest."""
        if role not in self.files:
            raise DataError(f"names no {role}", source=str(self.place))
        file = self.files[role]
        data = _read(self.folder, file.name, min(most, MOST_FILE))
        if content_hash(data) != file.sha256:
            raise self._damaged(
                role, f"damaged, or not the file that {self.kind.manifest} was written with"
            )
        return data

    def attached(self, role: str, record_type: type[R], remedy: str) -> R | None:
        """The record that `attach_record` put under a role; None where there is none.

        Args:
            remedy: what to do where it is damaged.
        """
        if role not in self.files:
            return None
        data = self.read(role, MOST_MANIFEST)
        try:
            return from_parts(record_type, check_depth(json.loads(data)), {})
        except (AssizeError, *_UNREADABLE) as error:
            source = str(self.folder / self.files[role].name)
            raise DataError(f"cannot be read ({error}); {remedy}", source=source) from error

    def text_beside(self, name: str) -> str | None:
        """A text for people that the manifest does not name; None where there is none."""
        if not os.path.lexists(self.folder / name):
            return None
        try:
            return _read(self.folder, name, MOST_MANIFEST).decode()
        except UnicodeDecodeError as error:
            raise DataError(f"is no UTF-8 ({error})", source=str(self.folder / name)) from error

    def _damaged(self, role: str, problem: str) -> DataError:
        source = str(self.folder / self.files[role].name)
        return DataError(f"{problem}; {self.kind.remedy}", source=source)


def save(
    kind: Kind,
    folder: Path,
    facts: Mapping[str, Any],
    arrays: Mapping[str, NDArray[Any]],
    signature: str,
    files: Mapping[str, tuple[str, bytes]] | None = None,
) -> Artefact:
    """Writes an artefact, in place of an earlier one; `files`: by role, suffix and bytes."""
    from safetensors.numpy import save as pack

    packed = pack({name: _dense(name, array) for name, array in arrays.items()})
    _make(folder)
    given = {kind.arrays: (".safetensors", packed), **(files or {})}
    kept = {role: _keep(folder, role, *one) for role, one in given.items()}
    return _committed(Artefact(kind, folder, signature, dict(facts), kept))


def attach(found: Artefact, role: str, suffix: str, data: bytes) -> Artefact:
    """The artefact with one file more, in place of an earlier one in that role."""
    files = {**found.files, role: _keep(found.folder, role, suffix, data)}
    return _committed(Artefact(found.kind, found.folder, found.signature, found.facts, files))


def attach_record(artefact: Artefact, role: str, record: Any) -> Artefact:
    """The artefact with a record without arrays, in place of an earlier one in that role."""
    facts, _ = to_parts(record)
    text = json.dumps(facts, indent=1, ensure_ascii=False) + "\n"
    return attach(artefact, role, ".json", text.encode())


def open_artefact(kind: Kind, folder: str | Path) -> Artefact:
    """Reads the manifest of a folder; the files are read and checked when they are asked for."""
    place = Path(folder)
    source = str(place / kind.manifest)
    if not os.path.lexists(source):
        problem = f"there is no such file; {_a(kind.name)} is a folder with this file in it"
        raise DataError(f"{problem}; {kind.remedy}", source=source)
    try:
        return _described(
            kind, place, check_depth(json.loads(_read(place, kind.manifest, MOST_MANIFEST)))
        )
    except DataError as error:
        raise error.at(source, None) from None
    except _UNREADABLE as error:
        raise DataError(
            f"cannot be read ({type(error).__name__}: {error}); {kind.remedy}", source=source
        ) from error


def _described(kind: Kind, folder: Path, value: dict[str, Any]) -> Artefact:
    if value.get("artefact") != FORMAT:
        raise _unknown(f"format {value.get('artefact')!r} of artefacts", FORMAT)
    if value["kind"] != kind.name:
        raise DataError(f"this is {_a(str(value['kind']))}, and no {kind.name}")
    if value["format"] != kind.version:
        raise _unknown(f"format {value['format']!r} of {kind.name}", kind.version)
    value = unseal_record(value)
    files = {role: read_as(File, one) for role, one in value["files"].items()}
    for file in files.values():
        _plain(file.name)
    if kind.arrays not in files:
        raise DataError(f"names no {kind.arrays}; {kind.remedy}")
    return Artefact(kind, folder, str(value["signature"]), dict(value["facts"]), files)


def _unknown(received: str, known: int) -> DataError:
    return DataError(f"{received}; this version reads {known}: another version of assize wrote it")


def _a(name: str) -> str:
    return f"{'an' if name[:1] in 'aeiou' else 'a'} {name}"


def _plain(name: str) -> str:
    if not _PLAIN.fullmatch(name):
        raise DataError(f"{name!r} is no plain name of a file in this folder")
    return name


def _read(folder: Path, name: str, most: int) -> bytes:
    path = folder / _plain(name)
    try:
        if path.resolve().parent != folder.resolve():
            raise DataError("a link that leaves the folder is not followed", source=str(path))
        if not path.is_file():  # a pipe would wait for ever
            raise DataError("there is no such file", source=str(path))
        with path.open("rb") as stream:
            data = stream.read(most + 1) if path.stat().st_size <= most else None
    except (OSError, RuntimeError) as error:  # RuntimeError: links in a circle
        raise DataError(f"cannot be read ({error})", source=str(path)) from error
    if data is None or len(data) > most:
        raise DataError(f"larger than {most} bytes, the most that is read", source=str(path))
    return data


def _from_safetensors(data: bytes) -> dict[str, NDArray[Any]]:
    from safetensors import SafetensorError
    from safetensors.numpy import load

    try:
        return dict(load(data))
    except (SafetensorError, KeyError) as error:
        raise ValueError(str(error)) from error


def _is_plain(dtype: Any) -> bool:
    """Whole numbers, truth values, or numbers of 32 or 64 bits, as artefacts are written with."""
    return dtype.kind in "biu" or (dtype.kind == "f" and dtype.itemsize in (4, 8))


def _dense(name: str, array: NDArray[Any]) -> NDArray[Any]:
    import numpy as np

    if array.dtype.kind not in "biuf":
        raise DataError(f"{name} holds {array.dtype}; numbers and booleans can be kept")
    return np.asarray(array, order="C")


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(
            f"this folder cannot be made ({error.strerror})", source=str(folder)
        ) from error


def _keep(folder: Path, role: str, suffix: str, data: bytes) -> File:
    digest = content_hash(data)
    file = File(_plain(f"{role}-{digest[:12]}{suffix}"), digest)
    write_whole(folder / file.name, data)
    return file


def _committed(made: Artefact) -> Artefact:
    """Replaces the manifest; only then does what the earlier one named go."""
    earlier: Mapping[str, File] = {}
    with suppress(DataError):
        earlier = open_artefact(made.kind, made.folder).files
    value = {
        "artefact": FORMAT,
        "kind": made.kind.name,
        "format": made.kind.version,
        "signature": made.signature,
        "facts": made.facts,
        "files": {role: asdict(file) for role, file in made.files.items()},
    }
    text = json.dumps(seal_record(value), indent=1, ensure_ascii=False) + "\n"
    write_whole(made.place, text.encode())
    for role, file in earlier.items():
        # Only what `_keep` wrote: a manifest from elsewhere may name any file of the folder.
        written = file.name.startswith(f"{role}-{file.sha256[:12]}")
        if written and file.name not in {one.name for one in made.files.values()}:
            with suppress(OSError):  # what is named nowhere does no harm
                (made.folder / file.name).unlink()
    return made


def write_whole(path: Path, data: bytes) -> None:
    """Writes a file: its place holds what it held, or all of `data`, and never a part."""
    part = path.with_name(f"{path.name}.{secrets.token_hex(4)}.part")
    try:
        with part.open("xb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(part, path)
    except OSError as error:
        raise OutputError(
            f"cannot write: {error.strerror or error}; what stood here is unchanged",
            source=str(path),
        ) from error
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)
