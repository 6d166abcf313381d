"""`prompt.jinja@provider:model`: a prompt file of one's own as a judge.

    front matter ──► questions, schema ──┐
    body ──► system and user message ────┴──► Method ──► PromptJudge, as every prompt of ours

The body is a Jinja template, filled in by the sandboxed environment. What it need not say itself
is added to the system message: the role, the questions, the rules for judged text, and the form
of the answer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from traceback import walk_tb
from typing import TYPE_CHECKING, Any

from assize.base.conversation import Continuation, Conversation, Pair
from assize.base.errors import ConfigError, DataError
from assize.base.signature import sign
from assize.formats.yaml_nodes import text_in
from assize.judging.boundary import LAYOUT
from assize.judging.method import Method, Said
from assize.judging.own.front_matter import ALONE, EXPLANATION, Head, read_head, split
from assize.judging.own.shown import check_shown, names_of, shown_values
from assize.judging.prompting import FOLDER, sources_of
from assize.judging.template_files import template_environment, template_loader
from assize.models import Message

if TYPE_CHECKING:
    from jinja2 import Environment, Template

SUFFIX = ".jinja"
TAKES: dict[str, type] = {"conversation": Conversation, "pair": Pair, "continuation": Continuation}

_HELPER = "own.jinja"
_MARK = "\N{REPLACEMENT CHARACTER}boundary\N{REPLACEMENT CHARACTER}"
_SHORT, _LONG, _EACH = 64, 1024, 64  # tokens of an answer: alone, with reasons, and a question


def load_method(written: str) -> Method:
    """The method that a prompt file describes; it is read anew each time.

    Args:
        written: the file's path.

    Raises:
        ConfigError: there is no such file.
        DataError: its front matter or its body is not what it must be; says the line.
    """
    if not Path(written).is_file():
        raise ConfigError(f"there is no prompt file {written!r} (from {Path.cwd()})")
    front, lines, body = split(text_in(written), written)
    head = read_head(front, lines, written)
    fields, questions = head.front, tuple(head.questions.values())
    room = _LONG + _EACH * (len(questions) - 1)
    if len(head.schema["properties"]) == 1 and questions[0].kind != "text":
        room = _SHORT
    return Method(
        name=fields.name,
        about=fields.about or questions[0].text,
        takes=(TAKES[fields.takes],),
        questions=questions,
        prompt=written,
        schema=head.schema,
        read=partial(_read, head),
        choice=ALONE if len(questions) == 1 and questions[0].answers else None,
        max_tokens=room if fields.max_tokens is None else fields.max_tokens,
        given=FilePrompt(written, head, body, front),
    )


def _read(head: Head, value: Mapping[str, Any]) -> Iterator[Said]:
    """An answer a question; reasons stand on the first."""
    explanation = value.get(EXPLANATION)
    for name, one in head.questions.items():
        score = float(value[name]) if one.kind == "number" else None
        answer = None if one.kind == "number" else str(value[name])
        yield Said(one.id, answer, score, explanation)
        explanation = None


class FilePrompt:
    """The prompt in a file, ready to be filled in; see `prompting.Prompt`.

    Args:
        path: named in errors; templates in its folder may be included.
        head: its front matter, checked.
        body: the template.
        front: the front matter as text, for the hash.

    Raises:
        DataError: the body is no template, uses names that there are not, cannot be filled
            in, or does not show what is judged, or shows it outside its boundary.
    """

    def __init__(self, path: str, head: Head, body: str, front: str) -> None:
        self._path, self._head, self._takes = path, head, head.front.takes
        self.version = head.front.version
        # Empty lines in place of the front matter, so that lines count as in the file.
        environment = _environment(path, "\n" * head.lines + body)
        self._template = self._parsed(environment)
        used = self._names_used(environment, "\n" * head.lines + body)
        helper, helper_sources = _helper()
        self._parts = self._shared(helper)
        self._added = [name for name in ("questions", "rules", "answer_format") if name not in used]
        self._role = helper.role(self._takes).strip()
        sources: dict[str, str] = self._guarded(lambda: sources_of(environment, path))
        sources[""] = sources.pop(path)  # the same file elsewhere is the same judge
        self.hash = sign(LAYOUT, front, sorted(sources.items()), sorted(helper_sources.items()))
        check_shown(self._takes, self.messages, self._failed)

    def messages(self, values: Mapping[str, Any]) -> tuple[Message, Message]:
        """The system and the user message."""
        mark = values["boundary"]
        parts = {name: text.replace(_MARK, mark) for name, text in self._parts.items()}
        filled = {**shown_values(values), **parts}
        if "user" in self._template.blocks:
            own = self._filled("system", filled) if "system" in self._template.blocks else ""
            user = self._filled("user", filled)
        else:
            own, user = "", self._filled(None, filled)
        system = [own or self._role, *(parts[name] for name in self._added)]
        return Message("system", "\n\n".join(system)), Message("user", user)

    def _parsed(self, environment: Environment) -> Template:
        template: Template = self._guarded(lambda: environment.get_template(self._path))
        if "system" in template.blocks and "user" not in template.blocks:
            raise self._failed("the body has a block system and no block user")
        return template

    def _names_used(self, environment: Environment, source: str) -> set[str]:
        """The variables that the body uses; refuses those that there are not."""
        from jinja2 import meta, nodes

        tree = environment.parse(source)
        used = meta.find_undeclared_variables(tree)
        allowed = names_of(self._takes)
        for name in tree.find_all(nodes.Name):
            if name.name in used and name.name not in allowed:
                problem = f"received `{name.name}`; a body about a {self._takes} may use"
                raise self._failed(f"{problem} {', '.join(allowed)}", name.lineno)
        return used

    def _shared(self, helper: Any) -> dict[str, str]:
        head = self._head
        reasons = EXPLANATION if EXPLANATION in head.schema["properties"] else ""
        made = {
            "questions": helper.questions(head.questions.values()),
            "rules": helper.rules(self._takes),
            "answer_format": helper.answer_format(head.questions, reasons),
        }
        return {name: text.strip() for name, text in made.items()}

    def _filled(self, block: str | None, values: Mapping[str, Any]) -> str:
        template = self._template

        def fill() -> str:
            context = template.new_context(dict(values))
            root = template.root_render_func if block is None else template.blocks[block]
            try:
                return "".join(root(context)).strip()
            except Exception:
                template.environment.handle_exception()  # a traceback with the template's lines

        filled: str = self._guarded(fill)
        return _on_lines_of_their_own(filled, re.escape(f"[{values['boundary']}]"))

    def _guarded(self, do: Callable[[], Any]) -> Any:
        """What it does, its errors with the place in the file."""
        import jinja2

        try:
            return do()
        except jinja2.TemplateSyntaxError as error:
            where = error.filename or self._path
            raise DataError(
                f"no template: {error.message}", source=where, line=error.lineno
            ) from error
        except jinja2.TemplateNotFound as error:
            raise self._failed(f"there is no template {error.name!r} to include") from error
        except DataError:
            raise
        except Exception as error:  # a template can go wrong in every way that Python can
            source, line = _place(error, self._path)
            raise DataError(
                f"the body cannot be filled in: {error}", source=source, line=line
            ) from error

    def _failed(self, problem: str, line: int | None = None) -> DataError:
        return DataError(problem, source=self._path, line=line or self._head.lines + 1)


def _on_lines_of_their_own(text: str, mark: str) -> str:
    """The lines with the boundary apart from the template's words, with one empty line behind.

    Judged text does not hold the mark, so that it stays as it is.
    """
    text = re.sub(rf"(?<!\n)(?<!\A)({mark} BEGIN )", r"\n\1", text)
    return re.sub(rf"({mark} END [^\n]*\n)\n+", r"\1\n", text)


def _environment(path: str, body: str) -> Environment:
    """The environment in which a body, and what it includes, is a template."""
    import jinja2

    def own(name: str) -> tuple[str, str, Callable[[], bool]] | None:
        return (body, path, lambda: True) if name == path else None

    folders = [Path(path).parent, FOLDER]
    loaders = [jinja2.FunctionLoader(own), template_loader(folders)]
    return template_environment(jinja2.ChoiceLoader(loaders))


def _helper() -> tuple[Any, dict[str, str]]:
    """The macros of `own.jinja`, with a stand-in for the boundary, and their sources."""
    environment = _environment(str(FOLDER / _HELPER), "")
    template = environment.get_template(_HELPER)
    return template.make_module({"boundary": _MARK}), sources_of(environment, _HELPER)


def _place(error: BaseException, path: str) -> tuple[str, int | None]:
    """The last template in a traceback: a file and its line."""
    found: tuple[str, int | None] = (path, None)
    for frame, line in walk_tb(error.__traceback__):
        name = frame.f_code.co_filename
        if name == path or name.endswith(SUFFIX):
            found = (name, line)
    return found
