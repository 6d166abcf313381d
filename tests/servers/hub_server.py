"""A Hugging Face hub of one folder a repository, on this machine."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import unquote, urlsplit

from local_server import Handler, serving


@contextmanager
def hub_of(folders: Mapping[str, Path]) -> Iterator[tuple[str, list[str]]]:
    """Serves `{"owner/name@revision": folder}`; gives the address, and the paths asked for."""
    asked: list[str] = []

    class Hub(Handler):
        def do_HEAD(self) -> None:
            self.do_GET()

        def do_GET(self) -> None:
            path = unquote(urlsplit(self.path).path).strip("/")
            asked.append(path)
            parts = path.split("/")
            if parts[:2] == ["api", "models"]:
                revision = parts[5] if parts[4:5] in (["revision"], ["tree"]) else "main"
                self._about("/".join(parts[2:4]), revision, tree="tree" in parts[4:5])
            elif parts[2:3] == ["resolve"]:
                self._file("/".join(parts[:2]), parts[3], "/".join(parts[4:]))
            else:
                self.send(b"{}", 404)

        def _folder(self, repository: str, revision: str) -> tuple[str, Path] | None:
            for name, folder in folders.items():
                sha = hashlib.sha1(name.encode()).hexdigest()
                owner, _, tag = name.partition("@")
                if owner == repository and revision in (tag, sha):
                    return sha, folder
            return None

        def _about(self, repository: str, revision: str, tree: bool) -> None:
            found = self._folder(repository, revision)
            if found is None:
                self.send(b"{}", 404, {"X-Error-Code": "RevisionNotFound"})
                return
            sha, folder = found
            files = sorted(path for path in folder.iterdir() if path.is_file())
            if tree:
                rows = [
                    {
                        "type": "file",
                        "path": path.name,
                        "size": path.stat().st_size,
                        "oid": _oid(path),
                    }
                    for path in files
                ]
                self.send(json.dumps(rows).encode())
                return
            siblings = [{"rfilename": path.name} for path in files]
            about = {
                "id": repository,
                "sha": sha,
                "siblings": siblings,
                "private": False,
                "downloads": 0,
                "likes": 0,
                "tags": [],
            }
            self.send(json.dumps(about).encode())

        def _file(self, repository: str, revision: str, name: str) -> None:
            found = self._folder(repository, revision)
            path = None if found is None else found[1] / name
            if found is None or path is None or not path.is_file():
                self.send(b"", 404, {"X-Error-Code": "EntryNotFound"})
                return
            more = {"ETag": f'"{_oid(path)}"', "X-Repo-Commit": found[0]}
            self.send(path.read_bytes(), more=more)

    with serving(Hub) as url:
        yield url, asked


def _oid(path: Path) -> str:
    data = path.read_bytes()
    return hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()
