"""The move: floors, namespaces, names. `python -m scripts.move` moves this checkout, once.

Tables first: where a module goes, which names a package promises, what a verb is called. Then
files are moved, imports rewritten by their syntax tree, and dotted names and paths in any text.
"""

from __future__ import annotations

import ast
import io
import re
import subprocess
import sys
import tokenize
from collections.abc import Iterator
from functools import partial
from pathlib import Path

ROOT = Path(__file__).parents[1]
SRC = ROOT / "src/assize"
BUILDERS = (
    "agreement", "encoders", "formats", "judging", "juries", "models", "pages", "retrieval",
    "scoring", "versions",
)  # fmt: skip
NAMESPACES = (
    "acts", "calibrate", "criteria", "evaluator", "reference", "rubric", "simulate", "stats",
    "study", "web",
)  # fmt: skip
BASE = (
    "arguments", "artefacts", "conversation", "disk_cache", "endpoints", "errors", "fields",
    "http_client", "invisible", "judgment", "lazy", "line_checksum", "own_code", "plugins",
    "privacy", "record", "record_parts", "secrets", "signature", "trust", "version", "whole_text",
)  # fmt: skip
MODULES = {
    "agreement.columns": "judgments.answers",
    "agreement.items": "judgments.item_fields",
    "agreement.membership": "judgments.membership",
    "encoders.unreadable": "encoders.unknown_tokens",
    "evaluator.export": "evaluator.hub_export",
    "pages.plot": "_doors.plot",
    "pages.report": "_doors.report",
    "reference.contrast": "reference.contrasts",
    "reference.data": "reference.continuations",
    "reference.multiplicity": "reference.samples",
    "reference.sheets": "reference.rating_sheets",
    "simulation.candidates": "simulate.candidate_turns",
    "simulation.dialogues": "simulate.recipes",
    "simulation.scrubbing": "simulate.scrubber",
    "studies": "stats.studies",
    "workflows.acts": "acts.show",
    "workflows.acts_agreement": "acts.agree",
    "workflows.acts_study": "study.acts",
    "workflows.agree": "agreement.agree",
    "workflows.cache": "models.cached_files",
    "workflows.calibration.next_ratings": "calibrate.next_ratings",
    "workflows.calibration.study": "study.calibration",
    "workflows.calibration.given": "calibrate.inputs",
    "workflows.calibration": "calibrate",
    "workflows.check": "_doors.check",
    "workflows.compare": "versions.compare",
    "workflows.convert": "_doors.convert",
    "workflows.criteria.labelled": "criteria.labelled_items",
    "workflows.criteria.study": "study.criteria",
    "workflows.criteria": "criteria",
    "workflows.describe": "_doors.describe",
    "workflows.evaluator.given": "evaluator.inputs",
    "workflows.evaluator.study": "study.evaluators",
    "workflows.evaluator": "evaluator",
    "workflows.gate": "versions.check_gate",
    "workflows.given_labels": "formats.labels.given_labels",
    "workflows.judge": "judging.verbs",
    "workflows.jury": "juries.jury",
    "workflows.jury_study": "study.juries",
    "workflows.labels_needed": "agreement.labels_needed",
    "workflows.load": "_doors.load",
    "workflows.reading": "formats.arguments",
    "workflows.reference.data": "reference.cut",
    "workflows.reference.study": "study.reference",
    "workflows.reference": "reference",
    "workflows.retrieve": "simulate.retrieve",
    "workflows.rubric": "rubric.ask",
    "workflows.run_folder": "judging.run_folder",
    "workflows.score": "scoring.score",
    "workflows.simulation": "simulate",
    "workflows.version_sources": "versions.sources",
    "workflows.versions": "versions.versions",
    "dialogue_acts": "acts",
    "calibration": "calibrate",
    "simulation": "simulate",
    "webapp": "web",
}  # fmt: skip
VERBS = {  # a function at the top -> where it is promised, "" at the top, and its name there
    "acts": "acts.show", "acts_agreement": "acts.agree", "train_tagger": "acts.train",
    "acts_study": "study.acts",
    "adapt_calibrator": "calibrate.adapt", "audit_calibrator": "calibrate.audit",
    "compare_systems": "calibrate.compare", "correct_calibrator": "calibrate.correct",
    "distill_evaluator": "calibrate.distill", "fit_calibrator": "calibrate.fit",
    "question_importance": "calibrate.importance", "next_ratings": "calibrate.next_ratings",
    "predict_ratings": "calibrate.predict", "select_best": "calibrate.select",
    "rating_template": "calibrate.template", "FittedCalibrator": "calibrate.FittedCalibrator",
    "study_calibrators": "study.calibration", "study_methods": "study.methods",
    "distill_criteria": "criteria.distill", "learn_criteria": "criteria.learn",
    "score_criteria": "criteria.score", "select_criteria": "criteria.select",
    "watch_criteria": "criteria.watch", "study_criteria": "study.criteria",
    "adapt_evaluator": "evaluator.adapt", "evaluator_card": "evaluator.card",
    "evaluate_evaluator": "evaluator.evaluate", "export_evaluator": "evaluator.export",
    "train_evaluator": "evaluator.train", "reward_function": "evaluator.reward_function",
    "study_evaluators": "study.evaluators",
    "contrast_sources": "reference.contrast", "cut_continuations": "reference.cut",
    "explain_reference": "reference.explain", "export_completions": "reference.export",
    "fit_ensemble": "reference.fit", "measure_multiplicity": "reference.multiplicity",
    "read_labels": "reference.labels", "score_reference": "reference.score",
    "split_continuations": "reference.split", "study_contrast": "reference.themes",
    "study_tuning": "reference.tuning", "tool_call_metrics": "reference.tool_call_metrics",
    "verification_set": "reference.verification", "write_rating_sheet": "reference.sheet",
    "study_reference": "study.reference",
    "ask_rubric": "rubric.ask", "show_rubric": "rubric.show",
    "pairs_from_ratings": "simulate.pairs", "retrieve": "simulate.retrieve",
    "scrub": "simulate.scrub", "select_preferences": "simulate.select",
    "simulate_candidates": "simulate.candidates", "simulate_dialogues": "simulate.dialogues",
    "simulate_preferences": "simulate.preferences", "simulate_topics": "simulate.topics",
    "unscrub": "simulate.unscrub",
    "measure_injections": "study.injections", "jury_study": "study.juries",
    "export_ratings": "web.export", "web": "web.serve",
    "check_gate": "gate", "compare_versions": "compare",
    "load_calibrator": "calibrate.load_calibrator", "load_evaluator": "evaluator.load_evaluator",
    "Audit": "agreement.Audit", "CloserToGold": "agreement.CloserToGold",
    "OverTime": "versions.OverTime", "Regressions": "versions.Regressions",
    "Adapt": "scoring.Adapt", "Scale": "scoring.Scale", "Adaptive": "rubric.Adaptive",
    "cache_info": "models.cache_info", "clear_cache": "models.clear_cache",
    # for builders, and what goes when its room is rebuilt
    "open_writer": "formats.open_writer", "list_judges": "judging.list_judges",
    "smoke_set": "versions.smoke", "iter_score": "scoring.iter_score",
    "summarise_scores": "pages.summarise_scores",
}  # fmt: skip
RENAMED = {  # what stood in the way of a verb's name
    ("dialogue_acts.tagging", "train"): "fit_tagger",
    ("calibration.groups.audit", "audit"): "audit_groups",
    ("calibration.study.importance", "importance"): "measure_importance",
    ("criteria.selecting", "select"): "choose_criteria",
    ("criteria.watching.watching", "watch"): "watch_periods",
    ("evaluator.adapting.adapting", "adapt"): "adapt_heads",
    ("reference.data.cut", "cut"): "cut_turns",
    ("reference.metrics.explained", "explain"): "explain_score",
    ("versions.gate", "gate"): "check_limits",
}
TEXT = {".py", ".pyi", ".md", ".toml", ".yml", ".yaml", ".json", ".jinja", ".html", ".txt", ".js"}
UNTOUCHED = (
    "CHANGELOG.md",
    "scripts/ledger.py",
    "golden/changed.txt",
    "golden/dropped.txt",
    "scripts/move.py",
)
BELOW = {"tests/test_names_in_files.py": "src/assize/", "tests/conftest.py": "tests/"}


