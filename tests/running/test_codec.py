"""Keys of records."""

from __future__ import annotations

from assize.running import Codec, key_of


def test_keys_stay_what_they_were_for_stored_calls_name_them() -> None:
    assert key_of("p1", "io@scripted:any", "AB", 0) == 3016956247527587092
    assert key_of("p1", "io@scripted:any", None, 0) != 3016956247527587092


def test_a_codec_that_says_no_more_keeps_every_record_whole() -> None:
    plain: Codec[bytes] = Codec("f", encode=bytes, key=lambda line: key_of(line["id"]))
    assert plain.whole([{"id": 1}])
    assert not plain.again([{"id": 1}])
    assert plain.cost({"id": 1}) == 0.0
