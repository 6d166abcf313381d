"""The blocks of code of a page, and whether what they print is what the page shows.

A page's blocks, as the tests see them:

- ```` ```python ```` blocks share one namespace; a ```` ```text ```` fence right after one is what
  it prints.
- ```` ```sh ```` and ```` ```bash ```` blocks hold one command a line.
- ```` ```console ```` blocks hold commands after `$ ` and, below each, what it prints.
- A block of any language after "Save this as `NAME`" is a file that the later blocks find.
- `<!-- not run: REASON -->` on a line before a block says why it cannot run here.
- `<!-- exits with N -->` says that the block's last command ends with that code.
- `<!-- runs first -->` on a line before a block that makes the files of a page's other blocks: a
  page opens with what it is about, and its files come last.
"""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
WRITTEN_BY_SCRIPT = "commands"  # its command lines are patterns and examples of the help texts
SHELL = ("sh", "bash", "console")
_DOCS = ROOT / "docs"
PAGES = {  # by their names in docs, without the suffix: `gate`, `guides/ci-gate`
    "README": ROOT / "README.md",
    **{
        path.relative_to(_DOCS).with_suffix("").as_posix(): path
        for path in (*sorted(_DOCS.glob("*.md")), *sorted(_DOCS.glob("guides/*.md")))
        if path.stem != WRITTEN_BY_SCRIPT
    },
}
_BLOCK = re.compile(r"^```(?P<kind>[a-z]*)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
_NOT_RUN = re.compile(r"<!-- not run: (.+?) -->\s*$")
_EXIT = re.compile(r"<!-- exits with (\d+) -->\s*$")
_FIRST = re.compile(r"<!-- runs first -->\s*$")
_SAVED = re.compile(
    r"Save this as `([^`]+)`[^`\n]*:\n\n```[a-z]*\n(.*?)^```$", re.MULTILINE | re.DOTALL
)
_INDENTED = re.compile(r"^\n    (?:\$ |assize (?!: )|import |from |pip |make )", re.MULTILINE)
_INLINE = re.compile(r"`(assize [a-z][^`]*)`")


@dataclass(frozen=True, slots=True)
class Block:
    """A block of code that somebody may copy from a page.

    Args:
        kind: python, sh, bash or console.
        line: where it begins.
        shown: what the page says that it prints; None where the page shows nothing.
        not_run: why it cannot run here, None where it does.
        exit_code: of its last command.
    """

    page: str
    kind: str
    line: int
    body: str
    shown: str | None
    not_run: str | None
    exit_code: int = 0

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"

    @property
    def commands(self) -> list[tuple[str, str | None]]:
        """(command line, what it is shown to print) of a block for a shell."""
        if self.kind != "console":
            joined = self.body.replace("\\\n", " ")
            return [(line, None) for line in joined.splitlines() if line.strip()]
        parts = re.split(r"^\$ ", self.body, flags=re.MULTILINE)[1:]
        return [(first, rest) for first, _, rest in (part.partition("\n") for part in parts)]


def blocks(page: str) -> list[Block]:
    """Every block of Python or of commands, in the order in which they run."""
    text = PAGES[page].read_text()
    found: list[Block] = []
    makers: list[Block] = []
    fences = list(_BLOCK.finditer(text))
    for fence, after in zip(fences, [*fences[1:], None], strict=False):
        kind = fence["kind"]
        if kind not in ("python", *SHELL):
            continue
        before = text[: fence.start()]
        said, code = _NOT_RUN.search(before), _EXIT.search(before)
        printed = after is not None and after["kind"] == "text"
        follows = printed and not text[fence.end() : after.start()].strip() if after else False
        (makers if _FIRST.search(before) else found).append(
            Block(
                page,
                kind,
                before.count("\n") + 1,
                fence["body"],
                after["body"] if after is not None and follows else None,
                said[1] if said else None,
                int(code[1]) if code else 0,
            )
        )
    return makers + found


def saved_files(page: str) -> dict[str, str]:
    """The files that a page tells its reader to save."""
    return {found[1]: found[2] for found in _SAVED.finditer(PAGES[page].read_text())}


def without_fence(page: str) -> list[str]:
    """Code that stands indented, or in a fence without a language, where no test finds it."""
    text = PAGES[page].read_text()
    outside = _BLOCK.sub("", text)
    plain = [
        fence["body"]
        for fence in _BLOCK.finditer(text)
        if not fence["kind"] and re.match(r"\$ |assize (?!: )|import |from ", fence["body"])
    ]
    return plain + [found.group().strip() for found in _INDENTED.finditer(outside)]


def assize_lines(page: str) -> Iterator[tuple[str, list[str]]]:
    """(place, words) of every command line of assize in a page's blocks."""
    for block in blocks(page):
        if block.kind in SHELL:
            for line, _ in block.commands:
                for words in simple_commands(line):
                    if Path(words[0]).name == "assize":
                        yield f"{block}: {line.strip()}", words[1:]


def inline_lines(page: str) -> Iterator[tuple[str, list[str]]]:
    """(place, words) of what the running text calls `assize ...`."""
    text = _BLOCK.sub(lambda found: "\n" * found.group().count("\n"), PAGES[page].read_text())
    for found in _INLINE.finditer(text):
        line = text[: found.start()].count("\n") + 1
        words = " ".join(found[1].replace("...", "").split())
        words = words.partition(" > ")[0]
        yield f"{page}:{line}: {found[1]}", shlex.split(re.sub(r"\[|\]", " ", words))[1:]


def simple_commands(line: str) -> list[list[str]]:
    """The words of each command of a line, without comments and redirections.

    >>> simple_commands("cat a.jsonl | assize convert - - > 'b c.jsonl'  # from a pipe")
    [['cat', 'a.jsonl'], ['assize', 'convert', '-', '-']]
    """
    lexer = shlex.shlex(line, posix=True, punctuation_chars="|&;<>")
    lexer.whitespace_split, lexer.commenters = True, "#"
    found: list[list[str]] = [[]]
    words = iter(lexer)
    for word in words:
        if set(word) <= set("<>"):
            next(words, None)  # the file
        elif set(word) <= set("|&;"):
            found.append([])
        else:
            found[-1].append(word)
    return [one for one in found if one]


def differs(shown: str, *printed: str) -> str | None:
    """What is shown, and was not printed; None where one of the outputs is what is shown.

    Blanks, line ends and rules of any length are alike, for a page may break a long line. The word
    `...` stands for anything. A time such as `3.2 s` is any time; a folder of the machine's is left
    out.

    >>> differs("a  b\\n...\\ntook 1.5 s", "a b c took 12 s") is None
    True
    >>> differs("a b", "a c")
    'shown:\\na b\\nprinted:\\na c'
    """
    parts = [re.escape(_normal(part)) for part in re.split(r"(?<!\S)\.\.\.", shown)]
    pattern = re.compile(r"\s*.*\s*".join(parts), re.DOTALL)
    if any(pattern.fullmatch(_normal(one)) for one in printed):
        return None
    return "\n".join(["shown:", shown, "printed:", printed[0]])


def _normal(text: str) -> str:
    timed = re.sub(r"\b\d+(\.\d+)? (s|ms|min)\b", r"0 \2", text)
    timed = re.sub("─+", "─", timed)  # a rule is as long as the answers left out need
    return " ".join(re.sub(r"(?<!\w)/[\w./-]+/(?=[\w.-]+)", "", timed).split())


def counted(found: Sequence[Block]) -> dict[str, int]:
    """How many blocks are not run, by reason."""
    return Counter(block.not_run for block in found if block.not_run is not None)
