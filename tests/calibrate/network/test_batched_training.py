from __future__ import annotations

from copy import deepcopy
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tests.calibrate.conftest import level, log_loss, make_world, two_raters

from assize.base.artefacts import open_artefact
from assize.base.errors import DataError
from assize.base.judgment import Question
from assize.calibrate._artefact import KIND, load, save
from assize.calibrate._calibrator import predict
from assize.calibrate._data.features import Block, Features
from assize.calibrate._data.forms import NO_ANSWER, UNKNOWN, Forms, Scale
from assize.calibrate._network.answer_embeddings import AnswerEmbedding, Embeddings
from assize.calibrate._network.batched_training import BatchedTraining, adam_step
from assize.calibrate._network.fit import fit_networks
from assize.calibrate._network.grids import Grid
from assize.calibrate._network.minibatches import EMPTY, draw_minibatches
from assize.calibrate._network.search import search
from assize.calibrate._network.training import Job, Setting, train
from assize.stats._studies import dealt

torch = pytest.importorskip("torch")
FAST = Setting(hidden1=6, hidden2=5, batch=32, rate=0.01, pretrain=3, finetune=2, initial=1.0)
NAMES = tuple(f"a{n}" for n in range(7))


def three(x: np.ndarray) -> np.ndarray:
    """The same by three raters; the third answers as the first."""
    return level(x)[:, [0, 1, 0]]


def everything(rows: int = 60) -> tuple[Forms, Embeddings]:
    """Two questions, one of seven answers with vectors; helpers, weights, thinned rows, a score
    beside the answers, gaps."""
    rng = np.random.default_rng(0)
    many = Question("many", kind="nominal", answers=NAMES)
    few = Question("few", kind="nominal", answers=("x", "y", "z"))
    blocks = (
        Block("m", "", "many", NAMES, tuple(map(float, range(7))), ordered=False),
        Block("m", "", "few", ("x", "y", "z"), (0, 1, 2), ordered=False),
        Block("e", "", "score", (), (), ordered=True, late=True),
    )
    x = np.hstack([rng.dirichlet(np.ones(n), rows) for n in (7, 3)])
    x = np.hstack([x, rng.normal(5, 3, (rows, 1))])
    features = Features(tuple((f"i{n}", None) for n in range(rows)), blocks, x)
    y = np.stack([rng.integers(-1, 7, rows), rng.integers(-1, 3, rows)], axis=1)
    forms = Forms(
        x,
        np.arange(rows),
        rng.integers(-1, 3, rows),
        y,
        (Scale.of(many), Scale.of(few)),
        features,
        ("r0", "r1", "helper"),
        helpers=1,
        weight=rng.uniform(0.5, 3, rows),
        thinned=rng.random(rows) < 0.3,
    )
    return forms, {"many": AnswerEmbedding("many", NAMES, rng.normal(size=(7, 2)))}


