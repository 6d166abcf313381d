"""The encoder that a name opens, and the one that an artefact was trained on."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from assize.base.artefacts import Artefact
from assize.base.errors import ConfigError, DataError, MissingExtra, MissingWeights
from assize.base.trust import check_named
from assize.encoders.cached import CachedEncoder, uncached
from assize.encoders.encoder import Attention, Encoder, Pooling, Precision, Template


@dataclass(frozen=True, slots=True)
class EncoderKind:
    """One row of `ENCODERS`.

    Args:
        home: `module:class`, imported when first used.
        written: how it is written, for messages and help texts.
        settings: those of `load_encoder` that it takes.
        named: whether a model's name or path follows the kind and a colon.
    """

    home: str
    written: str
    settings: frozenset[str]
    named: bool


ENCODERS: Mapping[str, EncoderKind] = {
    "minilm": EncoderKind(
        "assize.encoders.minilm:MiniLM",
        "minilm",
        frozenset({"precision", "pooling", "layer", "window", "threads"}),
        named=False,
    ),
    "hf": EncoderKind(
        "assize.encoders.huggingface:open_huggingface",
        "hf:PATH-or-id",
        frozenset({"precision", "pooling", "layer", "window", "threads"})
        | {"template", "device", "attention"},
        named=True,
    ),
    "openai": EncoderKind(
        "assize.encoders.endpoint:Endpoint",
        "openai:NAME",
        frozenset({"base_url", "window"}),
        named=True,
    ),
}


_NUMBERS = ("layer", "window", "threads")  # settings that are whole numbers
# settings that `Encoder.details` spell out
_KEPT = ("precision", "pooling", "layer", "window", "template")


def load_encoder(
    spec: str = "minilm",
    *,
    precision: Precision | None = None,
    pooling: Pooling | None = None,
    layer: int | None = None,
    window: int | None = None,
    base_url: str | None = None,
    threads: int | None = None,
    template: Template | None = None,
    device: str | None = None,
    attention: Attention | None = None,
    cached: bool = False,
) -> Encoder:
    """Load an encoder by its name, ready to turn texts into vectors.

    Args:
        spec: `minilm`, `hf:PATH-or-id` or `openai:NAME`; settings may follow in it, as in
            `hf:/models/armorm?pooling=last&precision=bf16&window=8192&template=chat`, and
            count where they are not given by themselves.
        precision: "fp32" (what None means), "int8" for minilm, "bf16" for hf.
        pooling: "mean" (what None means), "cls" or "last".
        layer: whose states, counted from 0, the embeddings, or from the end; None is the last.
        window: most word pieces (for an endpoint: characters) read at once; a longer text
            is read in several windows, and `Encoding.windows` says so.
        base_url: the endpoint's address.
        threads: threads of one run; None takes the cores this process may use.
        template: "chat" reads every text as a dialogue (`assize.encoders.dialogue.written`) in
            the model's own chat template; "plain" (what None means) as it stands.
        device: where an hf model runs: "cpu", "cuda", one card as "cuda:1", or "auto", spread
            over all cards by accelerate; None is the GPU where there is one.
        attention: of an hf model; None is FlashAttention-2 where that is installed and fits, or
            else torch's own.
        cached: keep encodings on disk and look them up there, for training and studies.

    Raises:
        ConfigError: the name is not known, or a setting does not fit the encoder.
        MissingExtra: what the encoder needs is not installed.
        DataError: the encoder's files are not what they must be.

    >>> load_encoder("word2vec")
    Traceback (most recent call last):
    ...
    assize.base.errors.ConfigError: encoder 'word2vec' is not known; known: minilm, hf:PATH-or-id, \
