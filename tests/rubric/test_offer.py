"""`rubric` in the table of judges."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from assize.errors import ConfigError, DataError
from assize.judging.judge import JudgeContext
from assize.judging.table import open_judge
from assize.models import Models


def test_the_table_opens_it_with_the_sessions_rubric_and_variant() -> None:
    async def opened(written: str, **options: Any) -> Any:
        async with Models() as models:
            judge = open_judge(written, JudgeContext(models, options=options))
            return judge.name, [one.id for one in judge.questions if one.extra.get("main")]

    assert asyncio.run(opened("rubric@scripted:any")) == ("rubric@scripted:any", ["overall"])
    name, main = asyncio.run(
        opened("rubric/newcomer+reasons@scripted:any", rubric="information-seeking")
    )
    assert (name, main) == ("rubric/reasons+newcomer@scripted:any", ["Q0"])
    with pytest.raises(ConfigError, match="io has no variants"):
        asyncio.run(opened("io/reasons@scripted:any"))


def test_an_adaptive_rubric_needs_a_calibrator(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="a calibrator is a folder with this file in it"):
        open_judge(
            "rubric@scripted:any", JudgeContext(Models(), options={"adaptive": str(tmp_path)})
        )
