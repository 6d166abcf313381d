"""Every result opens its page with one plain sentence."""

from __future__ import annotations

import ast
import inspect
import pkgutil
import textwrap
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec

import pytest

import assize
from assize.results import Result
from assize.rubric._shown import RubricList

if find_spec("sqlalchemy") is None or find_spec("torch") is None:
    pytest.skip("every module is imported", allow_module_level=True)


def results() -> list[type[Result]]:
    """All classes of results of the package."""
    for module in pkgutil.walk_packages(assize.__path__, "assize."):
        if not module.name.endswith("__main__"):
            import_module(module.name)
    classes: list[type[Result]] = [Result]
    for parent in classes:
        classes += [kind for kind in parent.__subclasses__() if kind not in classes]
    return [kind for kind in classes[1:] if kind.__module__.startswith("assize.")]


RESULTS = results()
OWN = [kind for kind in RESULTS if "sentence" in vars(kind)]
PLAIN = [kind for kind in RESULTS if kind.sentence is Result.sentence]


def last_texts(node: ast.expr | None) -> Iterator[str]:
    """With what the texts end that an expression may be; nothing where a call makes them."""
    match node:
        case ast.Constant(value=str(text)):
            yield text
        case ast.JoinedStr(values=[*_, last]):
            yield from last_texts(last)
        case ast.IfExp(body=first, orelse=second):
            yield from last_texts(first)
            yield from last_texts(second)
        case ast.BinOp(right=right):
            yield from last_texts(right)


def test_there_are_results_of_both_kinds() -> None:
    assert len(OWN) > 30
    assert RubricList in PLAIN


@pytest.mark.parametrize("kind", PLAIN, ids=lambda kind: kind.__name__)
def test_a_class_says_in_its_first_line_what_its_page_shows(kind: type[Result]) -> None:
    first = (kind.__doc__ or "").partition("\n")[0]
    assert first.endswith(".")
    assert not set("`;") & set(first.replace("item by item;", ""))


@pytest.mark.parametrize("kind", OWN, ids=lambda kind: kind.__name__)
def test_a_sentence_ends_with_a_stop(kind: type[Result]) -> None:
    (tree,) = ast.parse(textwrap.dedent(inspect.getsource(kind.sentence.fget))).body  # type: ignore[attr-defined]
    returned = [node.value for node in ast.walk(tree) if isinstance(node, ast.Return)]
    texts = [text for value in returned for text in last_texts(value)]
    assert all(text.endswith((".", ". ")) for text in texts), texts


def test_the_sentence_of_a_class_without_its_own_is_its_first_line() -> None:
    assert RubricList((), "").sentence.startswith("Rubrics with the number of their questions")
