"""The card of an evaluator, as it is shown."""

from __future__ import annotations

from assize.evaluator._results import ModelCard


def test_a_card_prints_as_it_is_written_and_is_escaped_on_a_page() -> None:
    card = ModelCard("x", "# x\n\n<b>", "0f")
    assert str(card) == "# x\n\n<b>"
    assert card._repr_html_() == "<pre># x\n\n&lt;b&gt;</pre>"
    assert card.to_json() == {"name": "x", "text": "# x\n\n<b>", "signature": "0f"}