def new_module(old: str) -> str:
    """Return a module's new dotted name, both without the leading `assize.`."""
    head = old
    while head not in MODULES and "." in head:
        head = head.rpartition(".")[0]
    new = MODULES.get(head, head) + old[len(head) :]
    if old in BASE:
        new = f"base.{old}"
    parts = new.split(".")
    if parts[0] in NAMESPACES and len(parts) > 1:
        parts[1] = f"_{parts[1]}"
    return ".".join(parts)


def dotted(path: Path, root: Path) -> str:
    """Return the dotted name of a module's file below a root."""
    parts = path.relative_to(root).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


class Tree:
    """The package as it was before the move.

    Args:
        modules: every module by its dotted name, without `assize.`.
        exports: by package, each name that it gives on: the module that defines it.
    """

    def __init__(self) -> None:
        self.modules = {dotted(path, SRC): path for path in sorted(SRC.rglob("*.py"))}
        self.exports: dict[str, dict[str, str]] = {}
        for name, path in self.modules.items():
            if path.stem == "__init__":
                stub = path.with_suffix(".pyi")
                self.exports[name] = dict(exports_of(stub if stub.exists() else path))

    def home(self, module: str, name: str) -> str:
        """Return the module in which a name that `module` gives is defined."""
        while (there := self.exports.get(module, {}).get(name)) and there != module:
            module = there
        return module


