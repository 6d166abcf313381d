r"""A table as HTML, Markdown and LaTeX; texts are escaped, whatever they hold."""

from __future__ import annotations

import re
from html import escape

from assize.results.columns import Marked, TableRecord
from assize.results.escape import disarmed, visible

_MARKDOWN = re.compile(r"([\\`*_|~$]|\](?=[(\[:]))")
_LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "|": r"\textbar{}",
    "–": "--",
    "—": "---",
    "<": r"$<$",
    ">": r"$>$",
    "±": r"$\pm$",
    "×": r"$\times$",
    "≤": r"$\le$",
    "≥": r"$\ge$",
    "Δ": r"$\Delta$",
} | {char: "\\" + char for char in "&%$#_{}"}
_LAST_LATIN = "\u017f"  # pdfLaTeX has letters up to here without further packages
_MINUS = re.compile(r"(?<![\w.])-(?=\d)")


def html(table: TableRecord, *, titled: bool = False) -> str:
    """A `<div>` that scrolls, with the caption as its name; the first cell heads its row."""
    unseen = ' class="unseen"' if titled else ""
    columns, rows = table.texts()
    words = [' class="words"' if column.kind == "words" else "" for column in columns]
    words[:1] = [' class="words"']  # as the cells below, which head their rows
    head = [
        f'<th scope="col"{kind}>{_safe(column.name)}</th>'
        for column, kind in zip(columns, words, strict=True)
    ]
    body = []
    for (name, below), *rest in rows:
        group = "words inside" if name.startswith("  ") else "words"
        cells = [f'<th scope="row" class="{group}" dir="auto">{_cell(name, below)}</th>']
        for column, kind, (first, second) in zip(columns[1:], words[1:], rest, strict=True):
            second = f"{second}{column.unit}" if ".." in second else second  # has room for it here
            side = f'{kind} dir="auto"' if kind else ""
            cells.append(f"<td{side}>{_cell(first, second)}</td>")
        body.append(f"<tr>{''.join(cells)}</tr>")
    lines = [
        f'<div class="table" tabindex="0" role="region" aria-label="{_safe(table.title)}"><table>',
        f"<caption{unseen}>{_safe(table.title)}</caption>",
        f"<thead><tr>{''.join(head)}</tr></thead>",
        *("<tbody>", *body, "</tbody></table></div>"),
    ]
    notes = " ".join(table.sentences)
    return "\n".join([*lines, f'<p class="quiet">{_safe(notes)}</p>'] if notes else lines)


def _cell(first: str, second: str) -> str:
    below = f"<small>{_safe(second)}</small>" if second else ""
    if isinstance(first, Marked):
        tag = "b" if first.best else "u"
        return f"<{tag}>{_safe(first)}</{tag}>{below}"
    return _safe(first.lstrip(" ")) + below


def _safe(text: str) -> str:
    return escape(visible(text))


def markdown(table: TableRecord) -> str:
    """Lines of a pipe table, notes below it."""
    columns, rows = table.texts()
    rule = ["---" if column.kind == "words" else "---:" for column in columns]
    cells = [[_line(*cell) for cell in row] for row in rows]
    lines = [[markdown_line(column.name) for column in columns], rule, *cells]
    text = "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"
    return "\n".join([text, *(f"{markdown_line(note)}\n" for note in table.sentences)])


def _line(first: str, second: str) -> str:
    if isinstance(first, Marked):
        tag = "b" if first.best else "u"
        return f"<{tag}>{markdown_line(first)}</{tag}> {markdown_line(second)}".rstrip()
    return markdown_line(" ".join(filter(None, (first, second))))


def markdown_line(text: str) -> str:
    """A text on one line of Markdown that is shown as it stands."""
    line = disarmed(visible(" ".join(text.split())))
    return _MARKDOWN.sub(r"\\\1", escape(line, quote=False))


def latex(table: TableRecord) -> str:
    """A `tabular` to paste; comments hold what it needs, a caption with a label, and the notes.

    Intervals that stand below their figures are a line of small cells of their own.
    """
    columns, rows = table.texts()
    sides = "".join("l" if column.kind == "words" else "r" for column in columns)
    head = _tex_row([_tex(column.name) for column in columns])
    body = []
    for row in rows:
        body.append(_tex_row([_tex_cell(first) for first, _ in row]))
        if any(below for _, below in row):
            body.append(_tex_row([_tex_interval(below) for _, below in row]))
    label = re.sub(r"[^a-z0-9]+", "-", table.title.lower()).strip("-")
    comments = [
        r"Needs \usepackage{booktabs}." + _tex_engine([head, *body]),
        rf"\caption{{{_tex(table.title)}}} \label{{tab:{label}}}",
        *map(_tex, table.sentences),
    ]
    lines = [f"% {comment}" for comment in comments]
    lines += [rf"\begin{{tabular}}{{{sides}}}", r"\toprule", head, r"\midrule", *body]
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"]) + "\n"


def _tex_row(cells: list[str]) -> str:
    row = " & ".join(cells) + r" \\"
    return "{}" + row if row[0] in "[*" else row  # an option of the command before it, to LaTeX


def _tex_cell(text: str) -> str:
    if isinstance(text, Marked):
        return rf"\{'textbf' if text.best else 'underline'}{{{_tex(text)}}}"
    return _tex(text)


def _tex_interval(ends: str) -> str:
    """`0.25..0.75`, or in brackets, as a small interval; nothing for none."""
    text = _tex(ends.strip("[]").replace("..", ", "))
    return rf"{{\scriptsize [{text}]}}" if text else ""


def _tex_engine(lines: list[str]) -> str:
    plain = max("".join(lines)) <= _LAST_LATIN
    return "" if plain else " Has letters for LuaLaTeX or XeLaTeX, with a font that holds them."


def _tex(text: str) -> str:
    line = "".join(_LATEX.get(char, char) for char in visible(" ".join(text.split())))
    return (r"\quad " if text.startswith(" ") else "") + _MINUS.sub("$-$", line)
