"""A calibrator as it is used: with the correction that was learnt for it, and what it tells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from assize.base.arguments import check_word
from assize.base.artefacts import open_artefact
from assize.base.conversation import Item
from assize.base.errors import AssizeError, ConfigError, DataError
from assize.base.judgment import PREFERENCE, Question
from assize.base.record_parts import from_parts, read_as
from assize.calibrate._artefact import KIND, load, save, signature
from assize.calibrate._calibrator import Calibrator, UnknownAs, predict
from assize.calibrate._data.features import Features, FloatArray, NotAsked
from assize.calibrate._data.forms import UNKNOWN, Scale
from assize.calibrate._groups.multicalibration import Correction, load_correction, save_correction
from assize.calibrate._joint_errors import JointErrors
from assize.judgments.learnt_from import SEEN
from assize.judgments.membership import RATER, Labels, group_units
from assize.results import Result
from assize.results.numbers import counted

if TYPE_CHECKING:
    from assize.formats import ItemsLike, JudgmentsLike
    from assize.judgments import JudgmentTable

_COUNTS = (
    ("choices", "choices between items"),
    ("duplicates", "forms beyond a rater's first about an item, kept"),
    ("raters_with_one_form", "with one form only, drawn to the others"),
    ("not_applicable", "answers NA, to all questions together, left out"),
    ("unscored", "answers missing, to all questions together, left out"),
    ("ratings_without_answers", "answers about items that no model answered about, left out"),
    ("answers_unscored", "answers of a model missing; they count as average"),
    ("answers_averaged", "repeated answers of a model, averaged"),
)


SETTING = (
    "  best of the search: hidden layers {hidden1} and {hidden2}, batches of {batch},"
    " rate {rate:g}, {pretrain} + {finetune} epochs, first weights of deviation {initial:g}"
)


@dataclass(frozen=True, slots=True, repr=False)
class FittedCalibrator(Result):
    """A calibrator, which predicts what each rater would answer.

    It holds the correction that was learnt for it, if there is one. Whatever reads a calibrator's
    folder predicts through this, so that all say the same.

    Args:
        about: facts of the fit, such as numbers of forms and raters.
        folder: where it is kept; None where it has not been written.
        encoder: the user's word for the encoder of the conversations that it reads, where it
            names another than minilm.
        strangers: how a rater who is not known is predicted, see `calibrator.predict`.
        as_fitted: takes no account of how far the answers lie from those of fitting.
        here: what predicts where that is not `calibrator` as it was fitted, see `for_items`.
        seen: hashes of the items that it was fitted on, see `learnt_from`.
    """

    calibrator: Calibrator = field(repr=False)
    correction: Correction | None = field(default=None, repr=False)
    about: Mapping[str, Any] = field(default_factory=dict)
    folder: str | None = None
    encoder: str | None = None
    strangers: UnknownAs = field(default="shared", repr=False)
    as_fitted: bool = field(default=False, repr=False)
    here: Calibrator | None = field(default=None, repr=False)
    seen: frozenset[str] = field(default=frozenset(), repr=False)

    def __post_init__(self) -> None:
        check_word("strangers", self.strangers, ("shared", "average"))

    @property
    def target(self) -> Scale:
        """What is predicted."""
        return self.calibrator.target

    @property
    def chosen_by(self) -> Question:
        """What people were asked of pairs, for predictions of what they would choose."""
        return replace(PREFERENCE, id=self.about.get("preferences", PREFERENCE.id))

    @property
    def raters(self) -> tuple[str, ...]:
        """Whom it knows."""
        return self.calibrator.raters

    @property
    def signature(self) -> str:
        """Of everything that predictions come from: the correction's, which holds the
        calibrator's, or the calibrator's own."""
        return self.correction.signature if self.correction else signature(self.calibrator)

    @property
    def corrected(self) -> bool:
        """Whether the correction shifts anything."""
        return self.correction is not None and bool(self.correction.patches)

    @property
    def learnt_from(self) -> frozenset[str]:
        """Hashes of the items whose ratings it was fitted on, or its correction learnt from."""
        return self.seen if self.correction is None else self.seen | {*self.correction.seen}

    @property
    def used(self) -> Calibrator:
        """What predicts."""
        return self.calibrator if self.here is None else self.here

    @property
    def na(self) -> NotAsked:
        """What becomes of answers to questions that people were not asked."""
        return "zeros" if self.about.get("na") == "zeros" else "kept"

    def for_items(self, features: Features, items: Sequence[Item] = ()) -> FittedCalibrator:
        """The same for a file of items, whose distance from the fitted ones counts.

        The published network, a calibrator of choices alone, one that was adapted to its set
        already, and one with `as_fitted` are as they were fitted.

        Args:
            features: of all items of the file.
            items: the conversations, where these tell the sets that it was fitted on. Where
                no item tells its set, all are of a new one.
        """
        if self.as_fitted or "adapted_from" in self.about:
            return self
        model, labels = self.calibrator, None
        set_by = model.abilities.set_by
        if set_by is not None:
            with suppress(ConfigError, DataError):  # no item of the file tells its set
                labels = group_units(features.units, set_by, items, option="set").names
        return replace(self, here=model.for_items(features.aligned(model.blocks), labels))

    @property
    def joint_errors(self) -> JointErrors | None:
        """How far raters' errors about one item go together; None where that was not learnt."""
        found = self.about.get("joint_errors")
        return None if found is None else from_parts(JointErrors, found, {})

    @property
    def shared_error(self) -> float:
        """Their correlation; 0 where it was not learnt."""
        found = self.joint_errors
        return 0.0 if found is None else found.correlation

    @property
    def fields(self) -> tuple[str, ...]:
        """By what groups are corrected; () where no group is."""
        return self.correction.needed if self.correction else ()

    def predict(
        self,
        answers: JudgmentsLike,
        raters: str | Sequence[str] = "all",
        *,
        items: ItemsLike | None = None,
    ) -> JudgmentTable:
        """What raters would answer, as judgments; `assize.calibrate.predict` has more to choose.

        Args:
            answers: a model's, as files, records, dicts, or a table.
            raters: ids, `all`, or `unknown`.
            items: the conversations, where it corrects by their groups or reads them.

        Raises:
            ConfigError: a rater is not known.
            DataError: the answers hold nothing that it reads.
        """
        predict = import_module("assize.calibrate").predict
        table: JudgmentTable = predict(self, answers, raters=raters, items=items).judgments
        return table

    def save(self, folder: str | Path) -> None:
        """Writes it, with its correction; an earlier calibrator there is replaced whole.

        Raises:
            OutputError: the folder cannot be written.
        """
        save(self.calibrator, Path(folder), self.about, self.seen)
        if self.correction is not None:
            save_correction(self.correction, Path(folder))

    def probabilities(
        self,
        features: Features,
        raters: Sequence[int],
        groups: Labels | None = None,
    ) -> FloatArray:
        """Answers (N, R, K) of some raters; NaN for items about which nothing is known.

        Args:
            raters: places in `calibrator.raters`, or UNKNOWN, who is in no rater's group.
            groups: by field but `rater`, the group (N,) of every item: see `unit_labels`.

        Raises:
            ConfigError: a field that is corrected by is not among the groups.
            DataError: the features hold nothing that the calibrator reads.
        """
        found = predict(self.used, features, raters, self.strangers)
        if self.correction is None:
            return found
        given = groups or {}
        lacking = [field for field in self.fields if field != RATER and field not in given]
        if lacking:
            problem = f"corrected is by {', '.join(lacking)}: give the groups of the items"
            raise ConfigError(f"{problem}, or leave the correction out")
        each = []
        for place, rater in enumerate(raters):
            name = None if rater == UNKNOWN else self.calibrator.raters[rater]
            labels = {**given, RATER: (name,) * len(found)}
            each.append(self.correction.apply(found[:, place], labels, self.calibrator.target))
        return np.stack(each, axis=1)

    @property
    def lines(self) -> Sequence[str]:
        """The notes, which are all that there is to show."""
        return self.notes or [repr(self)]

    @property
    def notes(self) -> Sequence[str]:
        """What it was fitted on, who helped, and what could not enter."""
        about = self.about
        if "forms" not in about:
            return ()
        graded = f"{about['ratings']:,} ratings in {about['forms']:,} forms"
        learnt = graded if about["forms"] else f"{about['choices']:,} choices between items"
        where = "" if self.folder is None else f"{self.folder}: "
        found = [f"{where}{about['target']} by {about['raters']:,} raters, from {learnt}"]
        if about["helpers"] and "helpers_count" in about:
            found.append(
                f"  {about['helpers']:,} more raters help, are not predicted, and count"
                f" {about['helpers_count']:g} each, which was learnt"
            )
        if "setting" in about:
            found.append(SETTING.format_map(about["setting"]))
        if isinstance(privacy := about.get("privacy"), Mapping):
            found.append(
                f"  differential privacy by {privacy['unit']}: epsilon {privacy['epsilon']:.2f},"
                f" delta {privacy['delta']:g} ({privacy['mechanism']})"
            )
        if (joint := self.joint_errors) is not None:
            low, high = joint.interval
            found.append(
                f"  raters' errors about one item correlate by {joint.correlation:.2f}"
                f" ({low:.2f} to {high:.2f}), from {joint.items:,} items with several ratings"
            )
        for name, text in _COUNTS:
            if about.get(name) and (name != "choices" or about["forms"]):
                found.append(f"  {about[name]:,} {text}")
        if about["forms"] and "items" in about:
            data = [("item", "items"), ("rater", "raters"), ("rating", "ratings")]
            counts = ", ".join(counted(about[name], noun) for noun, name in data)
            found.append(
                f"  are {counts} enough? `assize study calibration` with the same files predicts"
                " items held out, beside each rater's mean"
            )
        return found

    def __repr__(self) -> str:
        corrected = ", corrected" if self.corrected else ""
        return f"<calibrator of {self.target.id}: {len(self.raters):,} raters{corrected}>"


