from __future__ import annotations

import stat
import time
from pathlib import Path
from typing import Any

import pytest
from benchmarks.scrubbing import measure, ours, presidio
from hypothesis import given
from hypothesis import strategies as st

from assize.base.conversation import Continuation, Conversation, Pair, Reference, ToolCall, Turn
from assize.base.errors import DataError
from assize.simulate._scrubber.scrubber import Scrubber, read_mapping, scrubber_in

CHAT = Conversation(
    "c",
    (
        Turn("user", "I'm Anna Nowak, anna@x.org."),
        Turn(
            "assistant",
            "Dear Nowak, see [NAME 1].",
            (Reference("1", "Anna", "call 0171 5551234"),),
            tool_calls=(ToolCall("t", "find", {"mail": ["anna@x.org"], "n": 3}),),
        ),
    ),
)


def test_one_value_has_one_placeholder_in_all_that_a_scrubber_sees() -> None:
    scrubber = Scrubber()
    clean: Any = scrubber.item(CHAT)
    first, second = clean.turns
    assert first.text == "I'm [NAME 1], [MAIL 1]."
    assert second.text == "Dear [NAME 2], see [LITERAL 1]."
    assert second.references[0].text == "call [PHONE 1]"
    assert second.tool_calls[0].arguments == {"mail": ["[MAIL 1]"], "n": 3}
    again = scrubber.texts(["anna@x.org, Anna Nowak and Anna"])
    assert again == ["[MAIL 1], [NAME 1] and [NAME 3]"]
    assert scrubber.counts["MAIL"] == 3


def test_pairs_and_continuations_are_scrubbed_as_one_conversation() -> None:
    scrubber = Scrubber()
    sides = (Turn("assistant", "Hi Nowak"),), (Turn("assistant", "Bye"),)
    pair: Any = scrubber.item(Pair("p", CHAT.turns[:1], *sides))
    assert (pair.context[0].text, pair.a[0].text) == ("I'm [NAME 1], [MAIL 1].", "Hi [NAME 2]")
    one: Any = scrubber.item(Continuation("k", CHAT.turns[:1], "Hi Nowak", ("anna@x.org",)))
    assert (one.candidate, one.references) == ("Hi [NAME 2]", ("[MAIL 1]",))


@given(st.lists(st.text(alphabet="Ann aBob@x.org 0123456789[NAME]-:'", max_size=50), max_size=4))
def test_whatever_is_taken_out_goes_back_in(texts: list[str]) -> None:
    scrubber = Scrubber(terms=["bob"])
    assert [scrubber.restored(one, scrubber.placed) for one in scrubber.texts(texts)] == texts


def test_the_names_of_arguments_are_scrubbed_too() -> None:
    call = ToolCall("t", "find", {"anna@x.org": {"bob@x.org": 1}})
    chat = Conversation("c", (Turn("assistant", "", tool_calls=(call,)),))
    clean: Any = Scrubber().item(chat)
    assert clean.turns[0].tool_calls[0].arguments == {"[MAIL 1]": {"[MAIL 2]": 1}}


def test_terms_of_one_s_own_are_taken_in_any_case() -> None:
    scrubber = Scrubber(terms=["Project Falcon", "falcon"])
    assert scrubber.texts(["project falcon, Falcon, falconry"]) == ["[TERM 1], [TERM 2], falconry"]


def test_the_mapping_is_the_owner_s_alone_and_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "scrubbed.json"
    for texts, clean in (
        (["anna@x.org"], ["[MAIL 1]"]),
        (["bob@x.org, anna@x.org"], ["[MAIL 2], [MAIL 1]"]),
    ):
        scrubber = scrubber_in(tmp_path)
        assert scrubber.texts(texts) == clean
        scrubber.save(path)
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize(
    "content",
    [
        "nothing",
        "[]",
        '{"x": "y"}',
        '{"placeholders": {"[NAME 1]": 1}, "conversations": {}}',
        '{"placeholders": {"x": "y"}, "conversations": {}}',
        '{"placeholders": {}, "conversations": {"c": ["[NAME 1]"]}}',
    ],
)
def test_another_file_is_no_mapping(content: str, tmp_path: Path) -> None:
    path = tmp_path / "m.json"
    path.write_text(content)
    with pytest.raises(DataError, match=r"scrubbed\.json"):
        read_mapping(path)


