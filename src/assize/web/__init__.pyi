from assize.web._exchange import export as export
from assize.web._invite import invite as invite
from assize.web._serve import serve as serve
from assize.web._tasks.check_task import check_task as check_task
from assize.web._tasks.definition import read_task as read_task
from assize.web._tasks.kinds import kind_of as kind_of

__all__: list[str]
