"""Who looks at a page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Role = Literal["rater", "admin"]


@dataclass(frozen=True, slots=True)
class Viewer:
    """A person who is signed in.

    Args:
        id: in `people`.
        csrf: what every form of this session must send back.
        renew: whether it is time to note that the session is in use.
    """

    id: int
    name: str
    role: Role
    csrf: str
    renew: bool = False

    @property
    def is_admin(self) -> bool:
        """Whether the pages of leads are open to them."""
        return self.role == "admin"