ADVERSARIAL = [
    # signs in other clothes, as a second reader hid them
    ("anna@firm\u3002example", "anna"),
    ("anna%40firm.com", "anna"),
    ("anna&#64;firm.com", "anna"),
    ("anna{at}firm{dot}com", "anna"),
    ("anna <at> firm <dot> com", "anna"),
    ("call 0171 - 555 - 1234", "555"),
    ("call 0171\u2022555\u20221234", "555"),
    ("call 0171_555_1234", "555"),
    ("call 0171\t555\t1234", "555"),
    ("2001:db8::ff00:42:8329", "ff00"),
    ("\u662d\u548c55\u5e743\u670812\u65e5", "55"),
    ("Kaiser-Wilhelm-Stra\u00dfe 3", "Wilhelm"),
    ("Passwort: geheim12", "geheim"),
    ("mot de passe : s3cr3t!", "s3cr3t"),
    ("\u043f\u0430\u0440\u043e\u043b\u044c: qwerty12", "qwerty"),
    ("-----BEGIN PGP PRIVATE KEY BLOCK-----\nMII\n-----END PGP PRIVATE KEY BLOCK-----", "MII"),
    # blanks, dashes, digits and signs that look like others
    ("call 0171\u00a0555\u00a01234", "555"),
    ("call 0171\u2013555\u20131234", "555"),
    ("\uff10\uff11\uff17\uff11 \uff15\uff15\uff15 \uff11\uff12\uff13\uff14", "\uff15"),
    ("anna\uff20firm.org", "anna"),
    ("anna@firm\uff0eorg", "anna"),
    ("Ich bin Ju\u0308rgen Mu\u0308ller", "Ju"),
    ("Je m\u2019appelle \u00c9lodie Durand", "Durand"),
    ("I'm\u200b An\u200bna Berg", "Berg"),
    ("my name is\u00a0Anna Berg", "Anna"),
    ("4\u00a0March\u00a01985", "1985"),
    ("4111\u20131111\u20131111\u20131111", "1111"),
    ("DE89\u00a03704\u00a00044\u00a00532\u00a00130\u00a000", "3704"),
    ("tel: +33.6.12.34.56.78", "12.34"),
    ("\u0660\u0661\u0660\u0661\u0662\u0663\u0664\u0665\u0666\u0667\u0668", "\u0661"),
    ("anna (at) firm (dot) org", "anna"),
    ("anna at firm dot org", "anna"),
    ("anna @ firm.org", "anna"),
    # names in other scripts
    ("Меня зовут Иван Петров.", "Иван"),
    ("Я говорил с Анной Сергеевной вчера", "Анной"),
    ("привет, Ольга!", "Ольга"),
    ("γεια, με λένε Νίκο Παπά", "Παπά"),
    ("我叫王小明，电话13812345678", "小明"),
    ("李娜女士打来电话", "李娜"),
    ("私は田中太郎です", "田中"),
    ("田中様から電話", "田中"),
    ("저는 김민수입니다", "민수"),
    ("اسمي محمد العلي", "محمد"),
    ("تحدثت مع فاطمة أمس", "فاطمة"),
    ("मेरा नाम राहुल शर्मा है", "राहुल"),
    # keys
    ("wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "wJalr"),
    ("key 3f786850e387550fdab836ed7e6dc881de23001b", "3f78"),
    ("dGhpcyBpcyBhIHNlY3JldCBrZXkgZm9yIHlvdQ==", "dGhp"),
    ("user=anna; pwd=Zx9!kk", "Zx9"),
    # addresses and dates
    ("at 221B Baker Street", "221B"),
    ("12-14 High Street", "12-14"),
    ("Musterstraße 12a", "12a"),
    ("12 bis rue de Rivoli", "Rivoli"),
    ("via Roma 5/B", "Roma"),
    ("Calle Mayor, 12", "Mayor"),
    ("ul. Marszałkowska 10", "Marsz"),
    ("ул. Ленина, д. 5", "Ленина"),
    ("北京市朝阳区建国路88号", "88"),
    ("15 شارع التحرير", "15"),
    ("SW1A 1AA", "1AA"),
    ("le 4 mars 1985", "1985"),
    ("1985年3月4日", "1985"),
]


@pytest.mark.parametrize(("text", "leak"), ADVERSARIAL)
def test_nothing_leaks_through_another_way_to_write_it(text: str, leak: str) -> None:
    assert leak in text
    (clean,) = Scrubber().texts([text])
    assert leak not in clean


@pytest.mark.parametrize(
    "text",
    [
        "see https://github.com/OpenAI/gpt-4-turbo/blob/main/README.md",
        "/usr/local/lib/python3/site-packages/some_package",
        "我是学生，想要退款。王国和高兴。",
        "Мы живём в Москве и любим Россию.",
        "お客様へ、皆様へ",
        "The May meeting is at noon; Dear Sir or Madam",
    ],
)
def test_everyday_texts_of_many_languages_stay(text: str) -> None:
    assert Scrubber().texts([text]) == [text]


@pytest.mark.parametrize(
    "piece",
    [
        "mail user{0}@example{0}.org now, ",
        "I'm Anna Berg{1} and ",
        "call 0171 {0} 555 now; ",
        "9876543210" * 3,
        "\u5317" * 20,
        "Ab-" * 8,
        "-----BEGIN KEY-----",
    ],
)
def test_work_grows_with_the_text_and_not_with_its_square(piece: str) -> None:
    def work(size: int) -> float:
        text = "".join(
            piece.format(10_000 + n, "abcdefghij"[n % 10] * (n % 7)) for n in range(size)
        )
        start = time.process_time()
        Scrubber().texts([text])
        return time.process_time() - start

    work(10)
    assert min(work(4_000) for _ in range(3)) < 9 * min(work(1_000) for _ in range(3))


def test_a_record_gets_the_values_of_its_own_conversation_alone(tmp_path: Path) -> None:
    scrubber = Scrubber()
    scrubber.item(Conversation("a", (Turn("user", "I'm Anna Berg."),)))
    scrubber.item(Conversation("b", (Turn("user", "I'm Boris Quint."),)))
    scrubber.item(Conversation("a/b", (Turn("user", "Hello."),)))
    scrubber.save(tmp_path / "scrubbed.json")
    again = scrubber_in(tmp_path)
    both = "[NAME 1] and [NAME 2]"
    for record, restored in (
        ({"id": "a"}, "Anna Berg and [NAME 2]"),
        ({"item": "b"}, "[NAME 1] and Boris Quint"),
        ({"id": "x", "conversation": "a"}, "Anna Berg and [NAME 2]"),
        ({"id": "x", "metadata": {"conversation": "b"}}, "[NAME 1] and Boris Quint"),
        ({"id": "a/6/gpt-4o"}, "Anna Berg and [NAME 2]"),
        ({"id": "a/b"}, both),
        ({"id": "b", "metadata": {"conversation": "a"}}, "[NAME 1] and Boris Quint"),
        ({"id": "ab"}, both),
        ({}, both),
        ([], both),
    ):
        assert again.restored(both, again.placeholders_of(record)) == restored


# Values found whole, of 250 a kind and ten countries; the page gives these shares.
FOUND = {
    "mail": 1.0,
    "phone": 0.99,
    "date": 0.99,
    "place": 0.99,
    "number": 0.99,
    "key": 0.99,
    "name with a cue": 0.95,
    "name alone": 0.3,
    "precision": 0.99,
}


def test_recall_and_precision_in_ten_countries_are_as_the_page_says() -> None:
    shares = {kind: found / total for kind, (found, total) in measure(ours, 1, 25).items()}
    assert {kind: share for kind, share in shares.items() if share < FOUND[kind]} == {}
    assert shares["name alone"] < 0.4  # the page says so


def test_presidio_without_a_language_model_finds_less() -> None:
    pytest.importorskip("presidio_analyzer")
    theirs = measure(presidio(), 1, 25)
    for kind, (found, _) in measure(ours, 1, 25).items():
        assert kind == "precision" or found >= theirs[kind][0]