def load_calibrator(
    folder: str | Path,
    *,
    encoder: str | None = None,
    uncorrected: bool = False,
    strangers: UnknownAs = "shared",
    as_fitted: bool = False,
) -> FittedCalibrator:
    """Load the calibrator in a folder, with its correction if there is one.

    For a calibrator in memory use `dataclasses.replace(fitted, as_fitted=True)`; `correction=None`
    leaves it uncorrected.

    Args:
        encoder: encoder that may be loaded, if the calibrator was fitted with one other than
            minilm. It is opened when something is predicted.
        uncorrected: ignore what `calibrate correct` learnt. That may then be damaged.
        strangers: how to predict unknown raters: shared (the shared weights), or average of the
            known ones.
        as_fitted: ignore how far these answers lie from those that the calibrator was fitted on.

    Raises:
        ConfigError: `strangers` is none of these.
        DataError: a file is missing or damaged, or the correction is another calibrator's.
    """
    calibrator = load(folder)
    correction = None if uncorrected else load_correction(folder, calibrator)
    found = open_artefact(KIND, folder)
    with found.understood(AssizeError):
        about = read_as(Mapping, found.facts.get("about", {}))
        if "joint_errors" in about:
            read_as(JointErrors, about["joint_errors"])
    with found.understood():
        seen = found.read(SEEN).decode("ascii").split() if SEEN in found.files else ()
    return FittedCalibrator(
        calibrator,
        correction,
        about,
        str(folder),
        encoder,
        strangers,
        as_fitted,
        seen=frozenset(seen),
    )
