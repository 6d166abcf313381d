"""Mutated folders of what was learnt: each opens and predicts finite numbers, or is refused.

A folder may come from anybody, with hashes that are right, so damage that a hash would find is
the smaller part: facts and arrays are changed and signed anew.
"""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import numpy as np
import pytest
from acts_taught import FIRST, ITEMS
from safetensors.numpy import load as unpack
from safetensors.numpy import save as pack
from tests.evaluator.training.test_checkpoint import STATE as TENSORS
from tests.fuzz.fuzzing import Folder, contents, corpus, damaged, fill, fuzz, places, tries
from tests.fuzz.test_replies import mutated as odd

import assize
from assize.acts._labels import Act
from assize.acts._tagger import Tagger
from assize.acts._tagging import examples, fit_tagger
from assize.base.conversation import Conversation, Pair, Turn
from assize.base.errors import AssizeError
from assize.base.judgment import Judgment, Question
from assize.base.line_checksum import unseal_record
from assize.base.signature import content_hash
from assize.calibrate import FittedCalibrator
from assize.calibrate._artefact import save as save_calibrator
from assize.calibrate._artefact import signature
from assize.calibrate._data.features import Block, Features, features_of
from assize.calibrate._data.forms import UNKNOWN, Forms, Scale
from assize.calibrate._groups.multicalibration import Correction, Patch, save_correction
from assize.calibrate._hierarchical.fit import fit_default
from assize.calibrate._network.calibrator import Networks
from assize.calibrate._network.inputs import EmbeddedBlock, Inputs
from assize.calibrate._network.layers import Shape
from assize.calibrate._network.settings import Setting
from assize.calibrate._network.trained_network import Network
from assize.encoders import Encoder, Encoding, load_encoder
from assize.evaluator import Evaluator
from assize.evaluator._scoring import score
from assize.evaluator._training.checkpoint import load_checkpoint, save_checkpoint
from assize.judgments import JudgmentTable

ANSWERS = ("1", "2", "3", "4")
SAID = (Turn("user", "How do I get to Leeds?"), Turn("assistant", "Take the train at nine."))
CHAT = Conversation("c", (*SAID, Turn("user", "And back?"), Turn("assistant", "At six.")))
PAIR = Pair("p", SAID[:1], SAID[1:], (Turn("assistant", "Walk."),))
NUMBERS = [0.0, -1.0, 1e-320, 1e39, 1e101, 1e308, np.nan, np.inf, -np.inf, 1e10]

STATE = "abc"  # the signature of a training


@dataclass(frozen=True)
class Input:
    """What stands in a folder, and how it came about."""

    kind: str
    how: str
    folder: Folder

    def __repr__(self) -> str:
        texts = {name: data for name, data in self.folder.items() if name.endswith(".json")}
        return f"{self.kind}, {self.how}: {texts}"


class Remembering:
    """An encoder that reads a text once; it stands in for any settings of minilm."""

    def __init__(self, inner: Encoder) -> None:
        self.name, self.dimension = inner.name, inner.dimension
        self.signature, self.details = inner.signature, inner.details
        self._inner = inner
        self._known: dict[str, Any] = {}

    def encode(self, texts: Any, *, tokens: bool = False) -> Encoding:
        for text in texts:
            if text not in self._known:
                self._known[text] = self._inner.encode([text]).vectors[0]
        vectors = np.array([self._known[text] for text in texts], np.float32)
        return Encoding(vectors.reshape(-1, self.dimension), np.ones(len(texts), np.int64))


@pytest.fixture(scope="module")
def encoder() -> Remembering:
    return Remembering(load_encoder("minilm"))


