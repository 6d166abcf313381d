"""Training published networks: those of one shape side by side, in one program."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from assize.base.torch_extra import one_thread
from assize.calibrate._data.forms import Forms
from assize.calibrate._network.answer_embeddings import NONE, Embeddings
from assize.calibrate._network.batched_training import BatchedTraining, shape_of
from assize.calibrate._network.settings import Job, Setting
from assize.calibrate._network.trained_network import Network

__all__ = [
    "BatchedTraining",
    "Job",
    "Network",
    "Setting",
    "batches_of_jobs",
    "train",
]

BYTES = 24e6  # of parameters and moments of networks trained together: what stays in the cache


def train(forms: Forms, jobs: Sequence[Job], embeddings: Embeddings = NONE) -> list[Network]:
    """Trains networks, those of one shape together; in the order of the jobs.

    Same forms and jobs, same numbers, whatever else is trained beside them up to the
    rounding of a matrix product.

    Args:
        forms: helpers' forms are learnt from in pre-training only; late columns in fine-tuning
            only. A form counts as its weight says, relative to the mean over the training rows.
        jobs: settings, rows and seeds.
        embeddings: vectors of the answers of some questions, in the inputs and in the heads.

    Raises:
        DataError: a job has no training rows, or none by a rater who is no helper; vectors of
            answers do not fit their question.
        MissingExtra: torch is not installed.
    """
    found: dict[int, Network] = {}
    with one_thread():
        for chosen in batches_of_jobs(forms, jobs, embeddings):
            batch = BatchedTraining(forms, chosen, embeddings)
            batch.pretrain(batch.setting.pretrain)
            batch.finetune(batch.setting.finetune)
            found |= {id(job): network for job, network in batch.networks()}
    return [found[id(job)] for job in jobs]


def batches_of_jobs(
    forms: Forms, jobs: Sequence[Job], embeddings: Embeddings = NONE
) -> Iterator[list[Job]]:
    """Jobs that can be trained together: alike but for rate, rows and seed, and small enough
    together to stay in the processor's cache."""
    alike: dict[object, list[Job]] = {}
    for job in jobs:
        trusted = len(job.rows) - int(forms.by_helper[job.rows].sum())
        batches = tuple(max(1, rows // job.setting.batch) for rows in (len(job.rows), trusted))
        alike.setdefault((replace(job.setting, rate=1.0), batches), []).append(job)
    for same in alike.values():
        size = max(1, int(BYTES / (16 * shape_of(same[0].setting, forms, embeddings).parameters)))
        for start in range(0, len(same), size):
            yield same[start : start + size]
