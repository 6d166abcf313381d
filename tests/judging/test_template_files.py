"""What a prompt may include: `.jinja` files below its folder; a secret beside it stays unread."""

from __future__ import annotations

from pathlib import Path

import jinja2
import pytest

from assize.base.errors import AssizeError
from assize.judging.prompting import Prompt
from assize.judging.template_files import template_environment, template_loader

SECRET = "TOKEN=correct-horse"
WAYS = ["include", "import", "extends"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of prompts with a secret beside, above, and behind a link."""
    (tmp_path / "outside.jinja").write_text(SECRET)
    place = tmp_path / "prompts"
    (place / "parts").mkdir(parents=True)
    (place / ".env").write_text(SECRET)
    (place / "notes.txt").write_text(SECRET)
    (place / "link.jinja").symlink_to(tmp_path / "outside.jinja")
    (place / "parts" / "polite.jinja").write_text("Be polite.")
    (place / "near.jinja").symlink_to(place / "parts" / "polite.jinja")
    return place


@pytest.mark.parametrize("name", ["parts/polite.jinja", "near.jinja"])
def test_a_template_below_the_folder_is_read(folder: Path, name: str) -> None:
    environment = jinja2.Environment(loader=template_loader([folder]), autoescape=False)
    assert environment.get_template(name).render() == "Be polite."


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", [".env", "notes.txt", "link.jinja", "../outside.jinja"])
def test_nothing_else_stands_in_a_prompt(folder: Path, name: str, way: str) -> None:
    used = f"{{% {way} '{name}' {'as x ' if way == 'import' else ''}%}}"
    blocks = "{% block system %}a{% endblock %}{% block user %}b{% endblock %}"
    (folder / "io.jinja").write_text(used + blocks)
    with pytest.raises(AssizeError) as caught:
        Prompt("io", folder)
    assert SECRET not in str(caught.value)
    assert name in str(caught.value)


def test_an_absolute_path_is_not_read(folder: Path) -> None:
    environment = jinja2.Environment(loader=template_loader([folder]), autoescape=False)
    with pytest.raises(jinja2.TemplateError, match="may not be included"):
        environment.get_template(str(folder.parent / "outside.jinja"))


@pytest.mark.parametrize("body", ["{{ 'a' * 10**9 }}", "{{ 9**9**9 }}", "{{ [1] * n }}"])
def test_a_prompt_cannot_ask_for_gigabytes(body: str) -> None:
    template = template_environment(jinja2.DictLoader({"p": body})).get_template("p")
    with pytest.raises(jinja2.TemplateError, match=r"may not use the operator \*"):
        template.render(n=10**9)