def forms(kind: str) -> Forms:
    """Ratings of sixty items by two raters; what a model says, and a score beside it."""
    rng = np.random.default_rng(1)
    x = np.hstack([rng.dirichlet(np.ones(4), 60), rng.normal(size=(60, 1))])
    blocks = (
        Block("m", "", "Q0", ANSWERS, (1, 2, 3, 4), True),
        Block("metric", "", "length", (), (), True, late=True),
    )
    target = Question("Q0", kind=kind, answers=ANSWERS, values=(1, 2, 3, 4))  # type: ignore[arg-type]
    y = np.minimum((x[:, :4].cumsum(axis=1) < rng.random((60, 1))).sum(axis=1), 3)
    if kind == "ordinal":
        y[y == 2] = 3  # an answer that nobody gave
    units = tuple((f"i{n}", None) for n in range(60))
    rater = rng.integers(2, size=60)
    features = Features(units, blocks, x)
    scales = (Scale.of(target),)
    return Forms(x, np.arange(60), rater, y[:, None], scales, features, ("ann", "bob"))


def networks() -> Networks:
    """Two networks with what a network may have: a score beside, and answers with vectors."""
    rng = np.random.default_rng(2)
    known = forms("ordinal")
    shape = Shape(6, 3, 2, 2, (4,), (True, False, True), (2,))
    vectors = rng.normal(size=(4, 2))
    embedded = EmbeddedBlock(0, 4, np.hstack([rng.normal(size=(4, 4)), np.ones((4, 1))]))

    def one() -> Network:
        shared = tuple(rng.normal(size=size).astype(np.float32) for size in shape.layers)
        own = tuple(
            rng.normal(size=(2, *size)).astype(np.float32) if has else None
            for size, has in zip(shape.layers, shape.personal, strict=True)
        )
        inputs = Inputs(rng.random(5), np.array([4]), np.ones(1), (embedded,))
        setting = Setting(3, 2, personal=shape.personal)
        bias = rng.normal(size=4).astype(np.float32)
        return Network(setting, shape, shared, own, inputs, vectors, bias)

    return Networks(known.target, known.features.blocks, known.raters, (one(), one()))


@pytest.fixture(scope="module")
def seeds(tmp_path_factory: pytest.TempPathFactory, encoder: Any) -> dict[str, Folder]:
    """A folder of each kind, and the shipped evaluator."""
    place = tmp_path_factory.mktemp("seeds")
    assize.evaluator.load_evaluator().save(place / "evaluator")
    found = examples(ITEMS, FIRST, FIRST)
    fit_tagger(found, load_encoder("minilm")).save(place / "tagger")
    ordinal = fit_default(forms("ordinal"))
    save_calibrator(ordinal, place / "ordinal", {"forms": 60})
    patches = (Patch("", "", 0, None, 0.3), Patch("rater", "ann", 1, 4, -0.2))
    save_correction(
        Correction(signature(ordinal), ("rater",), patches, 0.02, 50, 60, 60), place / "ordinal"
    )
    save_calibrator(ordinal, place / "uncorrected")
    save_calibrator(fit_default(forms("nominal")), place / "nominal")
    save_calibrator(networks(), place / "network")
    save_checkpoint(place / "training", STATE, TENSORS, [(0.5, 0.25)])
    shipped = Path(str(files("assize.evaluator") / "default"))
    folders = {folder.name: folder for folder in place.iterdir()} | {"shipped": shipped}
    return {name: contents(folder) for name, folder in folders.items()}


def inputs(seeds: Mapping[str, Folder], rng: random.Random, count: int) -> Iterator[Input]:
    """Folders whose facts, arrays or bytes are changed; but for the last, with hashes that fit."""
    ways: dict[str, Callable[[Folder, random.Random], Folder]] = {
        "facts": other_facts,
        "arrays": other_arrays,
        "signed bytes": other_bytes,
        "bytes": one_damaged,
    }
    for _ in range(count):
        kind = rng.choice(list(seeds))
        how = rng.choices(list(ways), [5, 5, 2, 1])[0]
        with suppress(RecursionError):  # nested deeper than Python copies
            yield Input(kind, how, ways[how](seeds[kind], rng))


def manifest_of(folder: Folder) -> str:
    (name,) = (one for one in folder if "-" not in one and one.endswith(".json"))
    return name


def arrays_of(folder: Folder) -> str:
    (name,) = (one for one in folder if one.endswith(".safetensors"))
    return name


