"""`assize web invite`: a link to a new account, or to a new password for somebody who has one."""

from __future__ import annotations

import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection

from assize.results import Result
from assize.web._extra import require
from assize.web._serve import HOST, PORT, site_address


@dataclass(frozen=True)
class Invited(Result):
    """A link that works once, for 14 days."""

    link: str

    @property
    def lines(self) -> list[str]:
        """The link, which is kept nowhere."""
        return [self.link]


def invite(
    project: str | Path = ".",
    *,
    name: str = "",
    admin: bool = False,
    url: str = f"http://{HOST}:{PORT}",
    database: str | None = None,
) -> Invited:
    """Make a link to a new account, or to a new password for an existing one.

    It works while the app runs, too. For an administrator who lost the password, name them, or make
    another administrator.

    Args:
        project: folder of the project.
        name: name of the account; for an account that exists the link sets a new password, and
            for a name in an open invitation it takes the place of the earlier link. Empty: a name
            is chosen.
        admin: make the new account an administrator, not a rater.
        url: address at which people reach the app.
        database: URL of the database. Default: the project's own.

    Raises:
        ConfigError: there is no such project or database.
        DataError: the name cannot be taken.
    """
    site = site_address(url)
    require()
    from assize.web._opening import database_of
    from assize.web._storage import open_store

    with closing(open_store(database_of(project, database))) as store:
        token = store.write_now(_make_link, name, admin, time.time())
    return Invited(f"{site}/invitation/{token}")


def _make_link(connection: Connection, name: str, admin: bool, now: float) -> str:
    from assize.web._accounts import invitations
    from assize.web._accounts.people import by_name

    person = by_name(connection, name) if name else None
    if person is not None:
        return invitations.invite_to_new_password(connection, person.id, now)
    return invitations.invite(
        connection, now, role="admin" if admin else "rater", name=name or None, renew=True
    )
