"""A Hugging Face hub of one folder a repository, on this machine."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import unquote, urlsplit


@contextmanager
def hub_of(folders: Mapping[str, Path]) -> Iterator[tuple[str, list[str]]]:
    """Serves `{"owner/name@revision": folder}`; gives the address, and the paths asked for."""
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *args: object) -> None:
            pass

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
                self._send(404, b"{}")

        def _folder(self, repository: str, revision: str) -> tuple[str, Path] | None:
            for name, folder in folders.items():
                sha = hashlib.sha1(name.encode()).hexdigest()
                if name.partition("@")[0] == repository and revision in (
                    name.partition("@")[2],
                    sha,
                ):
                    return sha, folder
            return None

        def _about(self, repository: str, revision: str, tree: bool) -> None:
            found = self._folder(repository, revision)
            if found is None:
                self._send(404, b"{}", {"X-Error-Code": "RevisionNotFound"})
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
                self._send(200, json.dumps(rows).encode())
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
            self._send(200, json.dumps(about).encode())

        def _file(self, repository: str, revision: str, name: str) -> None:
            found = self._folder(repository, revision)
            path = None if found is None else found[1] / name
            if found is None or path is None or not path.is_file():
                self._send(404, b"", {"X-Error-Code": "EntryNotFound"})
                return
            more = {"ETag": f'"{_oid(path)}"', "X-Repo-Commit": found[0]}
            self._send(200, path.read_bytes(), more)

        def _send(self, status: int, data: bytes, more: Mapping[str, str] | None = None) -> None:
            self.send_response(status)
            self.send_header("Content-Length", str(len(data)))
            for name, value in (more or {}).items():
                self.send_header(name, value)
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(data)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}", asked
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _oid(path: Path) -> str:
    data = path.read_bytes()
    return hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()
