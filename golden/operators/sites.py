"""Find the operators, numbers and names of calculations in a file, and what each may become."""

from __future__ import annotations

import ast
import io
import tokenize
from bisect import bisect_left, bisect_right
from dataclasses import dataclass

COMPARISONS: dict[type[ast.cmpop], tuple[str, ...]] = {
    ast.Lt: ("<", "<=", ">"),
    ast.LtE: ("<=", "<", ">="),
    ast.Gt: (">", ">=", "<"),
    ast.GtE: (">=", ">", "<="),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.In: ("in", "not in"),
    ast.Is: ("is", "is not"),
}
NEGATIONS: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.NotIn: ("not in", "in"),
    ast.IsNot: ("is not", "is"),
}
ARITHMETIC: dict[type[ast.operator], tuple[str, ...]] = {
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "/"),
    ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "/"),
    ast.Mod: ("%", "*"),
    ast.Pow: ("**", "*"),
    ast.BitAnd: ("&", "|"),
    ast.BitOr: ("|", "&"),
    ast.BitXor: ("^", "&"),
}
PAIRS = (
    ("min", "max"),
    ("minimum", "maximum"),
    ("nanmin", "nanmax"),
    ("argmin", "argmax"),
    ("any", "all"),
    ("floor", "ceil"),
    ("zeros", "ones"),
    ("zeros_like", "ones_like"),
    ("log", "exp"),
    ("mean", "sum"),
)
BUILTINS = ("min", "max", "any", "all")  # what a name without a dot may be exchanged for
NAMES = {old: new for pair in PAIRS for old, new in (pair, pair[::-1])}
SIDES = {"left": "right", "right": "left"}
AXES = ("axis", "dim")
# Calls and keywords of which the arguments are types, messages or the look of something.
NO_CALCULATION = {"isinstance", "cast", "warn", "warning", "TypeVar", "Literal"}
NO_QUANTITY = {
    "strict",
    "indent",
    "ensure_ascii",
    "copy",
    "stacklevel",
    "maxsize",
    "help",
    "repr",
    "compare",
    "init",
}


@dataclass(frozen=True)
class Mutant:
    """A change of one place: `old` at `start` of the file's text, and what stands there instead."""

    file: str
    start: int
    old: str
    new: str
    line: int
    column: int
    lines: tuple[int, int]  # the statement's first and last, of a compound one its head's
    function: bool  # in a function's body, not at the level of a module or class, nor a default

    def mutate(self, source: str) -> str:
        """Return the text with the change; every other character stays."""
        return source[: self.start] + self.new + source[self.start + len(self.old) :]

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column} {self.old!r} -> {self.new!r}"


