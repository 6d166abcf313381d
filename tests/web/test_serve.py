"""`assize web` as it is started: a real process, a real port, a real Ctrl-C."""

from __future__ import annotations

import json
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

import assize
from assize.base.errors import ConfigError


def test_it_serves_until_ctrl_c_and_says_where_the_first_admin_signs_up(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "assize", "web", "--project", str(tmp_path), "--port", "0"]
    with subprocess.Popen(
        [*command, "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr is not None
        greeting = next(line for line in process.stderr if "invitation" in line)
        (own,) = re.findall(r"(http://127\.0\.0\.1:\d+)/invitation/\S{40,}", greeting)
        urlopen(f"{own}/static/style.css").close()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 0, err
    report = json.loads(out)
    assert (report["url"], report["answers"]) == (own, 0)
    assert (tmp_path / "assize.db").is_file()


def test_a_port_that_is_taken_is_named(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(ConfigError, match=rf"127\.0\.0\.1:{port}.*another port"):
            assize.web.serve(tmp_path, port=port)


@pytest.mark.parametrize(
    ("folder", "options", "problem"),
    [
        ("none", {}, r"no folder .*copy the repository's examples/web"),
        (".", {"database": "sqlite:////no/such/folder/x.db"}, "cannot open the database"),
        (
            ".",
            {"url": "https://x.org/rate"},
            r"'https://x\.org/rate'; the app is not served under",
        ),
        (".", {"url": "rate.example.org"}, r"url: received 'rate\.example\.org'"),
        (".", {"host": "0.0.0.0", "open": True}, r"open: .*127\.0\.0\.1 only, not on 0\.0\.0\.0"),
    ],
)
def test_what_cannot_be_served_is_named(
    tmp_path: Path, folder: str, options: dict[str, Any], problem: str
) -> None:
    with pytest.raises(ConfigError, match=problem):
        assize.web.serve(tmp_path / folder, port=0, **options)
