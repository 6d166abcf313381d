from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from assize.base.conversation import Conversation, Turn
from assize.base.errors import ConfigError, DataError
from assize.base.judgment import Judgment, Unscored
from assize.calibrate import FittedCalibrator, fit_default
from assize.calibrate._artefact import signature
from assize.calibrate._calibrator import predict
from assize.calibrate._data.embedding import embed_conversations
from assize.calibrate._data.forms import Scale
from assize.calibrate._groups.multicalibration import Correction, Patch
from assize.calibrate._prediction.reward import trl_reward
from assize.encoders import load_encoder


class Judge:
    """Answers about the n-th conversation as the n-th item's features; fails on "bad"."""

    def __init__(self, x: np.ndarray) -> None:
        self.x = x
        self.seen: list[Conversation] = []

    def __call__(self, chats: Sequence[Conversation]) -> list[Judgment]:
        self.seen = list(chats)
        rows = []
        for n, chat in enumerate(chats):
            for place, question in enumerate(("Q0", "Q1")):
                if chat.turns[-1].text == "bad":
                    rows.append(Judgment(chat.id, "m", question, unscored=Unscored("parse")))
                    continue
                p = self.x[n, 4 * place : 4 * place + 4]
                shares = dict(zip("1234", p.tolist(), strict=True))
                rows.append(Judgment(chat.id, "m", question, distribution=shares, kind="model"))
        return rows


def test_a_reward_is_the_raters_expected_answer(forms: Any) -> None:
    fitted, judge = fit_default(forms), Judge(forms.features.x)
    reward = trl_reward(fitted, judge)
    found = reward(prompts=["a", "b", "c"], completions=["1", "bad", "3"], answer=["x"] * 3)
    expected = (predict(fitted, forms.features, [0, 1])[:3] @ [1, 2, 3, 4]).mean(axis=1)
    assert found[0] == pytest.approx(expected[0])
    assert found[1] is None
    assert found[2] == pytest.approx(expected[2])
    assert reward.__name__ == "assize_Q0"
    (one,) = trl_reward(fitted, judge, [1])(prompts=["a"], completions=["1"])
    assert one == pytest.approx(predict(fitted, forms.features, [1])[0, 0] @ [1, 2, 3, 4])
    assert reward(prompts=["a"], completions=["bad"]) == [None]


def test_messages_become_turns_and_text_in_parts_is_read_as_everywhere_else(forms: Any) -> None:
    judge = Judge(forms.features.x)
    reward = trl_reward(fit_default(forms), judge)
    prompt = [{"role": "system", "content": "be kind"}, {"role": "user", "content": "hello"}]
    reward(prompts=[prompt], completions=[[{"role": "assistant", "content": "hi"}]])
    said = [(turn.role, turn.text) for turn in judge.seen[0].turns]
    assert said == [("system", "be kind"), ("user", "hello"), ("assistant", "hi")]
    parts = [{"type": "text", "text": "hi"}, {"type": "text", "text": "there"}]
    reward(prompts=["hello"], completions=[[{"role": "assistant", "content": parts}]])
    assert set(judge.seen[0].turns[-1].text.split()) == {"hi", "there"}


IMAGE = [{"role": "assistant", "content": [{"type": "image"}]}]


@pytest.mark.parametrize(
    ("prompts", "completions", "message"),
    [
        (["a", "b"], ["1"], "2 prompts, but 1 completions"),
        ([["a"]], ["1"], r"prompts\[0\]\[0\]: received 'a'; expected an object"),
        (
            ["a"],
            [[{"role": "x", "content": "1"}]],
            r"completions\[0\]\[0\].role: received 'x'; known names",
        ),
        (["a"], [IMAGE], "prompt or completion 0: only texts can be judged"),
    ],
)
def test_what_cannot_be_read_is_an_error(
    forms: Any, prompts: list[Any], completions: list[Any], message: str
) -> None:
    with pytest.raises(DataError, match=message):
        trl_reward(fit_default(forms), Judge(forms.features.x))(
            prompts=prompts, completions=completions
        )