@pytest.mark.parametrize("target", ["many", "few"])
@pytest.mark.parametrize("tuning", [False, True])
def test_gradients_are_those_of_the_formulas_row_by_row(
    tuning: bool, target: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    forms, codes = everything()
    forms = forms.with_target(target)
    rows = np.arange(10, 60)
    jobs = [Job(replace(FAST, dropout=0.2), rows, seed) for seed in (0, 1)]
    batch = BatchedTraining(forms, jobs, codes)
    if tuning:
        batch.finetune(0)
    for part in batch.weights.tensors:
        part += 0.1 * torch.randn(part.shape, generator=torch.Generator().manual_seed(1))
    streams, weights = deepcopy(batch.streams), batch.weights.map(torch.clone)
    caught: list[Any] = []
    monkeypatch.setattr(batch, "_move", caught.append)
    batch._step()
    drawn, _ = draw_minibatches(streams, 32, batch.group, batch.groups)
    for part in weights.tensors:
        part.requires_grad_()
    # Summed over models: each has its own parameters, so that gradients do not mix.
    loss = sum(one_loss(batch, forms, codes, weights, model, drawn[model]) for model in (0, 1))
    for mine, theirs in zip(caught[0], torch.autograd.grad(loss, weights.tensors), strict=True):
        assert torch.allclose(mine, theirs, atol=1e-5)


def one_loss(
    batch: BatchedTraining,
    forms: Forms,
    codes: Embeddings,
    weights: Any,
    model: int,
    drawn: np.ndarray,
) -> Any:
    """The loss of one model's batch, row by row, as the formulas say it."""
    assert forms.weight is not None
    code = torch.tensor(codes["many"].vectors, dtype=torch.float32)
    inputs = batch.inputs[model]
    x = inputs.transform(forms.x, forms.thinned)
    if not batch.tuning:
        x[:, inputs.late_inputs] = 0
    questions = range(1 if batch.tuning else 2)
    used = np.arange(10, 60)
    if batch.tuning:
        used = used[~forms.by_helper[used]]
    counts = forms.weight / forms.weight[used].mean()
    total, answers = torch.zeros(()), 0
    for group, slots in enumerate(drawn):
        for row in slots[slots != EMPTY]:
            z = torch.tensor(x[row], dtype=torch.float32)
            for layer in range(3):
                own = weights.own[layer][model]
                matrix = weights.shared[layer][model]
                matrix = matrix + own[group] if group < len(own) else matrix
                out = torch.cat([torch.ones(1), z]) @ matrix
                z = torch.sigmoid(out)
            for place in questions:
                y = int(forms.answers[row, place])
                if y == NO_ANSWER:
                    continue
                columns = out.reshape(len(questions), -1)[place]
                if forms.scales[place].id == "many":
                    logits = code @ columns[:2] + weights.bias[0][model]
                else:
                    logits = columns[:3]
                total = total - counts[row] * torch.log_softmax(logits, 0)[y]
                answers += 1
    return total / answers


def test_a_mean_heads_loss_counts_by_weight_and_leaves_gaps_out() -> None:
    forms, _ = everything()
    batch = BatchedTraining(forms, [Job(replace(FAST, head="mean"), np.arange(60), 0)])
    batch.finetune(0)
    assert forms.weight is not None
    ((_, network),) = batch.networks()
    streams = deepcopy(batch.streams)
    mine = float(batch._loss())
    ((drawn,), _) = draw_minibatches(streams, 32, batch.group, batch.groups)
    z = network.inputs.transform(forms.x, forms.thinned)
    weight = forms.weight / forms.weight[~forms.by_helper].mean()
    losses = []
    for group, slots in enumerate(drawn):
        rater = group if group < len(forms.trusted) else UNKNOWN
        known = [row for row in slots[slots != EMPTY] if forms.y[row] != NO_ANSWER]
        values = network._answers(z[known], rater)[:, 0]
        losses += [*(weight[known] * (values - forms.values[known]) ** 2)]
    assert mine == pytest.approx(np.mean(losses), rel=1e-5)


def test_a_published_network_is_what_it_was_before_there_was_more() -> None:
    # Numbers of the code before helpers, weights, late inputs and vectors of answers.
    forms = two_raters()
    more = replace(FAST, dropout=0.2, wait=1)
    for setting, expected in (
        (FAST, [0.02749947, 0.46812206, 0.068519, 0.43585947]),
        (more, [0.16522516, 0.32184502, 0.26218513, 0.25074469]),
        (replace(FAST, head="mean"), [-0.88767095]),
    ):
        network = train(forms, [Job(setting, np.arange(150), 7)])[0]
        found = network.probabilities(forms.x[150:151], forms.rater[150:151])[0]
        assert found == pytest.approx(expected, abs=1e-5)


def test_helpers_take_part_in_pretraining_only() -> None:
    forms = replace(make_world(three, rows=300, raters=3, seed=1).forms, helpers=1)
    other = replace(forms, answers=np.where(forms.by_helper[:, None], 0, forms.answers))
    for pretrain, same in ((0, True), (3, False)):
        job = Job(replace(FAST, pretrain=pretrain), np.arange(300), 0)
        mine, theirs = (train(one, [job])[0] for one in (forms, other))
        assert np.array_equal(mine.shared[0], theirs.shared[0]) == same
        assert mine.shape.raters == 2
        assert [None if own is None else len(own) for own in mine.own] == [2, 2, 2]


@pytest.mark.parametrize(
    ("wait", "finetune", "moved"), [(99, 0, False), (99, 1, True), (3, 0, False), (1, 0, True)]
)
def test_raters_wait_at_zero_while_the_shared_weights_are_pretrained(
    wait: int, finetune: int, moved: bool
) -> None:
    setting = replace(FAST, wait=wait, finetune=finetune)
    network = train(two_raters(100), [Job(setting, np.arange(100), 0)])[0]
    assert all(own is not None and own.any() == moved for own in network.own)


def test_only_trusted_raters_are_counted_in_the_search() -> None:
    forms = replace(make_world(three, rows=240, raters=3, seed=1).forms, helpers=1)
    other = replace(forms, answers=np.where(forms.by_helper[:, None], 0, forms.answers))
    folds = dealt(forms.item, 3, np.random.default_rng(0))
    grid = Grid((4,), (4,), (32,), (0.01,), (0,), (1, 2))
    mine, theirs = (search(one, grid, folds, 0) for one in (forms, other))
    assert np.array_equal(mine.values, theirs.values)
    assert mine.counts.sum() == (~forms.by_helper).sum()
    folds = np.where(forms.by_helper, 2, folds % 2)
    with pytest.raises(DataError, match="take fewer folds"):
        search(forms, grid, folds, 0)


def test_nothing_of_a_helper_is_in_the_folder(tmp_path: Any) -> None:
    forms = make_world(three, rows=120, raters=3, seed=1).forms
    forms = replace(forms, helpers=1, raters=("ann", "bob", "helpful-carla"))
    save(fit_networks(forms, FAST, [0]), tmp_path)
    assert load(tmp_path).raters == ("ann", "bob")
    assert "carla" not in (tmp_path / "calibration.json").read_text()
    arrays = open_artefact(KIND, tmp_path).arrays()
    assert {len(array) for name, array in arrays.items() if ".own." in name} == {2}


def test_helpers_without_the_target_are_learnt_from_too() -> None:
    forms = replace(make_world(three, rows=200, raters=3, seed=1).forms, helpers=1)
    answers = forms.answers.copy()
    answers[forms.by_helper, 0] = NO_ANSWER
    forms = replace(forms, answers=answers)
    without = forms.take(~forms.by_helper)
    mine, theirs = (fit_networks(one, FAST, [0]).networks[0] for one in (forms, without))
    assert not np.array_equal(mine.shared[0], theirs.shared[0])
    nobody = forms.take(forms.by_helper)
    with pytest.raises(DataError, match="by raters who are to be predicted"):
        fit_networks(nobody, FAST, [0])


def with_score(forms: Forms, score: np.ndarray) -> Forms:
    block = Block("e", "", "score", (), (), ordered=True)
    features = forms.features.beside(Features(forms.features.units, (block,), score[:, None]))
    return replace(forms, x=features.x[forms.item], features=features)


def test_late_inputs_wait_until_the_answers_are_learnt() -> None:
    forms = two_raters(2_000)
    rng = np.random.default_rng(0)
    told = forms.y + rng.normal(0, 0.5, 2_000)
    setting = Setting(8, 8, 64, 0.005, 5, 10, initial=1.0)
    jobs = [Job(replace(setting, finetune=finetune), np.arange(1_500), 0) for finetune in (0, 10)]
    waiting, switched = train(with_score(forms, told), jobs)
    noise = train(with_score(forms, rng.normal(size=2_000)), jobs[:1])[0]
    other = with_score(forms, -told)
    rows = np.arange(1_500, 2_000)
    x, rater = with_score(forms, told).x[rows], forms.rater[rows]
    p = waiting.probabilities(x, rater)
    assert np.array_equal(p, waiting.probabilities(other.x[rows], rater))
    assert np.array_equal(p, noise.probabilities(x, rater))
    plain = train(forms, jobs[1:])[0]
    losses = [
        log_loss(found, forms.y[rows])
        for found in (switched.probabilities(x, rater), plain.probabilities(x[:, :8], rater))
    ]
    assert losses[0] < losses[1] - 0.3
    missing = np.column_stack([x[:, :8], np.full(500, np.nan)])
    average = np.column_stack([x[:, :8], np.full(500, told[:1_500].mean())])
    assert switched.probabilities(missing, rater) == pytest.approx(
        switched.probabilities(average, rater)
    )


def test_a_path_gives_what_training_each_setting_gives_with_everything() -> None:
    forms, codes = everything(120)
    folds = dealt(forms.item, 2, np.random.default_rng(0))
    grid = Grid((4, 6), (4,), (16,), (0.01, 0.001), (1, 3), (2, 4))
    found = search(forms, grid, folds, 4, embeddings=codes)
    assert len(found.settings) == len(grid) == 16
    for place in (0, 5, 15):
        rows = np.flatnonzero(folds != 0)
        held = np.flatnonzero((folds == 0) & (forms.y != NO_ANSWER) & ~forms.by_helper)
        network = train(forms, [Job(found.settings[place], rows, 4)], codes)[0]
        some = forms.take(held)
        x = network.inputs.transform(some.x, some.thinned)
        logs = []
        for row, inputs in zip(held, x, strict=True):
            z = inputs
            rater = int(forms.rater[row])
            for layer in (0, 1):
                z = 1 / (1 + np.exp(-np.append(1, z) @ network.matrix(layer, rater)))
            logits = np.append(1, z) @ network.head(rater)
            logs.append(logits[forms.y[row]] - np.log(np.exp(logits).sum()))
        mean = np.average(logs, weights=forms.weight[held])  # type: ignore[index]
        assert found.values[place, 0, 0] == pytest.approx(mean, abs=1e-4)
        assert found.counts[0, 0] == pytest.approx(forms.weight[held].sum())  # type: ignore[index]


@pytest.mark.parametrize("target", ["many", "few"])
def test_networks_with_everything_come_back_as_they_were(target: str, tmp_path: Any) -> None:
    forms, codes = everything()
    forms = forms.with_target(target)
    fitted = fit_networks(forms, FAST, [0, 1], codes)
    signed = save(fitted, tmp_path)
    again = load(tmp_path)
    mine, other = (predict(one, forms.features, [0, 1, UNKNOWN]) for one in (fitted, again))
    assert np.array_equal(mine, other)
    assert mine.sum(axis=2) == pytest.approx(1)
    assert save(again, tmp_path / "again") == signed


def test_stacked_models_move_as_torchs_adam_moves_each_at_its_own_rate() -> None:
    torch.manual_seed(0)
    start = torch.randn(3, 4, 2)
    gradients = [torch.randn(3, 4, 2) for _ in range(5)]
    rates = [(slice(0, 1), 0.1), (slice(1, 3), 0.003)]
    part, moment, square = start.clone(), torch.zeros(3, 4, 2), torch.zeros(3, 4, 2)
    for step, gradient in enumerate(gradients, start=1):
        adam_step([part], [gradient], [moment], [square], step=step, rates=rates)
    for models, rate in rates:
        alone = start[models].clone().requires_grad_()
        optimiser = torch.optim.Adam([alone], lr=rate)
        for gradient in gradients:
            alone.grad = gradient[models].clone()
            optimiser.step()
        assert torch.allclose(part[models], alone.detach(), atol=1e-6)


def test_a_hidden_row_is_read_as_one_that_was_never_answered() -> None:
    forms, codes = everything()
    batch = BatchedTraining(forms, [Job(replace(FAST, mask=0.3), np.arange(60), 0)], codes)
    inputs = batch.inputs[0]
    batch.finetune(0)  # with what stands beside the answers
    hidden = torch.zeros((1, 1, 1, 3), dtype=torch.bool)
    hidden[..., [0, 2]] = True
    found = batch._masked(batch.x[:, 5].view(1, 1, 1, -1), hidden).flatten()[1:].numpy()
    x = forms.x[5:6].copy()
    x[:, :7], x[:, 10] = np.nan, np.nan
    assert forms.thinned is not None
    assert found == pytest.approx(inputs.transform(x, forms.thinned[5:6])[0], abs=1e-6)
