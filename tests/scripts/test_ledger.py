"""Statements, nodes and functions by the issue that answers for them."""

from __future__ import annotations

from pathlib import Path

from scripts.ledger import OWNERS, ROOT, files_here, measure, owner_of


def test_imports_and_docstrings_are_no_statements() -> None:
    source = 'import os\n\ndef f():\n    """Return one."""\n    return 1\n'
    assert measure(source).statements == 2


def test_packing_statements_into_an_expression_leaves_nodes() -> None:
    loop = measure("for x in y:\n    z.append(x)\n")
    packed = measure("z.extend([x for x in y])\n")
    assert packed.statements < loop.statements
    assert packed.nodes >= loop.nodes


def test_the_longest_path_decides_who_answers() -> None:
    assert owner_of("src/assize/reference/_fit.py") == OWNERS["src/assize/reference"]
    assert owner_of("src/assize/base/errors.py") == OWNERS["src"]


def test_every_folder_of_the_table_is_there_and_every_file_has_an_owner() -> None:
    assert [path for path in OWNERS if not Path(ROOT, path).exists()] == []
    files = [path for path, _ in files_here()]
    assert len(files) > 100
    assert {owner_of(path) for path in files} == set(OWNERS.values())
