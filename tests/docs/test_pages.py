"""Every block of README and docs runs, in the order of its page, and prints what the page shows."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest
from chat_server import ChatServer
from tests.docs.answering import answer
from tests.docs.example_files import write_files
from tests.docs.pages import PAGES, blocks, counted, differs, saved_files
from tests.docs.running import Reader

NEEDED = ("onnxruntime", "torch", "altair", "vl_convert")
if missing := [name for name in NEEDED if find_spec(name) is None]:
    pytest.skip(f"the pages need every extra: {missing}", allow_module_level=True)

BLOCKS = [block for page in PAGES for block in blocks(page)]
OWN = {"python"}  # tests/test_python_page.py runs it, in a kernel and a service too
RUN = [
    page
    for page in PAGES
    if page not in OWN and any(block.not_run is None for block in blocks(page))
]
# Why blocks are not run, and how many: whoever adds one says so here.
NOT_RUN: dict[str, int] = {
    "asks a model": 6,
    "sets up an environment": 8,
    "needs published data that assize does not ship": 29,
    "needs a container engine": 1,
    "needs weights that assize does not ship": 4,
    "needs a project": 1,
    "needs a project with answers": 4,
    "builds an image": 1,
    "serves until it is stopped": 3,
    "takes a minute and the whole machine": 1,
    "takes half an hour and more": 1,
}


@pytest.mark.parametrize("page", RUN)
def test_the_blocks_of_a_page_run_and_print_what_it_shows(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_files(page, tmp_path)
    for name, content in saved_files(page).items():
        (tmp_path / name).write_text(content)
    reader = Reader(tmp_path)
    with ChatServer(answer) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        monkeypatch.setenv("OPENAI_API_KEY", "of-the-test")
        for block in blocks(page):
            if block.not_run is None:
                reader.follow(block)


def test_each_block_that_is_not_run_has_a_reason_that_is_known() -> None:
    assert counted(BLOCKS) == NOT_RUN


def test_what_is_left_out_may_be_anything_and_the_rest_must_be_there() -> None:
    assert differs("a\n...\nd\n", "a\nb\nc\nd\n") is None
    assert differs("a\n...\nd\n", "a\nb\nc\n")
    assert differs("took 1 s", "", "took 2.4 s") is None
