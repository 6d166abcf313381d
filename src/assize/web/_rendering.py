"""Templates as pages: everything is escaped, whatever a template forgets."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import cache, lru_cache
from importlib.resources import files
from io import StringIO
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from starlette.responses import HTMLResponse, Response

from assize.base.cells import guarded
from assize.base.signature import content_hash
from assize.formats.sampling import first_words
from assize.pages.markdown import markdown, plain, prose
from assize.results.escape import visible
from assize.web._forms.view import FormView, SectionView
from assize.web._tasks.inputs import read_item

if TYPE_CHECKING:
    from assize.web._accounts.viewer import Viewer
    from assize.web._web import Web


@cache
def environment() -> Environment:
    """Jinja with this package's templates and filters."""
    found = Environment(
        loader=PackageLoader("assize.web"),
        autoescape=True,
        auto_reload=False,  # or every page looks at the files of all its templates
        finalize=_final,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.filters |= {
        "markdown": markdown,
        "plain": plain,
        "prose": prose,
        "moment": moment,
        "duration": duration,
        "first_words": lambda record: first_words(read_item(record)),
    }
    found.globals |= {"static": static, "form_html": form_html}
    return found


def _final(value: Any) -> Any:
    """What every `{{ ... }}` passes through, so that no template can forget it."""
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value


@cache
def static(name: str) -> str:
    """The address of a file in `static/`, with its hash, so that browsers may keep it."""
    data = files("assize.web").joinpath("static", name).read_bytes()
    return f"/static/{name}?{content_hash(data, digits=8)}"


def moment(at: float | None) -> Markup:
    """A time in seconds since 1970; `times.js` writes it in the reader's zone.

    >>> moment(0.0), moment(None)
    (Markup('<time datetime="1970-01-01T00:00Z">1970-01-01 00:00 UTC</time>'), Markup(''))
    """
    if at is None:
        return Markup()
    date = f"{datetime.fromtimestamp(at, UTC):%Y-%m-%d %H:%M}"
    element = Markup('<time datetime="{}Z">{} UTC</time>')
    return element.format(date.replace(" ", "T"), date)


def csv_file(name: str, rows: Iterable[Sequence[object]]) -> Response:
    """A table to download, the first row its heading; no spreadsheet runs a cell of it."""
    text = StringIO()
    csv.writer(text).writerows([guarded(str(cell)) for cell in row] for row in rows)
    headers = {"content-disposition": f'attachment; filename="{name}.csv"'}
    return Response(text.getvalue(), media_type="text/csv", headers=headers)


def duration(seconds: float) -> str:
    """A number of seconds as people say it.

    >>> duration(42.4), duration(125), duration(7300)
    ('42 s', '2 min 5 s', '2 h 1 min')
    """
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


def form_html(view: FormView) -> Markup:
    """The questions of a form; most raters see one that was drawn for another item before."""
    if view.placed or view.lists:
        return _questions(view)
    return _kept(view.sections, view.skips, view.form_id, view.problems)


@lru_cache(maxsize=512)
def _kept(sections: tuple[SectionView, ...], skips: str, form_id: str, problems: int) -> Markup:
    return _questions(FormView(sections, skips=skips, form_id=form_id, problems=problems))


def _questions(view: FormView) -> Markup:
    module: Any = environment().get_template("forms/questions.html").module
    return Markup(module.questions(view))  # noqa: S704  (a macro of ours, escaped as all are)


def render(template: str, values: Mapping[str, Any]) -> str:
    """A template of `templates/`."""
    return environment().get_template(template).render(values)


def page(
    web: Web,
    viewer: Viewer | None,
    template: str,
    *,
    status: int = 200,
    headers: Mapping[str, str] | None = None,
    **values: Any,
) -> HTMLResponse:
    """A whole page; templates know `project`, `viewer` and `open` besides what they are given."""
    known = {"project": web.project, "viewer": viewer, "open": web.open, "csrf": csrf_field(viewer)}
    return HTMLResponse(render(template, {**known, **values}), status, headers)


def csrf_field(viewer: Viewer | None) -> Callable[[], Markup]:
    """What every form begins with: the token of the viewer's session."""
    made = Markup('<input type="hidden" name="csrf" value="{}">')
    return lambda: made.format(viewer.csrf) if viewer is not None else Markup()
