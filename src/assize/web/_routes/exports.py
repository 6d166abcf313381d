"""A task's ratings, to download."""

from __future__ import annotations

from collections.abc import Iterator
from tempfile import TemporaryFile
from typing import BinaryIO

from fastapi import APIRouter
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response, StreamingResponse

from assize.results.log import log
from assize.web._exporting.folder import zip_task
from assize.web._exporting.task_export import Form
from assize.web._routes.home import task_of_name
from assize.web._routes.viewer import Admin, Site

router = APIRouter()
PIECE = 1 << 16  # bytes sent at a time


@router.get("/admin/tasks/{task}/export")
async def download(
    viewer: Admin,
    web: Site,
    task: str,
    form: Form = "jsonl",
) -> Response:
    """What `assize web export` writes of a task, as a zip file."""
    found = task_of_name(web, task)
    whole = TemporaryFile()  # noqa: SIM115  (it has no name, and is closed when it is sent)
    await run_in_threadpool(
        zip_task,
        web.store,
        found,
        whole,
        form=form,
    )
    log.warning("%s downloaded the answers to %s", viewer.name, task)
    size = whole.tell()
    headers = {
        "content-disposition": f'attachment; filename="{found.name}.zip"',
        "content-length": str(size),
    }
    return StreamingResponse(_pieces(whole), media_type="application/zip", headers=headers)


def _pieces(whole: BinaryIO) -> Iterator[bytes]:
    whole.seek(0)
    with whole:
        while piece := whole.read(PIECE):
            yield piece
