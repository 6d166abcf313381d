"""`acts`: the dialogue acts of every turn, and nothing is compared.

`acts@openai:gpt-4o` asks a language model, about conversations and pairs alike; `acts@local` and
`acts@FOLDER` are a trained tagger. Both answer the same question, and `details` hold the acts.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from assize.acts import _da as da
from assize.acts._tagger_judge import ACTS_QUESTION, TaggerJudge
from assize.acts._taxonomy import DEFAULT, Taxonomy
from assize.base.conversation import Conversation, Item, Pair
from assize.base.errors import ConfigError
from assize.judging.judge import Judge, JudgeContext, JudgeOffer
from assize.judging.method import Method, Said
from assize.judging.options import EncoderOptions
from assize.judging.prompt_judge import open_method
from assize.judging.schemas import record


def method_of(taxonomy: Taxonomy) -> Method:
    """The judge that asks a language model, as a prompt."""
    return Method(
        name="acts",
        about="dialogue acts of every turn, by a language model",
        takes=(Pair, Conversation),
        questions=(ACTS_QUESTION,),
        prompt="acts-alone",
        schema=record(turns=da.labels_schema(taxonomy)),
        read=read,
        examples=taxonomy.examples or None,
        max_tokens=4096,
        home=da.PROMPTS,
        values={"taxonomy": taxonomy.prompt_values(), "acts": list(taxonomy.acts.values())[:2]},
        find=find,
        exchange=da.exchange,
        write=write,
        likely=da.likely,
        facts={"taxonomy": taxonomy.to_record()},
    )


def find(text: str, method: Method, item: Item, judged: Sequence[str]) -> dict[str, Any]:
    """The labels in a reply, in the order of the item's turns."""
    value = da.find(text, method, item, judged)
    return {**value, "alone": isinstance(item, Conversation)}


def read(value: Mapping[str, Any]) -> Iterable[Said]:
    """How many different functions there are, and the acts of every turn."""
    sides = da.by_side(value["turns"])
    acts = {"turns": sides["context"]} if value["alone"] else sides
    said = {act[1] for turns in acts.values() for turn in turns for act in turn}
    yield Said(ACTS_QUESTION.id, None, float(len(said)), details={"acts": acts})


def write(answer: Mapping[str, Any], method: Method, item: Item) -> str:
    """An example's answer as the judge should give it: its labels alone."""
    return json.dumps({"turns": da.labels_written(answer, method, item)})


def open_acts(target: str, context: JudgeContext) -> Judge:
    """Return the judge that this model, or this tagger, makes.

    A target that names a provider is a model, any other a tagger.

    Raises:
        ConfigError: a taxonomy is named for a tagger, which knows its own acts, or an encoder
            for a language model.
    """
    encoder = EncoderOptions(**context.options).encoder
    if is_model(target):
        if encoder is not None:
            raise ConfigError(f"acts@{target} asks a language model; leave encoder out")
        method = method_of(da.chosen(context, DEFAULT))
        return open_method(da.varied(method, context), target, context)
    if context.variant:
        raise ConfigError(
            f"a tagger knows the acts that it has learnt; write acts@{target}, or"
            f" acts/{context.variant}@openai:gpt-4o to ask a language model"
        )
    from assize.acts._tagger import load_tagger

    return TaggerJudge(load_tagger(target, encoder=encoder), target)


def is_model(target: str) -> bool:
    """Whether what stands behind the `@` is `provider:name`.

    >>> is_model("openai:gpt-4o"), is_model("local"), is_model("taggers/mine")
    (True, False, False)
    """
    from assize.base.plugins import plugins
    from assize.models.opening import GROUP
    from assize.models.providers import PROVIDERS

    provider, colon, name = target.partition(":")
    return bool(colon and name) and (provider in PROVIDERS or provider in plugins(GROUP))


ACTS = JudgeOffer(
    "dialogue acts of every turn: acts@openai:gpt-4o by a language model, acts@local or its folder"
    " by a tagger",
    open_acts,
    variants=True,  # `acts/taxonomy@model` names another shipped taxonomy
)
