"""The featuriser `dialogue`: the whole dialogue read at once, one vector a view.

What a large encoder is for: it reads every turn in the light of the others, in its own chat
template where it has one, and its state at the last token stands for the dialogue. Pooling,
window and template are the encoder's settings (`load_encoder`), because they change its
vectors; MTDEval's are `hf:FOLDER?pooling=last&precision=bf16&window=8192&template=chat`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, get_args

import numpy as np

from assize.base.errors import ConfigError
from assize.base.judgment import Unscored
from assize.encoders import Encoder, Encoding, windows_of
from assize.encoders.dialogue import written
from assize.evaluator._features.blocks import TurnFeatures
from assize.evaluator._features.featuriser import Featuriser
from assize.evaluator._features.views import View
from assize.stats._arrays import FloatArray

VERSION = 1  # rises when the same turns give other numbers

Long = Literal["windows", "unscored"]


@dataclass(frozen=True)
class DialogueFeatures:
    """The featuriser, see `Featuriser`: rows (D,) are the encoder's vectors of whole dialogues.

    A dialogue that is longer than the encoder's window is never cut. It is read in as few windows
    as hold it, and its vector is their mean, weighted by tokens; or it has no features at all, and
    is unscored with the reason `too_long`.

    Args:
        long: what becomes of it: `windows` or `unscored`.

    Raises:
        ConfigError: `long` is neither.

    Source: MTDEval, section 5.1 and appendix C (a frozen Llama-3-8B reward model, 8,192 tokens).
        Differs: the vector is brought to length 1 before a head standardises it; windows are ours.
    """

    long: Long = "windows"

    name: ClassVar[str] = "dialogue"
    version: ClassVar[int] = VERSION

    def __post_init__(self) -> None:
        if self.long not in get_args(Long):
            known = ", ".join(get_args(Long))
            raise ConfigError(f"long {self.long!r} is not known; known: {known}")

    @property
    def settings(self) -> Mapping[str, Any]:
        """What becomes of a dialogue that is too long."""
        return {"long": self.long}

    def widths(self, dimension: int) -> dict[str, int]:
        """One block, the vector."""
        return {"dialogue": dimension}

    def texts(self, view: View) -> Iterable[str]:
        """The whole dialogue, see `assize.encoders.dialogue`."""
        return (dialogue_text(view),)

    def reader(self, texts: Sequence[str], encoding: Encoding) -> Callable[[View], FloatArray]:
        """What gives the row (D,) of a view."""
        places = {text: place for place, text in enumerate(texts)}

        def read(view: View) -> FloatArray:
            return np.asarray(encoding.vectors[places[dialogue_text(view)]], np.float64)

        return read

    def refused(self, view: View, encoder: Encoder) -> Unscored | None:
        """Why a view has no features; None where it has."""
        if self.long == "windows":
            return None
        (count,) = windows_of(encoder, [dialogue_text(view)])
        if count == 1:
            return None
        message = f"the dialogue would take {count} windows of {encoder.name}, and only one is read"
        return Unscored("too_long", message)


def featuriser_for(encoder: Encoder, *, long: Long = "windows") -> Featuriser:
    """What suits an encoder: `dialogue` where it reads in a chat template, or else `turns`.

    Args:
        encoder: any.
        long: see `DialogueFeatures`.
    """
    if encoder.details.get("template") == "chat":
        return DialogueFeatures(long)
    return TurnFeatures()


def dialogue_text(view: View) -> str:
    """A view's turns as one text."""
    return written((turn.role, turn.text) for turn in view.turns)