def other_facts(folder: Folder, rng: random.Random) -> Folder:
    """Facts of the manifest, or of the correction beside it, are made odd."""
    name = manifest_of(folder)
    value = unseal_record(json.loads(folder[name]))
    mutated = rng.choice([nearly, odd])
    roles = [role for role in value["files"] if value["files"][role]["name"].endswith(".json")]
    if roles and rng.random() < 0.3:
        file = value["files"][roles[0]]["name"]
        data = text(mutated(json.loads(folder[file]), rng))
        return signed(folder, file, data)
    whole = mutated(value, rng) if rng.random() < 0.1 else value
    part = value["facts"].get("encoder") if rng.random() < 0.1 else None
    if isinstance(part, dict):
        whole = {**value, "facts": {**value["facts"], "encoder": mutated(part, rng)}}
    elif whole is value:
        whole = {**value, "facts": mutated(value["facts"], rng)}
    return folder | {name: text(whole)}


def nearly(value: Any, rng: random.Random) -> Any:
    """The value with one or two of its numbers, words and lists changed a little."""
    found = copy.deepcopy(value)
    for _ in range(rng.randint(1, 2)):
        holder, last = rng.choice(list(places(found)))
        match holder[last]:
            case bool():
                holder[last] = not holder[last]
            case int() as n:
                holder[last] = rng.choice([n + 1, n - 1, n * 2, 0, 1, 3, 2**40])
            case float() as x:
                holder[last] = rng.choice([x * 2, -x, 0.0, 1e90, 1e-90])
            case list() as several:
                rng.shuffle(several)
                del several[rng.randint(0, len(several)) :]
            case str():
                holder[last] = rng.choice(["1", "Q0", "", "nominal", "embedding", "cls", "a"])
    return found


def text(value: Any) -> bytes:
    return json.dumps(value).encode()


def signed(folder: Folder, file: str, data: bytes) -> Folder:
    """The folder with another file, and the manifest with its hash."""
    name = manifest_of(folder)
    value = unseal_record(json.loads(folder[name]))
    for one in value["files"].values():
        if one["name"] == file:
            one["sha256"] = content_hash(data)
    return folder | {name: text(value), file: data}


def other_arrays(folder: Folder, rng: random.Random) -> Folder:
    """One to three arrays hold other numbers, or have another shape, type or name."""
    file = arrays_of(folder)
    given = unpack(folder[file])
    for _ in range(rng.randint(1, 3)):
        if not given:
            break
        name = rng.choice(sorted(given))
        changed = other_array(given.pop(name), rng)
        if changed is not None:
            given[name if rng.random() < 0.95 else rng.choice(["mean.0", "x", "late"])] = changed
    return signed(folder, file, pack({k: np.ascontiguousarray(v) for k, v in given.items()}))


def other_array(array: Any, rng: random.Random) -> Any:
    found = array.copy()
    match rng.randrange(7):
        case 0 | 1 | 2 if found.size:
            with np.errstate(all="ignore"):
                found.flat[rng.randrange(found.size)] = np.array(rng.choice(NUMBERS)).astype(
                    found.dtype
                )
            return found
        case 3:
            return found[: rng.randint(0, len(found))] if found.ndim else found
        case 4:
            return np.concatenate([found, found]) if found.ndim else found
        case 5:
            with np.errstate(all="ignore"):
                kind = rng.choice(["f2", "f4", "f8", "i4", "i8", "?"])
                return np.nan_to_num(found).astype(kind)
        case 6 if rng.random() < 0.3:
            return None
        case _:
            return found.reshape(rng.choice([(-1,), (1, *found.shape), found.shape[::-1]]))


def other_bytes(folder: Folder, rng: random.Random) -> Folder:
    """The file of the arrays is damaged, mostly at its beginning, where its header stands."""
    file = arrays_of(folder)
    data, most = folder[file], rng.choice([200, 1000, 10**9])
    return signed(folder, file, damaged(data[:most], rng) + data[most:])


