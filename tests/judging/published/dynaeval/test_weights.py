"""Checkpoints: the names of several releases, settings, and what is refused."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import pytest

from assize.errors import ConfigError
from assize.judging.published.dynaeval.weights import NAMES, load_checkpoint, sizes_of

torch = pytest.importorskip("torch")

from assize.judging.published.dynaeval.network import Network, Sizes  # noqa: E402  # needs torch

SMALL = Sizes(vector=6, reduced=5, context=4, graph=3, hidden=12, bases=2)
SPEAKERS = [0, 1, 0]


def network(sizes: Sizes = SMALL, **settings: Any) -> Network:
    torch.manual_seed(0)
    return Network(sizes, **settings).eval()


def released(made: Network, place: int = 0) -> dict[str, Any]:
    """The tensors by the names of a release: 0 is the oldest of torch-geometric's."""
    found = {}
    for name, tensor in made.state_dict().items():
        if name.startswith("context."):
            found["rnn.rnn." + name.removeprefix("context.")] = tensor
            continue
        usual = NAMES[name]
        written = usual[min(place, len(usual) - 1)]
        turned = tensor.T.contiguous() if written.endswith(".T") else tensor
        found[written.removesuffix(".T")] = turned
    return found


def said(seed: int = 0) -> Any:
    return torch.randn(3, 6, generator=torch.Generator().manual_seed(seed))


@pytest.mark.parametrize("place", [0, 1, 2])
def test_the_names_of_each_release_make_the_same_network(place: int, tmp_path: Path) -> None:
    from safetensors.torch import save_file

    made = network()
    save_file(released(made, place), tmp_path / "model.safetensors")
    loaded = load_checkpoint(tmp_path)
    assert loaded.network.sizes == SMALL
    assert loaded.network.score(said(), SPEAKERS) == made.score(said(), SPEAKERS)


def test_a_saved_training_state_is_read_without_running_code(tmp_path: Path) -> None:
    made = network()
    state = {"best_dev_acc": 0.9, "best_epoch": 3, "best_state": released(made)}
    torch.save(state, tmp_path / "best.pt")
    for target in (tmp_path, tmp_path / "best.pt"):
        found = load_checkpoint(target).network.score(said(), SPEAKERS)
        assert found == made.score(said(), SPEAKERS)


def test_our_own_names_are_read_too(tmp_path: Path) -> None:
    made = network(Sizes(vector=6, reduced=5, context=4, graph=3, hidden=12, bases=2, gated="gru"))
    torch.save(made.state_dict(), tmp_path / "own.pt")
    loaded = load_checkpoint(tmp_path)
    assert loaded.network.sizes.gated == "gru"
    assert loaded.network.score(said(), SPEAKERS) == made.score(said(), SPEAKERS)


class Harmful:
    def __reduce__(self) -> Any:
        return (Path.touch, (Path("was-run"),))


def test_a_checkpoint_that_holds_code_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bad.pt").write_bytes(pickle.dumps({"best_state": Harmful()}))
    with pytest.raises(ConfigError, match="tensors alone are read, and no code"):
        load_checkpoint(tmp_path)
    assert not (tmp_path / "was-run").exists()


def test_settings_change_the_network_and_its_signature(tmp_path: Path) -> None:
    torch.save(network().state_dict(), tmp_path / "own.pt")
    plain = load_checkpoint(tmp_path)
    assert (plain.settings.past, plain.settings.words) == (4, 30)
    told = {"past": 0, "future": -1, "words": 5, "aggregation": "sum"}
    (tmp_path / "dynaeval.json").write_text(json.dumps(told))
    other = load_checkpoint(tmp_path)
    assert (other.network.past, other.network.future, other.network.aggregation) == (0, -1, "sum")
    assert other.signature != plain.signature
    assert other.network.score(said(), SPEAKERS) != plain.network.score(said(), SPEAKERS)


def test_a_tensor_of_another_name_can_be_named(tmp_path: Path) -> None:
    made = network()
    tensors = released(made)
    tensors["scorer.fc.weight"] = tensors.pop("clf.lin1.weight")
    torch.save(tensors, tmp_path / "best.pt")
    with pytest.raises(ConfigError, match=r'holds no hidden\.weight .*"hidden\.weight": "\.\.\."'):
        load_checkpoint(tmp_path)
    names = {"names": {"hidden.weight": "scorer.fc.weight"}}
    (tmp_path / "dynaeval.json").write_text(json.dumps(names))
    assert load_checkpoint(tmp_path).network.score(said(), SPEAKERS) == made.score(said(), SPEAKERS)


@pytest.mark.parametrize(
    ("told", "problem"),
    [
        ({"past": -2}, "past and future are -1 or more"),
        ({"words": 0}, "words is 1 or more"),
        ({"words": "many"}, "past and future"),
        ({"aggregation": "max"}, "give mean or sum"),
        ({"window": 3}, "unexpected keyword"),
        ({"names": {"nobody": "x"}}, "names nobody; known are first.weight"),
        ({"names": {"bias": 3}}, "names are texts"),
        ([], "cannot be read"),
    ],
)
def test_settings_that_cannot_be_are_refused(told: Any, problem: str, tmp_path: Path) -> None:
    torch.save(network().state_dict(), tmp_path / "own.pt")
    (tmp_path / "dynaeval.json").write_text(json.dumps(told))
    with pytest.raises(ConfigError, match=problem):
        load_checkpoint(tmp_path)


def test_what_holds_no_network_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="holds neither"):
        load_checkpoint(tmp_path)
    torch.save([1, 2], tmp_path / "list.pt")
    with pytest.raises(ConfigError, match="no tensors by name"):
        load_checkpoint(tmp_path)
    torch.save({}, tmp_path / "other.pt")
    with pytest.raises(ConfigError, match=r"holds 2 files \.pt"):
        load_checkpoint(tmp_path)
    (tmp_path / "model.safetensors").write_bytes(b"nothing of the kind")
    with pytest.raises(ConfigError, match=r"cannot be read.*damaged"):
        load_checkpoint(tmp_path)
    state = network().state_dict()
    wrong = tmp_path / "wrong.pt"
    torch.save(state | {"root": torch.zeros(9, 9)}, wrong)
    with pytest.raises(ConfigError, match="holds another network"):
        load_checkpoint(wrong)
    torch.save(state | {"root": torch.full((4, 3), torch.nan)}, wrong)
    with pytest.raises(ConfigError, match="no finite numbers"):
        load_checkpoint(wrong)
    with pytest.raises(ConfigError, match="5 kinds of edges"):
        sizes_of({**state, "mix": torch.zeros(5, 2)}, wrong)
    with pytest.raises(ConfigError, match="no network of DynaEval's"):
        sizes_of({"first.weight": torch.zeros(2)}, wrong)
