"""`assize web` as it is started: a real process, a real port, a real Ctrl-C."""

from __future__ import annotations

import json
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

import pytest

import assize
from assize.base.errors import ConfigError


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


@contextmanager
def started(folder: Path, *more: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The command in a process of its own, once it answers."""
    port = free_port()
    command = [sys.executable, "-m", "assize", "web", "--project", str(folder), "--port", str(port)]
    process = subprocess.Popen(
        [*command, *more], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        own = f"http://127.0.0.1:{port}"
        for _ in range(600):
            try:
                urlopen(f"{own}/static/style.css").close()
                break
            except OSError:
                assert process.poll() is None, process.communicate()[1]
                time.sleep(0.1)
        yield process, own
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()


def test_it_serves_until_ctrl_c_and_says_where_the_first_admin_signs_up(tmp_path: Path) -> None:
    with started(tmp_path, "--json") as (process, own):
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    assert process.returncode == 0, err
    assert re.search(rf"{re.escape(own)}/invitation/\S{{40,}}", err)
    told = json.loads(out)
    assert told["url"] == own
    assert told["answers"] == 0
    assert (tmp_path / "assize.db").is_file()


def test_a_second_start_shows_no_link_once_there_is_an_admin(tmp_path: Path) -> None:
    with started(tmp_path, "--open") as (process, own):
        assert "local user" in urlopen(f"{own}/").read().decode()
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=30)
    assert "invitation" not in err


def test_without_sign_in_it_is_for_this_machine_only(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"open: .*127\.0\.0\.1 only, not on 0\.0\.0\.0"):
        assize.web.serve(tmp_path, host="0.0.0.0", open=True)


def test_a_port_that_is_taken_is_named(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(ConfigError, match=rf"127\.0\.0\.1:{port}.*another port"):
            assize.web.serve(tmp_path, port=port)


def test_a_folder_that_is_not_there_and_a_database_of_another_kind_are_named(
    tmp_path: Path,
) -> None:
    with pytest.raises(ConfigError, match="no folder"):
        assize.web.serve(tmp_path / "none", port=0)
    with pytest.raises(ConfigError, match="no database 'mysql'"):
        assize.web.serve(tmp_path, port=0, database="mysql://localhost/x")
    with pytest.raises(ConfigError, match="is no database URL"):
        assize.web.serve(tmp_path, port=0, database="nonsense")
    with pytest.raises(ConfigError, match="cannot open the database"):
        assize.web.serve(tmp_path, port=0, database="sqlite:////no/such/folder/x.db")
    with pytest.raises(ConfigError, match=r"'https://x\.org/rate'; the app is not served under"):
        assize.web.serve(tmp_path, port=0, url="https://x.org/rate")
    with pytest.raises(ConfigError, match=r"url: received 'rate\.example\.org'"):
        assize.web.serve(tmp_path, port=0, url="rate.example.org")
