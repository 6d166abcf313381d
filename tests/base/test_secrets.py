"""Secrets stay out of everything that is written or shown, whoever hands them back."""

from __future__ import annotations

import base64
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import http_files
import pytest
from command_line import assize
from fsspec.registry import _registry
from local_server import Handler, serving

from assize.base.errors import DataError
from assize.base.secrets import keep, keep_urls, redacted, redacted_bytes

KEY = "sk-own-key-0123456789/+abc"
PASSWORD = "pass/word+9876"
SIGNATURE = "c2lnbmF0dXJl/+MTIzNDU2Nzg5"
SECRETS = [
    KEY,
    PASSWORD,
    SIGNATURE,
    quote(PASSWORD, safe=""),
    quote(SIGNATURE, safe=""),
    base64.b64encode(f"me:{PASSWORD}".encode()).decode(),
]


class Echoing(Handler):
    """Serves files with a bad record, and models that hand back all they were sent."""

    def do_HEAD(self) -> None:
        self.send(b"")

    def do_GET(self) -> None:
        if "missing" in self.path:
            self.send(f"{self.path} {PASSWORD}".encode(), 404)
            return
        turns = [{"role": "user", "text": "Hi"}]
        pair = {"id": "p", "context": turns, "a": [{"role": "assistant", "text": "x"}]}
        pair["b"] = [{"role": "assistant", "text": "y"}]
        rows = [pair, {"id": "bad", "context": 1, "a": [], "b": []}]
        self.send("\n".join(map(json.dumps, rows)).encode())

    def do_POST(self) -> None:
        self.body()
        echo = self._echo()
        if "broken" in self.path:
            self.send(json.dumps({"error": {"message": echo}}).encode(), 400)
        elif "score" in self.path:
            self.send(json.dumps({"no": echo}).encode())
        else:
            answer = {"argument": echo, "reasoning": echo, "answer": "A"}
            message = {"role": "assistant", "content": json.dumps(answer)}
            choice = {"index": 0, "message": message, "finish_reason": "stop"}
            self.send(json.dumps({"model": f"m {echo}", "choices": [choice]}).encode())

    def _echo(self) -> str:
        return f"{self.path} {self.headers} {KEY} {PASSWORD}"


@pytest.fixture(scope="module")
def host() -> Iterator[str]:
    with serving(Echoing) as url:
        yield url.removeprefix("http://")


def leaks(folder: Path, *said: str) -> list[str]:
    """Where a secret stands: in a file below the folder, or in what was said."""
    found = [f"said: {text}" for text in said if any(secret in text for secret in SECRETS)]
    for file in folder.rglob("*"):
        if file.is_file():
            data = file.read_bytes()
            found += [f"{file}: {one}" for one in SECRETS if one.encode() in data]
    return found


def signed(host: str, name: str) -> str:
    return f"http://me:{quote(PASSWORD, safe='')}@{host}/{name}?page=2&sig={quote(SIGNATURE)}&sp=r"


@pytest.fixture
def _files_over_http(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(_registry, "http", http_files.HTTPFiles)
    monkeypatch.setenv("COLUMNS", "400")


def in_a_process(folder: Path, words: list[str]) -> subprocess.CompletedProcess[str]:
    """With keys that are there before anything is imported."""
    return subprocess.run(
        [sys.executable, http_files.__file__, *words],
        capture_output=True,
        text=True,
        timeout=120,
        cwd=folder,
        env=os.environ | {"OPENAI_API_KEY": KEY, "ASSIZE_REWARD_KEY": KEY},
    )


@pytest.mark.usefixtures("_files_over_http")
@pytest.mark.parametrize(
    "command",
    [
        "judge {pairs} --judge io@openai:m --base-url {url} --out {out}/run --on-error skip",
        "rubric ask {pairs} --model openai:m --base-url {url} --out {out}/run --on-error skip"
        " --record {out}/tape.jsonl",
        pytest.param(
            "judge {pairs} --judge io@openai:m --base-url {url}/broken --out {out}/run"
            " --on-error skip",
            marks=pytest.mark.nightly("waits between tries"),
        ),
        pytest.param(
            "judge {pairs} --judge reward@{score} --out {out}/run --on-error skip",
            marks=pytest.mark.nightly("waits between tries"),
        ),
        "judge {pairs} --judge io@openai:m --base-url {url} --out {out}/run",
        "judge {missing} --judge io@openai:m --base-url {url} --out {out}/run",
        "judge {pairs} --judge io@openai:m --base-url {bad} --out {out}/run",
        "check {pairs}",
        "evaluator card {pairs} {pairs}",
        "check {missing}",
        "convert {pairs} {out}/new.jsonl --on-error skip",
        "convert {pairs} {out}/new.jsonl",
        "convert {pairs} {out}/new.parquet --on-error skip",
        "convert {missing} {out}/new.jsonl",
        "report {missing} --out {out}/page.html",
        "agree {pairs}",
    ],
)
def test_no_file_and_no_line_holds_a_secret(host: str, tmp_path: Path, command: str) -> None:
    url = f"http://me:{quote(PASSWORD, safe='')}@{host}/v1"
    named = {
        "pairs": signed(host, "pairs.jsonl"),
        "missing": signed(host, "missing.jsonl"),
        "url": url,
        "score": signed(host, "score"),
        "bad": f"{url.replace('/v1', '')}99999/v1",
        "out": tmp_path,
    }
    words = [one.format(**named) for one in command.split()]
    asks = words[0] in ("judge", "rubric")
    done = in_a_process(tmp_path, words) if asks else assize(*words, cwd=tmp_path)
    assert "Traceback" not in done.stderr
    assert not leaks(tmp_path, done.stdout, done.stderr)
    assert not leaks(Path(os.environ["ASSIZE_CACHE_DIR"]))


def test_a_secret_goes_in_every_spelling() -> None:
    keep('quote"and<angle')
    for spelt in ('quote"and<angle', 'quote\\"and<angle', "quote%22and%3Cangle"):
        assert redacted(f"({spelt})") == "(***)"
        assert redacted_bytes(f"({spelt})".encode()) == b"(***)"


def test_a_short_value_is_taken_out_of_its_own_place_alone() -> None:
    keep("abc")
    keep_urls("https://me:xyz@host/x?sp=r&page=2")
    assert redacted("abc xyz sp=r") == "abc xyz sp=r"
    assert redacted("at https://me:xyz@host/x?sp=r&page=2") == (
        "at https://***@host/x?sp=***&page=2"
    )


def test_an_error_names_its_source_without_the_secret() -> None:
    error = DataError("no", source="https://me:pw@host/x?X-Amz-Signature=0123456789abcdef", line=3)
    assert str(error) == "https://***@host/x?X-Amz-Signature=***:3: no"


def test_an_ordinary_address_stays() -> None:
    keep_urls("https://host:8000/v1?page=2 and s3://bucket/logs@home.jsonl")
    for address in ("https://host:8000/v1?page=2", "s3://bucket/logs@home.jsonl"):
        assert redacted(address) == address
