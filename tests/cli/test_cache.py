"""`assize cache`."""

from __future__ import annotations

from command_line import read_json, read_refusal, run
from tests.models.test_cached_files import fill


def test_info_is_a_table_or_one_object() -> None:
    fill(3)
    assert "Caches" in run("cache", "info").stdout
    caches = read_json("cache", "info")["caches"]
    assert [(row["cache"], row["entries"]) for row in caches] == [("answers", 3), ("encodings", 4)]


def test_clear_says_on_stderr_what_it_removed() -> None:
    fill(2)
    kept = {"removed": {"answers": 0, "encodings": 0}}
    assert read_json("cache", "clear", "--unused-days", "1") == kept
    assert run("cache", "clear", "--only", "encodings").stderr == "3 encodings removed\n"
    done = run("cache", "clear")
    assert (done.stdout, done.stderr) == ("", "2 answers removed\n0 encodings removed\n")
    assert "encodings" in read_refusal("cache", "clear", "--only", "all")
