"""`dynaeval@FOLDER`: a tiny network on a tiny encoder, among the judges."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from published_asked import PAIR, TALK
from tiny_bert import make_bert

from assize.conversation import Conversation, Item, Pair, Turn
from assize.errors import ConfigError
from assize.judging.judge import JudgeContext, Task
from assize.judging.table import open_judge
from assize.judgment import Judgment
from assize.models import Models

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A network for vectors of 16 numbers, with a BERT that gives them."""
    torch: Any = pytest.importorskip("torch")
    from assize.judging.published.dynaeval.network import Network, Sizes

    place = tmp_path_factory.mktemp("dynaeval")
    torch.manual_seed(3)
    sizes = Sizes(vector=16, reduced=8, context=6, graph=4, hidden=4, bases=2)
    torch.save(Network(sizes).state_dict(), place / "best.pt")
    make_bert(place / "encoder")
    return place


def judged(folder: Path, *items: Item, **options: Any) -> list[Sequence[Judgment]]:
    async def run() -> list[Sequence[Judgment]]:
        judge = open_judge(f"dynaeval@{folder}", JudgeContext(Models(), options=options))
        return list(await asyncio.gather(*(judge.judge(Task(one)) for one in items)))

    return asyncio.run(run())


CATS = Conversation("cats", (Turn("user", "the cat sat on the mat"), Turn("assistant", "it ran")))


def test_what_stands_beside_a_dialogue_does_not_change_its_score(folder: Path) -> None:
    together = [row.score for (row,) in judged(folder, TALK, CATS, *PAIR.sides())]
    alone = [judged(folder, one)[0][0].score for one in (TALK, CATS, *PAIR.sides())]
    assert together == alone
    assert all(one is not None and 0 < one < 1 for one in alone)
    assert len(set(alone)) == 4


def test_the_score_is_the_networks_on_mean_token_states_with_marks(folder: Path) -> None:
    import torch
    from transformers import AutoModel, AutoTokenizer

    from assize.judging.published.dynaeval.weights import load_checkpoint

    tokenizer: Any = AutoTokenizer.from_pretrained(folder / "encoder")
    model: Any = AutoModel.from_pretrained(folder / "encoder").eval()
    with torch.inference_mode():
        vectors = torch.stack([
            model(**tokenizer(turn.text, return_tensors="pt")).last_hidden_state[0].mean(dim=0)
            for turn in CATS.turns
        ])  # fmt: skip
        expected = load_checkpoint(folder).network.score(vectors, [0, 1])
    ((row,),) = judged(folder, CATS)
    assert row.score == pytest.approx(expected, abs=1e-5)
    assert (row.question, row.item) == ("dynaeval", "cats")


def test_of_a_pair_the_more_coherent_side_wins(folder: Path) -> None:
    ((row,),) = judged(folder, PAIR)
    a, b = (one.score or 0 for (one,) in judged(folder, *PAIR.sides()))
    assert (row.question, row.order) == ("preference", None)
    assert row.answer == ("A" if a > b else "B")
    assert row.details == {"scores": {"A": a, "B": b}}
    same = Pair("s", PAIR.context, PAIR.a, PAIR.a)
    assert judged(folder, same)[0][0].answer == "tie"


def test_only_what_people_and_assistants_say_is_an_utterance(folder: Path) -> None:
    more = replace(
        CATS, turns=(Turn("system", "the dog"), *CATS.turns, Turn("tool", "it"), Turn("user", " "))
    )
    assert judged(folder, more)[0][0].score == judged(folder, CATS)[0][0].score
    ((row,),) = judged(folder, Conversation("none", (Turn("system", "the dog"),)))
    assert row.unscored is not None
    assert row.unscored.reason == "empty"


def test_words_beyond_the_thirtieth_are_not_read_and_that_is_said(folder: Path) -> None:
    words = "the cat sat on the mat and ran " * 3
    short = Conversation("c", (Turn("user", words), Turn("assistant", "it ran")))
    long = Conversation(
        "c", (Turn("user", words + "the dog ran over the deep river"), short.turns[1])
    )
    ((one,), (other,)) = judged(folder, short, long)
    assert one.details is None
    assert other.details == {"cut_turns": 1}
    assert one.score != other.score  # 24 words against 30 of 31


def test_the_encoder_can_be_named_and_must_fit(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spoken = f"hf:{folder / 'encoder'}"
    file = tmp_path / "best.pt"
    file.write_bytes((folder / "best.pt").read_bytes())
    assert judged(file, CATS, encoder=spoken)[0][0].score == judged(folder, CATS)[0][0].score
    with pytest.raises(ConfigError, match="name the sentence encoder with --encoder"):
        judged(tmp_path, CATS)
    import torch

    from assize.judging.published.dynaeval.network import Network, Sizes

    torch.save(Network(Sizes(vector=8, reduced=4, context=4)).state_dict(), file)
    with pytest.raises(ConfigError, match=r"reads vectors of 8 numbers and .* gives 16"):
        judged(file, CATS, encoder=spoken)


def test_the_signature_is_made_of_weights_settings_and_encoder(
    folder: Path, tmp_path: Path
) -> None:
    def signature(place: Path) -> str:
        return open_judge(f"dynaeval@{place}", JudgeContext(Models())).signature

    copy = tmp_path / "copy"
    copy.mkdir()
    (copy / "best.pt").write_bytes((folder / "best.pt").read_bytes())
    make_bert(copy / "encoder")
    assert signature(copy) == signature(folder)
    (copy / "dynaeval.json").write_text(json.dumps({"past": 1}))
    assert signature(copy) != signature(folder)


def test_vectors_are_those_of_single_precision(folder: Path) -> None:
    from assize.encoders import load_encoder
    from assize.judging.published.dynaeval.judge import DynaEval
    from assize.judging.published.dynaeval.weights import load_checkpoint

    made = DynaEval(load_checkpoint(folder), load_encoder(f"hf:{folder / 'encoder'}"))
    (found,) = made.scores([CATS])
    assert found is not None
    assert found[1] == 0
    assert np.isfinite(found[0])
    assert made.scores([]) == []