def exports_of(path: Path) -> Iterator[tuple[str, str]]:
    """Yield name and home of what an `__init__` imports from this package."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("assize."):
            for alias in node.names:
                yield alias.asname or alias.name, str(node.module)[len("assize.") :]


def files(folder: str) -> list[Path]:
    """Return the tracked files below a folder."""
    listed = subprocess.run(  # noqa: S603
        ["git",  # noqa: S607
          "ls-files", "-co", "--exclude-standard", folder],
        cwd=ROOT, check=True, capture_output=True, text=True,
    )  # fmt: skip
    return [ROOT / line for line in listed.stdout.splitlines() if (ROOT / line).is_file()]


def source_moves(tree: Tree) -> dict[str, str | None]:
    """Return where each file of the package goes, from the root; None for one that goes."""
    moves: dict[str, str | None] = {}
    for path in files("src/assize"):
        old = path.relative_to(SRC)
        if path.suffix == ".py" and path.stem != "__init__":
            new = new_module(dotted(path, SRC)).replace(".", "/") + ".py"
        elif old.parts[0] == "workflows":
            moves[f"src/assize/{old}"] = None
            continue
        else:
            new = f"{new_folder(old.parent, tree)}/{old.name}".removeprefix("./")
        if str(old) != new:
            moves[f"src/assize/{old}"] = f"src/assize/{new}"
    return moves


def new_folder(folder: Path, tree: Tree) -> Path:
    """Return where a folder of the package, of code or of data, goes."""
    package = folder
    while str(package) != "." and ".".join(package.parts) not in tree.modules:
        package = package.parent
    if str(package) == ".":
        return folder
    return Path(*new_module(".".join(package.parts)).split(".")) / folder.relative_to(package)


def test_moves(tree: Tree) -> dict[str, str | None]:
    """Return where each test goes: beside no underscores, the tree of tests is that of the code."""
    moves: dict[str, str | None] = {}
    for path in files("tests"):
        old = path.relative_to(ROOT / "tests")
        module = ".".join((*old.parent.parts, old.stem.removeprefix("test_")))
        if path.name == "conftest.py" and old.parts[0] == "workflows":
            moves[f"tests/{old}"] = None
            continue
        if path.stem.startswith("test_") and module in tree.modules:
            *parents, name = (part.lstrip("_") for part in new_module(module).split("."))
            new = Path(*parents, f"test_{name}.py")
        else:
            new = test_folder(old.parent, tree) / old.name
        if old != new:
            moves[f"tests/{old}"] = f"tests/{new}"
    return moves


def test_folder(folder: Path, tree: Tree) -> Path:
    """Return where a folder of tests goes."""
    new = new_folder(folder, tree)
    return Path("doors") if str(new) == "workflows" else Path(*(p.lstrip("_") for p in new.parts))


class Rewriter:
    """Rewrites one text after another: imports, names, dotted names, paths."""

    def __init__(self, tree: Tree, moves: dict[str, str | None]) -> None:
        self.tree = tree
        self.paths = {old: new for old, new in moves.items() if new}
        self.verb_home = {name: tree.home("", name) for name in VERBS}
        self.tests = {
            old.removesuffix(".py").replace("/", "."): new.removesuffix(".py").replace("/", ".")
            for old, new in self.paths.items()
            if old.startswith("tests/") and old.endswith(".py")
        }
        self.folders: dict[str, str] = {}
        for path in files("src/assize"):
            old = path.relative_to(SRC).parent
            if str(old) not in (".", "workflows"):
                new = new_folder(old, tree)
                self.folders[f"src/assize/{old}"] = f"src/assize/{new}"
        for path in files("tests"):
            old = path.relative_to(ROOT / "tests").parent
            new = test_folder(old, tree)
            self.folders[f"tests/{old}"] = f"tests/{new}"
            self.tests[".".join(("tests", *old.parts))] = ".".join(("tests", *new.parts))
        self.promised = promised(tree)

    def verb(self, module: str, name: str) -> str | None:
        """Return where the verb that a module gives by a name is promised, if it is a verb."""
        home = self.tree.home(module, name)
        return VERBS[name] if name in VERBS and self.verb_home[name] == home else None

    def python(self, text: str, here: str | None) -> str:
        """Return a module with its imports and the verbs in it renamed.

        Args:
            here: the module's old dotted name, None outside the package.
        """
        nodes = [
            node
            for node in ast.walk(ast.parse(text))
            if isinstance(node, ast.ImportFrom) and (f"{node.module}.").startswith("assize.")
        ]
        words = bare_names(text)
        renames: dict[str, str] = {}
        if here is not None:
            for name, home in self.verb_home.items():
                if home == here and name in words:
                    renames[name] = VERBS[name].rpartition(".")[2]
        renames |= {name: new for (home, name), new in RENAMED.items() if home == here}
        self.aliases: dict[str, str] = {}
        lines = text.splitlines()
        for node in sorted(nodes, key=lambda one: -one.lineno):
            indent = " " * node.col_offset
            made = sorted(self.imports(node, here, words, renames))
            lines[node.lineno - 1 : node.end_lineno] = [indent + line for line in made]
        text = rename("\n".join(lines) + "\n", renames)
        for alias, module in self.aliases.items():
            verbs = {
                name: VERBS[name].rpartition(".")[2]
                for name in VERBS
                if self.verb_home[name] == module
            }
            lower = {name: new for (home, name), new in RENAMED.items() if home == module}
            for old, new in {**verbs, **lower}.items():
                text = re.sub(rf"(?<![\w.]){alias}\.{old}\b", f"{alias}.{new}", text)
        return text

    def imports(
        self, node: ast.ImportFrom, here: str | None, words: set[str], renames: dict[str, str]
    ) -> set[str]:
        """Return the statements that take the place of one import."""
        module = str(node.module).removeprefix("assize").lstrip(".")
        made = set()
        for alias in node.names:
            old, shown = alias.name, alias.asname or alias.name
            inner = f"{module}.{old}".lstrip(".")
            if inner in self.tree.modules and not self.tree.exports.get(module, {}).get(old):
                parent, _, name = new_module(inner).rpartition(".")
                made.add(statement(f"assize.{parent}".rstrip("."), name, shown))
                self.aliases[shown] = inner
                continue
            target = self.verb(module, old)
            if (new := RENAMED.get((self.tree.home(module, old), old))) is not None:
                home = new_module(self.tree.home(module, old))
                made.add(statement(f"assize.{home}", new, alias.asname or new))
                renames |= {} if alias.asname else {old: new}
            elif target is None:
                made.add(statement(self.giver(module, old, here), old, shown))
            if target is None:
                continue
            package, _, name = target.rpartition(".")
            home = new_module(self.verb_home[old])
            if old[0].isupper():
                made.add(
                    statement(
                        f"assize.{home}" if self.own(here, package) else f"assize.{package}",
                        old,
                        shown,
                    )
                )
                continue
            if name == old and package and not self.own(here, package):
                made.add(statement(f"assize.{package}", old, shown))
                continue
            inside = self.own(here, home.split(".")[0])
            if inside or alias.asname or not (here or "cli").startswith("cli"):
                free = alias.asname is None and name not in words
                made.add(statement(f"assize.{home}", name, name if free else shown))
                if free:
                    renames[old] = name
            elif (package or name) not in words - {old}:
                made.add(statement("assize", package or name, package or name))
                renames[old] = target
            else:
                made.add("import assize")
                renames[old] = f"assize.{target}"
        return made

    def own(self, here: str | None, package: str) -> bool:
        """Return whether a module, by its old name, stands in a package, by its new one."""
        return here is not None and new_module(here).split(".")[0] == package

    def giver(self, module: str, name: str, here: str | None) -> str:
        """Return the new dotted name of the module from which a name is imported."""
        home = self.tree.home(module, name)
        package = new_module(module) if module else ""
        own = self.own(here, package)
        if package in self.promised:
            given = self.promised[package].get(name) == new_module(home) and not own
            return f"assize.{package}" if given else f"assize.{new_module(home)}"
        if module == "" and name in VERBS:
            return f"assize.{new_module(home)}"
        return f"assize.{package}".rstrip(".")

    def text(self, text: str, name: str) -> str:
        """Return a text with dotted names and paths rewritten."""
        for word in ("assize", *re.findall(r"^import assize as (\w+)$", text, re.M)):
            pattern = rf"(?<![\w.]){word}((?:\.\w+)+)(\(?)"
            text = re.sub(pattern, partial(self._named, word), text)
        text = re.sub(r"\btests((?:\.\w+)+)", self._test, text)
        roots: tuple[str, ...] = ("",)
        if name.endswith((".md", ".toml")):
            roots = ("", "src/assize/")
        elif name in BELOW:
            roots = ("", BELOW[name])
        anywhere = r"(?<![\w./-])(?:[\w-]+/)+[\w.-]*"
        rooted = r"(?:src|tests)/(?:[\w-]+/)*[\w.-]*"
        return re.sub(
            anywhere if len(roots) > 1 else rooted,
            lambda match: self._path(match[0], roots),
            text,
        )

    def _named(self, word: str, match: re.Match[str]) -> str:
        """Return a dotted name rewritten, the package under the name that it has there."""
        return re.sub(r"^assize\b", word, self._dotted(match))

    def _dotted(self, match: re.Match[str]) -> str:
        parts, call = match[1][1:].split("."), match[2]
        first = parts[0]
        if ".".join(parts[:2]) in VERBS.values() and (call or parts[2:] == ["plan"]):
            return match[0]
        called = len(parts) == 1 and bool(call)
        if first in VERBS and (called or first not in (*self.tree.modules, "acts", "web")):
            return ".".join(["assize", VERBS[first], *parts[1:]]) + call
        for size in range(len(parts), 0, -1):
            module = ".".join(parts[:size])
            if module not in self.tree.modules:
                continue
            rest = parts[size:]
            if rest and (target := self.verb(module, rest[0])):
                home = new_module(self.verb_home[rest[0]])
                rest[0] = target.rpartition(".")[2]
                return ".".join(["assize", home, *rest]) + call
            if rest and rest[0] in self.tree.exports.get(module, {}):
                giver = self.giver(module, rest[0], None)
                return ".".join([giver, *rest]) + call
            return ".".join(["assize", new_module(module), *rest]) + call
        return match[0]

    def _test(self, match: re.Match[str]) -> str:
        parts = match[0].split(".")
        for size in range(len(parts), 1, -1):
            if (new := self.tests.get(".".join(parts[:size]))) is not None:
                return ".".join([new, *parts[size:]])
        return match[0]

    def _path(self, written: str, roots: tuple[str, ...]) -> str:
        for prefix in roots:
            if (new := self.paths.get(prefix + written)) is not None:
                return new.removeprefix(prefix)
        folder = written.rstrip("/")
        for prefix in roots:
            if (new := self.folders.get(prefix + folder)) is not None:
                return new.removeprefix(prefix) + "/" * written.endswith("/")
        return written


def deeper(text: str, by: int) -> str:
    """Return a module that looks for its neighbours from a folder so many levels deeper."""
    text = re.sub(
        r"Path\(__file__\)\.parents\[(\d)\]",
        lambda match: f"Path(__file__).parents[{int(match[1]) + by}]",
        text,
    )
    if by == 0:
        return text

    def climbed(match: re.Match[str]) -> str:
        return f"Path(__file__).parents[{match[1].count('.parent') - 1 + by}]"

    return re.sub(r"Path\(__file__\)((?:\.parent\b)+)", climbed, text)


def statement(module: str, name: str, shown: str) -> str:
    """Return an import of a name, shown as another where that differs."""
    return f"from {module} import {name}" + (f" as {shown}" if shown != name else "")


def bare_names(text: str) -> set[str]:
    """Return the names of a module that are no attributes, those it imports left out."""
    names, before, importing = set(), "", False
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.NAME:
            if token.string in ("import", "from") and before in ("", "\n"):
                importing = True
            if not importing and before != ".":
                names.add(token.string)
        if token.type == tokenize.NEWLINE:
            importing = False
        if token.string.strip() or token.type in (tokenize.NEWLINE, tokenize.NL):
            before = "\n" if token.type in (tokenize.NEWLINE, tokenize.NL) else token.string
    return names


def rename(text: str, renames: dict[str, str]) -> str:
    """Return a module with bare names renamed; keywords of calls stay."""
    if not renames:
        return text
    tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    lines, depth, edits, importing = text.splitlines(keepends=True), 0, [], False
    for index, token in enumerate(tokens):
        if token.string in ("from", "import") and token.type == tokenize.NAME:
            importing = True
        if token.type == tokenize.NEWLINE:
            importing = False
        depth += (token.string in "([{" and token.type == tokenize.OP) - (
            token.string in ")]}" and token.type == tokenize.OP
        )
        if token.type != tokenize.NAME or token.string not in renames or importing:
            continue
        if tokens[index - 1].string == "." or (depth and tokens[index + 1].string == "="):
            continue
        edits.append((token.start, token.end, renames[token.string]))
    for (row, start), (_, end), new in reversed(edits):
        line = lines[row - 1]
        lines[row - 1] = line[:start] + new + line[end:]
    return "".join(lines)


def promised(tree: Tree) -> dict[str, dict[str, str]]:
    """Return by package each name that its stub promises, and the module that defines it."""
    kept: dict[str, dict[str, tuple[str, ...] | None]] = {  # old packages; None for all names
        "acts": {"dialogue_acts": None},
        "agreement": {"agreement": ("AgreeOptions", "Agreement", "measure_agreement")},
        "calibrate": {
            "calibration": (
                "Beside", "Default", "Private", "Published", "RaterRoles", "Routing",
                "cross_fitted_errors", "features_of", "fit_default", "forms_of", "load_routing",
                "trl_reward",
            )
        },
        "criteria": {"criteria": None},
        "evaluator": {"evaluator": ("Evaluator", "FromLabel", "FromRatings", "FromVotes")},
        "juries": {
            "juries": tuple({*tree.exports["juries"]} - {"cascade", "decide", "panel"}),
        },
        "reference": {"reference.ensemble": None},
        "rubric": {"rubric": None},
        "simulate": {"simulation": None},
        "stats": {"stats": None},
        "study": {
            "studies": None,
            "calibration.study": ("StudyTables",),
            "evaluator.study": ("Gold", "Juries"),
            "reference.study": ("Ensembles",),
        },
    }  # fmt: skip
    names: dict[str, dict[str, str]] = {package: {} for package in (*NAMESPACES, *kept)}
    for package, sources in kept.items():
        for old, chosen in sources.items():
            for name, home in tree.exports[old].items():
                if chosen is None or name in chosen:
                    names[package][name] = new_module(tree.home(home, name))
    for old in tree.exports:
        if "." not in old and old and (SRC / old / "__init__.pyi").exists():
            names[new_module(old)] = {
                name: new_module(home) for name, home in tree.exports[old].items()
            }
    for name, target in VERBS.items():
        package, _, new = target.rpartition(".")
        if package:
            names.setdefault(package, {})[new] = new_module(tree.home("", name))
    return names


TOP = '''"""assize: judge multi-turn conversations, and know how far to trust the judgment.

