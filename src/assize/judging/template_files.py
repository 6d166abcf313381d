"""Which files a prompt may include: `.jinja` files below its own folder, and nothing else.

A prompt file may come from anybody, and what it includes is sent to a model and printed: neither
`.env` beside it nor what a link leads to may stand in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jinja2 import BaseLoader
    from jinja2.sandbox import SandboxedEnvironment

SUFFIX = ".jinja"


def template_environment(loader: BaseLoader) -> SandboxedEnvironment:
    """Return the environment in which prompts are filled in: sandboxed, and strict about names.

    A template multiplies nothing: a line of its file could ask for gigabytes, already when it is
    compiled.
    """
    import jinja2
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    class Environment(ImmutableSandboxedEnvironment):
        intercepted_binops = frozenset({"*", "**"})

        def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
            raise jinja2.TemplateError(f"a prompt may not use the operator {operator}")

    return Environment(
        loader=loader,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=False,
        auto_reload=False,
    )


def template_loader(folders: Sequence[Path]) -> BaseLoader:
    """Return a loader of the templates below some folders, the first that has a name.

    Raises (when a template is loaded):
        TemplateNotFound: no folder has it.
        TemplateError: it is no `.jinja` file, or does not lie below its folder.
    """
    import jinja2

    def load(name: str) -> tuple[str, str, Any] | None:
        for folder in folders:
            path = folder / name
            if path.is_file():
                if path.suffix != SUFFIX or not path.resolve().is_relative_to(folder.resolve()):
                    problem = f"{name!r} may not be included; only {SUFFIX} files below {folder}"
                    raise jinja2.TemplateError(problem)
                return path.read_text(encoding="utf8"), str(path), lambda: True
        return None

    return jinja2.FunctionLoader(load)
