"""Who looks, and what they posted: the first lines of every route.

@router.post("/t/{task}/leave")
async def leave(request: Request, task: str, viewer: Rater) -> Response:
    form = await posted(request, viewer)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from secrets import compare_digest
from typing import Annotated, TypeVar
from urllib.parse import parse_qs

from fastapi import Depends, Request

from assize.web._accounts.sessions import cookie_name, local_viewer, renew_session, viewer_of
from assize.web._accounts.viewer import Viewer
from assize.web._web import Web, web_of

T = TypeVar("T")

FIELDS = 5_000  # in one form


class SignInNeeded(Exception):
    """Nobody is signed in; the page of a rater or a lead was asked for."""


class NotFound(Exception):
    """There is no such thing, or not for who asks: both look the same."""


def there(thing: T | None) -> T:
    """Return what was looked up; raise `NotFound` where there is nothing."""
    if thing is None:
        raise NotFound
    return thing


class Refused(Exception):
    """A form that cannot be taken; the text says why and what to do."""


@dataclass(frozen=True, slots=True)
class Posted:
    """What a form sent: by name all its values."""

    values: Mapping[str, Sequence[str]]

    def one(self, name: str, default: str = "") -> str:
        """The last value of a name."""
        found = self.values.get(name)
        return found[-1] if found else default


async def anyone(request: Request) -> Viewer | None:
    """Who is signed in; None where nobody is."""
    web = web_of(request)
    if web.open:
        return await web.store.read(local_viewer, web.csrf)
    token = request.cookies.get(cookie_name(web.secure))
    if token is None:
        return None
    found = web.store.read_now(viewer_of, token, web.clock())
    if found is not None and found.renew:
        await web.store.write(renew_session, token, web.clock())
    return found


Anyone = Annotated[Viewer | None, Depends(anyone)]


async def _rater(viewer: Anyone) -> Viewer:
    if viewer is None:
        raise SignInNeeded
    return viewer


Rater = Annotated[Viewer, Depends(_rater)]


async def _admin(viewer: Rater) -> Viewer:
    if not viewer.is_admin:
        raise NotFound
    return viewer


Admin = Annotated[Viewer, Depends(_admin)]
Site = Annotated[Web, Depends(web_of)]


async def posted(request: Request, viewer: Viewer | None) -> Posted:
    """The fields of a form, whose token must be that of the viewer's session.

    The token stands in the field `csrf` or the header `X-CSRF-Token`. A form of somebody who is
    not signed in has none: it changes nothing that is theirs, and comes from this site.

    Raises:
        Refused: the token is missing or another's, or it is no form.
    """
    body = await request.body()
    try:
        values = parse_qs(
            body.decode("utf-8"), keep_blank_values=True, max_num_fields=FIELDS, errors="strict"
        )
    except ValueError as error:
        raise Refused("This is no form that can be read.") from error
    sent = request.headers.get("x-csrf-token") or values.pop("csrf", [""])[-1]
    if viewer is not None and not compare_digest(sent.encode(), viewer.csrf.encode()):
        raise Refused("This form is from an earlier session. Go back, reload the page, send again.")
    return Posted(values)


async def checked_form(request: Request, viewer: Anyone) -> Posted:
    """Return the fields of a form whose token was checked, for a route to depend on."""
    return await posted(request, viewer)


Form = Annotated[Posted, Depends(checked_form)]
