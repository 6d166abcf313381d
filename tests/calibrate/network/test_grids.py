from __future__ import annotations

from dataclasses import replace

from assize.calibrate._network.grids import GRIDS, PUBLISHED, SMALL, STARTS, Grid


def test_the_published_grid_is_the_one_that_the_paper_prints() -> None:
    assert len(replace(PUBLISHED, initial=())) == 4 * 4 * 4 * 7 * 6 * 6 == 16_128
    assert min(PUBLISHED.rate) == 1e-5
    assert max(PUBLISHED.pretrain) == max(PUBLISHED.finetune) == 50


def test_every_grid_tries_several_starts() -> None:
    for grid in GRIDS.values():
        assert grid.starts == STARTS
        assert {0.1, 1.0} < set(grid.starts)
    assert len(SMALL) == 48 * len(STARTS)
    assert [one.initial for one in SMALL.sizes()] == list(STARTS)


def test_without_starts_the_base_has_its_own() -> None:
    assert Grid().starts == (Grid().base.initial,)
