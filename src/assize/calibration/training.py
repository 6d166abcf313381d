"""Training published networks: those of one shape side by side, in one program."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from assize.calibration.forms import Forms
from assize.calibration.setting import Job, Setting
from assize.calibration.stack import Stack, shape_of
from assize.calibration.trained import Network, softmax
from assize.errors import DataError, MissingExtra

__all__ = ["Job", "Network", "Setting", "Stack", "one_thread", "softmax", "stacks", "train"]

BYTES = 24e6  # of parameters and moments that a stack may have: what stays in the cache


def train(forms: Forms, jobs: Sequence[Job]) -> list[Network]:
    """Trains networks, those of one shape together; in the order of the jobs.

    Same forms and jobs, same numbers, whatever else is trained beside them up to the
    rounding of a matrix product.

    Raises:
        DataError: a job has no training rows.
        MissingExtra: torch is not installed.
    """
    found: dict[int, Network] = {}
    with one_thread():
        for chosen in stacks(forms, jobs):
            stack = Stack(forms, chosen)
            stack.pretrain(stack.setting.pretrain)
            stack.finetune(stack.setting.finetune)
            found |= {id(job): network for job, network in stack.networks()}
    return [found[id(job)] for job in jobs]


@contextmanager
def one_thread() -> Iterator[None]:
    """torch on one thread: the matrices are too small to be shared out, and trying to costs
    twenty times the work. Raises MissingExtra where torch is not installed."""
    try:
        import torch
    except ImportError as error:
        raise MissingExtra("training a network", extra="train", missing="torch") from error
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def stacks(forms: Forms, jobs: Sequence[Job]) -> Iterator[list[Job]]:
    """Jobs that can run as one stack: alike but for rate, rows and seed, and small enough
    together to stay in the processor's cache."""
    alike: dict[object, list[Job]] = {}
    for job in jobs:
        if len(job.rows) == 0:
            raise DataError("a network has no training rows")
        batches = max(1, len(job.rows) // job.setting.batch)
        alike.setdefault((replace(job.setting, rate=1.0), batches), []).append(job)
    for same in alike.values():
        size = max(1, int(BYTES / (16 * shape_of(same[0].setting, forms).parameters)))
        for start in range(0, len(same), size):
            yield same[start : start + size]
