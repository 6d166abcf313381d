"""Whether a query seeks information, by rule.

The rule takes as seeking whatever is none of: trivial, an address, the way to a page
(navigational: a short query that ends in a login or a portal), a purchase or a download
(transactional: it begins with one), an order to write something or to work a text or a number out,
one word alone, or longer than a topic can be. A question passes, whatever words it holds.
"""

from __future__ import annotations

import re

from assize.simulate._dialogue_filters import is_trivial, tokens

LONGEST = 60  # words of a query that can be a topic

_QUESTION = re.compile(
    r"\?\s*$|^(?:how|what|what's|why|when|where|which|who|whose|is|are|was|were|can|could|do|does"
    r"|did|should|would|will|may|might|has|have|explain|tell me|i want to know|i need to know"
    r"|i(?:'d| would) like to know|difference between|help me understand)\b",
    re.IGNORECASE,
)
_ADDRESS = re.compile(r"^(?:https?://|www\.)\S+$|^[\w-]+(?:\.[\w-]+)*\.[a-z]{2,6}(?:/\S*)?$", re.I)
_SHORT = 4  # tokens of a query that can be a page's name alone
_NAVIGATE = re.compile(
    r"\b(?:log ?in|sign ?in|log ?on|sign ?up|homepage|home page|official (?:web)?site|web ?site"
    r"|portal|contact number|phone number|customer service|near me|opening hours)\W*$",
    re.IGNORECASE,
)
_BUY = re.compile(
    r"^(?:(?:i want to|where to) )?(?:buy|purchase|order online|download|free download"
    r"|book (?:a|an)|rent a|tickets? for)\b",
    re.IGNORECASE,
)
_OFFER = re.compile(
    r"\b(?:coupons?|promo codes?|discount codes?|for sale|free download|torrent|free shipping)\W*$",
    re.IGNORECASE,
)
_WRITTEN = (
    r"(?:poem|poetry|haiku|limerick|sonnet|song|lyrics|rap|essay|story|stories|tale|novel|play"
    r"|e-?mail|mail|letter|speech|joke|riddle|tweet|caption|slogan|article|blog(?: post)?|post"
    r"|paragraph|sentence|summary|resume|cv|bio|code|program|script|function|quer(?:y|ies)"
    r"|picture|image|dialogue|text|message)s?"
    r"(?=\W*$|\W*[.,:;]|\s+(?:about|for|to|that|which|who|in|on|of|with|from|using|as|by)\b)"
)  # as the object itself: not the mail of `mail flow rule`
_PRODUCE = re.compile(
    r"^(?:(?:please|pls|can you|could you|will you|would you)\W+)*(?:"
    rf"(?:write|compose|draft)\b(?:\W+[\w'-]+){{0,5}}?\W+{_WRITTEN}"
    r"|(?:generate|create|make|draw|code|implement|give)\W+(?:me\W+)?(?:an?|some|the|my|\d+|two"
    rf"|three|five|ten)\b(?:\W+[\w'-]+){{0,4}}?\W+{_WRITTEN}"
    r"|(?:write|draw|sing)\W+me\b|(?:draw|sing) an?\b"
    r"|(?:translate|summari[sz]e|rewrite|rephrase|paraphrase|proofread|correct)\b"
    r"(?:\s*[:\"\u201c]|\W+(?:this|these|it|my|the (?:following|text|sentence|article|passage))\b"
    r"|.*\b(?:in)?to (?:english|french|german|spanish|italian|portuguese|chinese|japanese|korean"
    r"|russian|arabic|hindi|latin)\b)"
    r"|(?:calculate|compute|solve)\W+(?:this|these|the (?:following|equation|integral)|[-(]?\d)"
    r"|act as|pretend|imagine you|role[ -]?play|tell me an? (?:joke|story))",
    re.IGNORECASE,
)


def why_not_seeking(text: str) -> str | None:
    """Why a query does not seek information, None where it does.

    >>> why_not_seeking("azure portal login"), why_not_seeking("rotate azure storage keys")
    ('the way to a page', None)
    """
    said = text.strip()
    count = len(tokens(said))
    if is_trivial(said):
        return "trivial"
    if count > LONGEST:
        return "too long"
    if _ADDRESS.match(said):
        return "an address"
    if _PRODUCE.match(said):
        return "an order to produce something"
    if _QUESTION.search(said):
        return None
    if count <= _SHORT and _NAVIGATE.search(said):
        return "the way to a page"
    if _BUY.match(said) or (count <= _SHORT and _OFFER.search(said)):
        return "a purchase or download"
    return "one word" if count < 2 else None
