"""A project served as `assize web` does."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path

from assize.web._opening import Opened, opened
from assize.web._serve import server_of


@contextmanager
def listening(
    folder: Path, *, open: bool = False, database: str | None = None, allow: Collection[str] = ()
) -> Iterator[tuple[str, Opened]]:
    """Serves a folder on a free port of this machine until the block ends; the URL and the app."""
    with socket.create_server(("127.0.0.1", 0)) as port:
        url = f"http://127.0.0.1:{port.getsockname()[1]}"
        with opened(folder, url=url, open=open, database=database, allow=allow) as app:
            server = server_of(app.asgi)
            thread = threading.Thread(target=server.run, args=([port],))
            thread.start()
            try:
                while not server.started:
                    time.sleep(0.01)
                yield url, app
            finally:
                server.should_exit = True
                thread.join()