What is promised is listed in the stub beside this file, and imported when it is first used, so
that `import assize` stays fast.
"""

from assize.base.version import __version__ as __version__
'''
STUB_END = "\n__all__: list[str]\n"
LAZY = (
    "from assize.base.lazy import promised_names\n\n"
    "__getattr__, __dir__, __all__ = promised_names(__name__, __file__)\n"
)


def write_stubs(tree: Tree, names: dict[str, dict[str, str]]) -> None:
    """Write the stub of each namespace and of the top, and the lines that read it."""
    for package in names:
        folder = SRC / package
        made = folder / "__init__.py"
        text = made.read_text(encoding="utf8") if made.exists() else f'"""TODO {package}."""\n'
        first = ast.parse(text).body[0]
        docstring = "\n".join(text.splitlines()[: first.end_lineno])
        made.write_text(f"{docstring}\n\n{LAZY}", encoding="utf8")
        listed = sorted(
            f"from assize.{home} import {name} as {name}" for name, home in names[package].items()
        )
        made.with_suffix(".pyi").write_text("\n".join([*listed, STUB_END]), encoding="utf8")
    top = []
    for name, home in tree.exports[""].items():
        target = VERBS.get(name, name)
        if "." not in target:
            top.append(
                f"from assize.{new_module(tree.home(home, name))} import {target} as {target}"
            )
    top += [
        "from assize.results.result import Result as Result",
        "from assize.results.types import Estimate as Estimate",
        "from assize.results.types import Share as Share",
    ]
    top += [f"from assize import {package} as {package}" for package in (*NAMESPACES, *BUILDERS)]
    (SRC / "__init__.pyi").write_text("\n".join([*sorted(set(top)), STUB_END]), encoding="utf8")
    (SRC / "__init__.py").write_text(TOP + LAZY, encoding="utf8")


def main() -> None:
    """Move every file, rewrite every text, write the stubs."""
    tree = Tree()
    moves = {**source_moves(tree), **test_moves(tree)}
    targets = [new for new in moves.values() if new]
    clashes = {new for new in targets if targets.count(new) > 1}
    clashes |= {new for new in targets if (ROOT / new).exists() and new not in moves}
    if clashes:
        sys.exit(f"two files go to one place: {sorted(clashes)}")
    rewriter = Rewriter(tree, moves)
    texts: dict[str, str] = {}
    for path in files("."):
        name = path.relative_to(ROOT).as_posix()
        if path.suffix not in TEXT and path.name not in ("Makefile", "Dockerfile"):
            continue
        if name in UNTOUCHED:
            continue
        try:
            text = path.read_text(encoding="utf8")
        except UnicodeDecodeError:
            continue
        new = text
        if path.suffix == ".py":
            here = dotted(path, SRC) if name.startswith("src/assize/") else None
            if "assize" in text or here is not None:
                new = rewriter.python(text, here)
        depth = (moves.get(name) or name).count("/") - name.count("/")
        texts[name] = rewriter.text(deeper(new, depth), name)
    for name, text in texts.items():
        if text != (ROOT / name).read_text(encoding="utf8"):
            (ROOT / name).write_text(text, encoding="utf8")
    for old, target in moves.items():
        if target is None:
            (ROOT / old).unlink()
            continue
        (ROOT / target).parent.mkdir(parents=True, exist_ok=True)
        (ROOT / old).rename(ROOT / target)
    write_stubs(tree, rewriter.promised)


if __name__ == "__main__":
    main()
