"""Names that say too little, wherever they are bound: `python -m scripts.dialect [--lower]`.

A participle that stands alone (`found`, `said`) or a vague word (`one`, `place`) is a name that
only its writer can fill with meaning; `WORDS` has words to use instead. `dialect.json` holds how
many such names each package may still bind; `make check` fails where there are more, and this
prints those on lines that are new. `--lower` writes the counts of today, which must be no higher.
"""

from __future__ import annotations

import argparse
import ast
import json
import subprocess
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path

ROOT = Path(__file__).parents[1]
LOOKED_BACK = 5  # commits that wrote limits, the last of which may be younger than the names
SOURCE = ROOT / "src" / "assize"
LIMITS = Path(__file__).with_suffix(".json")
WORDS = {  # what the name may be instead; best is the thing's own
    "asked": "questions, prompt",
    "at": "index, turn, time",
    "drawn": "sample, chart",
    "each": "row, turn, judge",
    "found": "matches, rows, values",
    "given": "settings, options",
    "heard": "notes, messages",
    "kept": "rows, cache",
    "learnt": "model, weights",
    "made": "item, file",
    "meant": "choice, name",
    "named": "names, options",
    "one": "item, row, turn, judge",
    "place": "index, path, field",
    "said": "answer, message, text",
    "settled": "choice, verdict",
    "shown": "text, table",
    "taken": "choice, ids",
    "told": "message, notes",
    "wanted": "target, choice",
}
PROMISED = {("Judgment", "at"), ("Question", "asked")}  # fields of records that users read


@dataclass(frozen=True, slots=True)
class Binding:
    """A name where it is bound."""

    line: int
    name: str

    @property
    def word(self) -> str:
        """The name without underscores around it."""
        return self.name.strip("_")


def bindings(tree: ast.AST, owner: str = "") -> Iterator[Binding]:
    """Yield each name that a tree binds: variables, parameters, fields, functions."""
    for node in ast.iter_child_nodes(tree):
        inner = node.name if isinstance(node, ast.ClassDef) else owner
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield Binding(node.lineno, node.name)
        elif isinstance(node, ast.arg):
            yield Binding(node.lineno, node.arg)
        elif (
            isinstance(node, ast.Name)
            and isinstance(node.ctx, ast.Store)
            and (owner, node.id) not in PROMISED
        ):
            yield Binding(node.lineno, node.id)
        yield from bindings(node, inner)


def vague(text: str) -> list[Binding]:
    """Return the names of `WORDS` that a file's text binds."""
    return [binding for binding in bindings(ast.parse(text)) if binding.word in WORDS]


def package_of(path: Path) -> str:
    """Return the package of src that a file belongs to."""
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def count() -> dict[str, int]:
    """Return how many names of the dialect each package of src binds."""
    counts: Counter[str] = Counter()
    for path in sorted(SOURCE.rglob("*.py")):
        counts[package_of(path)] += len(vague(path.read_text(encoding="utf8")))
    return {package: number for package, number in sorted(counts.items()) if number}


def above(counts: dict[str, int], limits: dict[str, int]) -> list[str]:
    """Return the packages that bind more than they may."""
    return [package for package, number in counts.items() if number > limits.get(package, 0)]


def new_names(path: str, text: str, before: str) -> list[str]:
    """Return a message for each name of `WORDS` on a line that a file did not have before."""
    matcher = SequenceMatcher(None, before.splitlines(), text.splitlines(), autojunk=False)
    new = {
        line + 1
        for tag, _, _, first, end in matcher.get_opcodes()
        if tag != "equal"
        for line in range(first, end)
    }
    return [
        f"{path}:{binding.line}: `{binding.name}` says too little; name the thing, such as"
        f" {WORDS[binding.word]}"
        for binding in vague(text)
        if binding.line in new
    ]


def new_names_of(package: str) -> list[str]:
    """Return those of a package since the last commit, or else since its limit was written."""
    written = _git("log", f"-{LOOKED_BACK}", "--format=%H", "--", str(LIMITS)).split()
    for commit in ("HEAD", *written):
        lines = []
        for file in sorted(SOURCE.rglob("*.py")):
            if package_of(file) == package:
                path = file.relative_to(ROOT).as_posix()
                before = _git("show", f"{commit}:{path}")
                lines += new_names(path, file.read_text(encoding="utf8"), before)
        if lines:
            return lines
    return ["(no line is new: was a file moved?)"]


def _git(*words: str) -> str:
    """What git prints; nothing where it knows no such commit or file."""
    done = subprocess.run(  # noqa: S603
        ["git", *words],  # noqa: S607
        cwd=ROOT,
        capture_output=True,
        encoding="utf8",
        check=False,
    )
    return done.stdout


def main() -> int:
    """Print what is above its limit; 1 where anything is."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lower", action="store_true", help="write the counts of today")
    lower = parser.parse_args().lower
    counts, limits = count(), json.loads(LIMITS.read_text(encoding="utf8"))
    packages = above(counts, limits)
    for package in packages:
        print(
            f"{package}: {counts[package]} names say too little; {limits.get(package, 0)} are"
            " allowed; rename the new ones:"
        )
        print("\n".join(f"  {line}" for line in new_names_of(package)))
    print(f"{sum(counts.values())} names say too little")
    if lower and not packages:
        LIMITS.write_text(json.dumps(counts, indent=1) + "\n", encoding="utf8")
    return 1 if packages else 0


if __name__ == "__main__":
    raise SystemExit(main())