def one_damaged(folder: Folder, rng: random.Random) -> Folder:
    name = rng.choice(sorted(folder))
    return folder | {name: damaged(folder[name], rng)}


@pytest.fixture
def read(
    tmp_path: Path, encoder: Any, monkeypatch: pytest.MonkeyPatch
) -> Callable[[Input], object]:
    """Opens a folder and predicts once with what it holds."""

    def opened(spec: str, **given: Any) -> Any:
        assert spec == "minilm", "another encoder would be opened without the user's word"
        return encoder

    monkeypatch.setattr("assize.encoders.opening.load_encoder", opened)
    place = tmp_path / "x"
    features = {name: said(name) for name in ("Q0", "Q1")}

    def once(given: Input) -> object:
        fill(place, given.folder)
        if given.kind == "training":
            return load_checkpoint(place, STATE)
        found = assize.load(place)
        assert found.signature
        if isinstance(found, Evaluator):
            scored(found)
        elif isinstance(found, Tagger):
            tagged(found)
        else:
            predicted(found, features)
        return found

    return once


def scored(evaluator: Evaluator) -> None:
    for row in score([CHAT, PAIR], evaluator=evaluator, turns=True):
        assert row.unscored is None
        assert row.answer in ("A", "B", "tie") or (row.score is not None and 0 <= row.score <= 1)


def tagged(tagger: Tagger) -> None:
    for details in tagger.tag_items([CHAT, PAIR]):
        acts = [act for turns in details["acts"].values() for turn in turns for act in turn]
        assert acts
        assert all(Act(*act) in tagger.acts for act in acts)


def said(question: str) -> Features:
    """What a model said of three items, a score beside it, and an item with nothing."""
    asked = Question("Q0", kind="ordinal", answers=ANSWERS, values=(1, 2, 3, 4))
    both = [asked, Question("Q1", kind="ordinal", answers=ANSWERS, values=(1, 2, 3, 4))]
    rows = [
        Judgment(
            f"i{n}", "m", one.id, kind="model", distribution=dict(zip(ANSWERS, p, strict=True))
        )
        for n, p in enumerate([(0.1, 0.2, 0.3, 0.4), (1.0, 0.0, 0.0, 0.0), (0.25,) * 4])
        for one in (both if question == "Q1" else both[:1])
    ]
    beside = [Judgment("i0", "metric", "length", kind="metric", score=3.0)]
    main = features_of(JudgmentTable.of(rows, both))
    return main.beside(features_of(JudgmentTable.of(beside, [Question("length")])))


def predicted(fitted: FittedCalibrator, known: Mapping[str, Features]) -> None:
    asks = {block.question for block in fitted.calibrator.blocks}
    features = known["Q1" if "Q1" in asks else "Q0"]
    raters = [*range(min(2, len(fitted.raters))), UNKNOWN]
    groups = {name: ("g",) * 3 for name in fitted.fields if name != "rater"}
    p = fitted.probabilities(features, raters, groups)
    aligned = features.aligned(fitted.calibrator.blocks)
    p = p[fitted.calibrator.known(aligned)]
    assert np.isfinite(p).all()
    assert (p >= 0).all()
    np.testing.assert_allclose(p.sum(axis=2), 1, atol=1e-6)


@pytest.mark.parametrize("kept", corpus("artefacts"), ids=lambda path: path.stem)
def test_what_once_broke_something_is_read_or_refused(
    kept: Path, read: Callable[[Input], object]
) -> None:
    with ZipFile(kept) as packed:
        folder = {name: packed.read(name) for name in packed.namelist()}
    with suppress(AssizeError):
        read(Input(kept.stem, "kept", folder))


def test_a_mutated_folder_predicts_finite_numbers_or_is_refused(
    seeds: Mapping[str, Folder], read: Callable[[Input], object]
) -> None:
    whole = [Input(name, "as it is", folder) for name, folder in seeds.items()]
    trial = fuzz("artefacts", inputs(seeds, random.Random(12), tries(700)), read, sound=whole)
    assert trial.read > 0.02 * trial.inputs
    assert trial.refused > 0.5 * trial.inputs