class Sites(ast.NodeVisitor):
    """Collect the mutants of a file."""

    def __init__(self, file: str, source: str) -> None:
        self.file = file
        self.source = source
        self.rows = source.splitlines(keepends=True)
        self.starts = [0]
        for row in self.rows:
            self.starts.append(self.starts[-1] + len(row))
        tokens = tokenize.generate_tokens(io.StringIO(source).readline)
        self.tokens = [
            (self.starts[token.start[0] - 1] + token.start[1], token.string) for token in tokens
        ]
        self.mutants: list[Mutant] = []
        self.lines = (1, 1)
        self.function = False

    def start(self, node: ast.expr) -> int:
        """Return where a node begins; `ast` counts columns in bytes."""
        row = self.rows[node.lineno - 1].encode()
        return self.starts[node.lineno - 1] + len(row[: node.col_offset].decode())

    def end(self, node: ast.expr) -> int:
        """Return where a node ends."""
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        row = self.rows[node.end_lineno - 1].encode()
        return self.starts[node.end_lineno - 1] + len(row[: node.end_col_offset].decode())

    def add(self, start: int, old: str, *new: str) -> None:
        """Collect one mutant for each text that `old` may become."""
        line = bisect_right(self.starts, start)
        for text in new:
            column = start - self.starts[line - 1] + 1
            self.mutants.append(
                Mutant(self.file, start, old, text, line, column, self.lines, self.function)
            )

    def add_operator(self, after: int, before: int, old: str, *new: str) -> None:
        """Collect the mutants of the operator between two operands."""
        for start, text in self.tokens[bisect_left(self.tokens, (after, "")) :]:
            if start >= before:
                return
            if text == old:
                self.add(start, old, *new)
                return

    def visit(self, node: ast.AST) -> None:
        """Note the statement on the way down."""
        if not isinstance(node, ast.stmt):
            super().visit(node)
            return
        lines = self.lines
        body = getattr(node, "body", None)
        last = body[0].lineno - 1 if body else node.end_lineno or node.lineno
        self.lines = (node.lineno, max(last, node.lineno))
        super().visit(node)
        self.lines = lines

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        """Visit defaults and body: neither decorators nor annotations."""
        outer = self.function
        for default in [*node.args.defaults, *node.args.kw_defaults]:
            if default is not None:
                self.visit(default)
        self.function = True
        for statement in node.body:
            self.visit(statement)
        self.function = outer

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        """As of any function."""
        self.visit_FunctionDef(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        """Visit the body: neither bases nor decorators."""
        for statement in node.body:
            self.visit(statement)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        """Visit the value, not the annotation."""
        if node.value is not None:
            self.visit(node.value)

    def visit_Raise(self, node: ast.Raise) -> None:
        """Leave errors and their texts alone."""

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """Leave texts alone."""

    def visit_If(self, node: ast.If) -> None:
        """Leave imports for the type checker alone."""
        if not (isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"):
            self.generic_visit(node)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        """Leave `Literal[0, 1]` alone."""
        if called_name(node.value) not in NO_CALCULATION:
            self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        """Exchange a function for its counterpart, as min and max."""
        name = called_name(node.func)
        if name in NO_CALCULATION:
            return
        if name in NAMES and (isinstance(node.func, ast.Attribute) or name in BUILTINS):
            self.add(self.end(node.func) - len(name), name, NAMES[name])
        self.generic_visit(node)

    def visit_keyword(self, node: ast.keyword) -> None:
        """Exchange axes and sides."""
        value = node.value
        if node.arg in NO_QUANTITY:
            return
        if node.arg == "side" and isinstance(value, ast.Constant) and value.value in SIDES:
            self.add(self.start(value) + 1, value.value, SIDES[value.value])
        elif node.arg in AXES:
            old = self.source[self.start(value) : self.end(value)]
            self.add(self.start(value), old, "1" if old == "0" else "0")
        else:
            self.visit(value)

    def visit_Compare(self, node: ast.Compare) -> None:
        """Exchange comparisons."""
        operands = [node.left, *node.comparators]
        for left, operator, right in zip(operands[:-1], node.ops, operands[1:], strict=True):
            if isinstance(operator, ast.NotIn | ast.IsNot):
                old, new = NEGATIONS[type(operator)]
                start = self.source.find(old, self.end(left), self.start(right))
                if start >= 0:
                    self.add(start, old, new)
                continue
            old, *others = COMPARISONS[type(operator)]
            self.add_operator(self.end(left), self.start(right), old, *others)
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        """Exchange each `and` and `or`."""
        old, new = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        for left, right in zip(node.values[:-1], node.values[1:], strict=True):
            self.add_operator(self.end(left), self.start(right), old, new)
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        """Exchange arithmetic, but of texts and types."""
        type_or_text = any(is_text(side) or is_none(side) for side in (node.left, node.right))
        union = isinstance(node.op, ast.BitOr) and not self.function
        if type(node.op) in ARITHMETIC and not type_or_text and not union:
            old, *new = ARITHMETIC[type(node.op)]
            self.add_operator(self.end(node.left), self.start(node.right), old, *new)
        self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        """Exchange arithmetic in place."""
        if type(node.op) in ARITHMETIC and not is_text(node.value):
            old, *new = ARITHMETIC[type(node.op)]
            after, before = self.end(node.target), self.start(node.value)
            self.add_operator(after, before, f"{old}=", *(f"{text}=" for text in new))
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        """Drop a sign or a `not`."""
        old = {ast.Not: "not ", ast.USub: "-", ast.Invert: "~"}.get(type(node.op))
        if old is not None and self.source.startswith(old, self.start(node)):
            self.add(self.start(node), old, "")
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        """Shift a whole number by one, double another, turn a truth value round."""
        value = node.value
        old = self.source[self.start(node) : self.end(node)]
        if isinstance(value, bool):
            self.add(self.start(node), old, str(not value))
        elif isinstance(value, int):
            self.add(self.start(node), old, str(value + 1), str(value - 1))
        elif isinstance(value, float):
            self.add(self.start(node), old, str(2 * value if value else 1.0))


def called_name(node: ast.expr) -> str:
    """Return the last name of a dotted name; empty of any other expression."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def is_text(node: ast.expr) -> bool:
    """Whether a node is a text as it is written."""
    return isinstance(node, ast.JoinedStr) or (
        isinstance(node, ast.Constant) and isinstance(node.value, str | bytes)
    )


def is_none(node: ast.expr) -> bool:
    """Whether a node is `None`, as in a union of types."""
    return isinstance(node, ast.Constant) and node.value is None


def mutants_of(file: str, source: str) -> list[Mutant]:
    """Return every mutant of a file's text, in the order of the text."""
    sites = Sites(file, source)
    sites.visit(ast.parse(source))
    return sorted(sites.mutants, key=lambda mutant: (mutant.start, mutant.new))