openai:NAME
    """
    spec, _, asked = spec.partition("?")
    prefix, _, name = spec.partition(":")
    kind = ENCODERS.get(prefix)
    if kind is None or kind.named != bool(name) or (":" in spec) != kind.named:
        names = ", ".join(one.written for one in ENCODERS.values())
        raise ConfigError(f"encoder {spec!r} is not known; known: {names}")
    settings: dict[str, Any] = {
        "precision": precision,
        "pooling": pooling,
        "layer": layer,
        "window": window,
        "base_url": base_url,
        "threads": threads,
        "template": template,
        "device": device,
        "attention": attention,
    }
    given = {key: value for key, value in settings.items() if value is not None}
    given = {**_typed(asked), **given}
    unfit = sorted(given.keys() - kind.settings)
    if unfit:
        takes = ", ".join(sorted(kind.settings))
        raise ConfigError(f"encoder {spec!r} takes no {' and no '.join(unfit)}; it takes {takes}")
    module, _, made = kind.home.partition(":")
    build = getattr(import_module(module), made)
    encoder: Encoder = build(name, **given) if kind.named else build(**given)
    return CachedEncoder(encoder) if cached else encoder


def _typed(asked: str) -> dict[str, Any]:
    """Settings that stand in a spec behind its `?`."""
    found: dict[str, Any] = {}
    for part in asked.split("&") if asked else ():
        name, _, value = part.partition("=")
        if not name or not value:
            raise ConfigError(f"{part!r} is no setting of an encoder; write name=value")
        if name in _NUMBERS:
            try:
                found[name] = int(value)
            except ValueError:
                raise ConfigError(f"{name} of an encoder is a number, not {value!r}") from None
        else:
            found[name] = value
    return found


def windows_of(encoder: Encoder, texts: Sequence[str]) -> list[int]:
    """Count the windows in which an encoder reads each of N texts, without encoding them.

    A local encoder runs only its tokeniser.
    """
    inner = uncached(encoder)
    count = getattr(inner, "windows", None)
    if count is not None:
        return [int(one) for one in count(texts)]
    return [int(one) for one in encoder.encode(texts).windows]


def said_encoder(named: Any, said: str | None, option: str = "encoder") -> str:
    """Return the encoder to load for a file that names one: the user's choice, or a built-in one.

    A name in a file would decide which files are loaded, what is downloaded, or which server gets
    every text, so only the user may choose one that is not built in
    (`assize.base.trust.check_named`).

    Args:
        named: the encoder that the file names.
        said: the encoder that the user allows; None if the user said nothing.
        option: name of the option by which the user allows one.

    Raises:
        ConfigError: the file names one that is not built in, and the user allowed none.
        DataError: the file does not hold a name there.

    >>> said_encoder("minilm", None), said_encoder("hf:old/place", "hf:new/place")
    ('minilm', 'hf:new/place')
    """
    if said is not None and isinstance(named, str):
        return said
    return check_named(
        named,
        "encoder",
        source="trained on the encoder",
        remedy=f"where you trust it, give --encoder {{}} (encoder= in Python; of a judge"
        f" --set {option}={{}})",
    )


def reopen_encoder(
    details: Mapping[str, Any],
    spec: str | None = None,
    *,
    precision: Precision | None = None,
    said: str | None = None,
) -> Encoder:
    """Load the encoder that a model was trained with.

    Args:
        details: as `Encoder.details` gave them at training.
        spec: its `name` then; None if the details say it all, as those of minilm do.
        precision: a precision other than then; None for the same.
        said: the encoder that the user allows, needed for one that is not built in. The same
            weights may lie in another folder or on another device
            (`hf:/models/armorm?device=cuda`).

    Raises:
        ConfigError: the user must allow the encoder, or it is not the same one; the message says
            what differs.
        MissingExtra, DataError: as for `load_encoder`.
    """
    chosen = said_encoder(details["encoder"] if spec is None else spec, said)
    bare, _, asked = chosen.partition("?")
    kind = ENCODERS.get(bare.partition(":")[0])
    then = {**details, "window": details.get("window", details.get("window_characters"))}
    if then.get("layer") == "last":
        then["layer"] = None
    takes: Collection[str] = () if kind is None else kind.settings
    typed = _typed(asked)
    given: dict[str, Any] = {
        name: then.get(name) for name in _KEPT if name in takes and name not in typed
    }
    for name, value in given.items():
        if not isinstance(value, int | str | None):
            raise DataError(f"names an encoder with {name} {value!r:.60}")
    if precision is not None:
        given["precision"] = precision
    encoder = load_encoder(chosen, **given)
    here = dict(encoder.details)
    passed = set() if precision is None else {"precision"}
    differing = [
        f"{name} {details.get(name)!r} (here {here.get(name)!r})"
        for name in sorted((details.keys() | here.keys()) - passed)
        if details.get(name) != here.get(name)
    ]
    if differing:
        raise ConfigError(f"trained on another encoder: {', '.join(differing)}")
    return encoder


def encoder_facts(encoder: Encoder) -> dict[str, Any]:
    """Return what a saved model stores about its encoder: its name and details."""
    return {"spec": encoder.name, "details": dict(encoder.details)}


def reopen_stored(
    artefact: Artefact, *, precision: Precision | None = None, word: str | None = None
) -> Encoder:
    """The encoder that `encoder_facts` of an artefact name; see `reopen_encoder`.

    Args:
        word: the user's own word for it.
    """
    try:
        with artefact.understood():
            facts = artefact.facts["encoder"]
            return reopen_encoder(facts["details"], facts["spec"], precision=precision, said=word)
    except (MissingExtra, MissingWeights):  # of the machine, not of the folder
        raise
    except ConfigError as error:
        raise ConfigError(f"{artefact.folder}: {error}") from error
    except DataError as error:
        raise error.at(str(artefact.place), None) from None