def test_what_cannot_be_rewarded_is_an_error(forms: Any) -> None:
    fitted, judge = fit_default(forms), Judge(forms.features.x)
    stray = trl_reward(fitted, lambda _: [Judgment("7", "m", "Q0", answer="1", kind="model")])
    with pytest.raises(DataError, match="an answer about '7', which was not asked about"):
        stray(prompts=["a"], completions=["1"])
    with pytest.raises(ConfigError, match="name at least one rater"):
        trl_reward(fitted, judge, [])
    question = replace(forms.target.question, kind="nominal", values=None)
    nominal = fit_default(replace(forms, scales=(Scale.of(question), forms.scales[1])))
    with pytest.raises(ConfigError, match="not ordered: they have no mean to reward"):
        trl_reward(nominal, judge)


def test_a_reward_is_corrected_by_rater_and_by_columns_of_the_batch(forms: Any) -> None:
    fitted, judge = fit_default(forms), Judge(forms.features.x)
    patches = (
        Patch("rater", "r1", 1, None, 1.5),
        Patch("metadata.user.language", "de", 1, None, 1.0),
    )
    fields = ("rater", "metadata.user.language")
    learnt = Correction(signature(fitted), fields, patches, 0.02, 50, 600, 300)
    batch = {"prompts": ["a", "b", "c"], "completions": ["1", "2", "3"]}
    user = [{"language": "de"}, {"language": "en"}, None]
    found = trl_reward(fitted, judge, None, learnt)(**batch, user=user)
    some = forms.features.take(np.arange(3))
    groups = {"metadata.user.language": ("de", "en", None)}
    p = FittedCalibrator(fitted, learnt).probabilities(some, [0, 1], groups)
    assert found == pytest.approx((p @ [1, 2, 3, 4]).mean(axis=1).tolist())
    plain = trl_reward(fitted, judge)(**batch)
    assert all(a < b - 0.01 for a, b in zip(found, plain, strict=True) if a and b)
    for lacking in ({}, {"user": "de"}, {"user": user[:2]}):
        with pytest.raises(
            DataError, match="give the data set a column 'user', one value a prompt"
        ):
            trl_reward(fitted, judge, None, learnt)(**batch, **lacking)
    by_rater = replace(learnt, fields=("rater",), patches=patches[:1])
    (one,) = trl_reward(fitted, judge, [0], by_rater)(prompts=["a"], completions=["1"])
    assert one == pytest.approx(trl_reward(fitted, judge, [0])(prompts=["a"], completions=["1"])[0])
    with pytest.raises(DataError, match="learnt for another calibrator"):
        trl_reward(fitted, judge, None, replace(learnt, calibrator="other"))


def test_a_reward_reads_the_conversations_embeddings(forms: Any) -> None:
    """Fitted on what only the embedding tells: texts that say the one or the other."""
    texts = ["rain and mud", "a wedding cake"]
    chats = [
        Conversation(unit, (Turn("user", "?"), Turn("assistant", texts[n % 2])))
        for n, (unit, _) in enumerate(forms.features.units)
    ]
    vectors = embed_conversations(forms.features.units, chats, load_encoder("minilm"), "minilm")
    features = forms.features.beside(vectors)
    high = (forms.item % 2 == 1) * 2 + np.random.default_rng(0).integers(2, size=len(forms))
    answers = np.where(np.arange(forms.answers.shape[1]) == 0, high[:, None], forms.answers)
    learnt = replace(forms, x=features.x[forms.item], features=features, answers=answers)
    judge = Judge(np.tile(forms.features.x[:1], (2, 1)))
    rewards: Any = trl_reward(fit_default(learnt), judge)(prompts=["?", "?"], completions=texts)
    assert rewards[1] > rewards[0] + 1
