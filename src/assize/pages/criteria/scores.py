"""The page of `assize criteria score`: NetSAT, uncertain conversations first, two side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from markupsafe import Markup

from assize.conversation import Item
from assize.criteria.criterion import CriteriaSet
from assize.criteria.scores import CriteriaScores
from assize.criteria.selected import Curves
from assize.criteria.selection import Objective
from assize.criteria.selection.pool import FEWEST
from assize.criteria.selection.window import yield_rate
from assize.errors import DataError
from assize.formats.files import Location
from assize.formats.labels import Labels
from assize.judgments import JudgmentTable
from assize.pages import charts, page
from assize.pages.charts.windows import Cuts
from assize.pages.criteria.conversations import Scored, verdicts
from assize.pages.criteria.figures import (
    as_window,
    cuts_of,
    netsat,
    precision,
    sentences,
    share_tile,
    yield_tiles,
)
from assize.pages.criteria.listed import LABELS, heading, listed, shown_of, sides
from assize.pages.criteria.quotes import fitted, wanted
from assize.pages.page import Section, Tile
from assize.pages.sections import not_scored
from assize.pages.summary import UnscoredRow
from assize.results import ResultTable, columns
from assize.results.numbers import (
    counted,
    interval,
    number,
    percent,
    percents,
    with_interval,
)
from assize.signature import sign
from assize.stats import mean, wilson

KEEP = 20
MOST_CRITERIA = 100  # in the table
MOST_UNSCORED = 30


def write_scores(
    path: Location,
    found: CriteriaScores,
    *,
    items: Iterable[Item] = (),
    labels: Labels | None = None,
    pair: Sequence[str] | None = None,
    keep: int = KEEP,
    title: str = "Criteria scored",
    reproduce: Sequence[str] = (),
) -> int:
    """Writes the page; returns its size in bytes.

    Args:
        items: the conversations, read once, so that their text is shown.
        labels: what people say of them.
        pair: ids of the two that stand side by side; the best and the worst when None.
        keep: how many are listed, uncertain ones first.

    Raises:
        DataError: the judgments hold no NetSAT, or one of the pair is not among them.
    """
    found = as_labelled(found)
    if found.judgments is None:
        raise DataError("the judgments are not at hand; give them with the criteria")
    scored = Scored.of(found.judgments, found.given, labels)
    two = scored.pair(pair)
    first = scored.uncertain_first()[:keep]
    places = dict.fromkeys([*(two or ()), *first])
    ids = [scored.items[at] for at in places]
    texts = wanted(items, ids)
    shown_set = replace(found.given, criteria=tuple(map(fitted, found.given.criteria)))
    said = verdicts(found.judgments, shown_set, ids)
    shown = {at: shown_of(scored, at, found.given, texts, said) for at in places}
    sections = [
        Section("At a glance", page.join(_tiles(scored, found.given), _figures(scored, found))),
        Section("Against people's labels", _against(scored, found.given, labels)),
        Section("Two conversations side by side", sides(two, shown, said, scored)),
        Section(heading(scored), listed(scored, [shown[at] for at in first])),
        Section("The criteria", page.table(found.tables["criteria"], most=MOST_CRITERIA)),
        Section("Not scored", _unscored(found.judgments)),
    ]
    return page.write_page(
        path,
        title,
        [one for one in sections if one.body.strip()],
        signature=_signature(found),
        subtitle=_subtitle(found, scored),
        notes=_notes(found, labels, bool(texts) or not ids),
        reproduce=reproduce,
    )


def as_labelled(found: CriteriaScores) -> CriteriaScores:
    """The scores with a set that has their judges' own labelling."""
    return replace(found, given=replace(found.given, labelling=found.labelling))


def _signature(found: CriteriaScores) -> str:
    table = found.judgments
    assert table is not None
    codes, names = table.codes("signature")
    made = sorted(names[at] for at in set(codes.tolist()) if at >= 0)
    given = {"wording": found.given.wording, "judges": sorted(table.judges), "signatures": made}
    return sign(given)


def _subtitle(found: CriteriaScores, scored: Scored) -> str:
    judges = ", ".join(list(found.nets)[:3]) + (", …" if len(found.nets) > 3 else "")
    criteria = f"{len(found.given.of('sat'))} SAT and {len(found.given.of('dsat'))} DSAT criteria"
    return f"{counted(len(scored), 'conversation')}, {criteria}, by {judges}"


def _notes(found: CriteriaScores, labels: Labels | None, texts: bool) -> list[str]:
    notes = list(found.notes)
    if labels is not None:
        notes += labels.notes
    if len(found.nets) > 1:
        notes.append(f"a conversation's NetSAT is the mean over {len(found.nets)} judges")
    if found.given.edited:
        notes.append(
            "criteria, or their scale, changed since threshold and window were learnt;"
            " assize criteria select learns them anew"
        )
    if not texts:
        notes.append("the text of conversations is shown where they are given (items)")
    return sentences(notes)


def _cuts(scored: Scored, given: CriteriaSet) -> Cuts:
    return cuts_of(given.labelling) if given.labelling is not None else Cuts(scored.middle)


def _tiles(scored: Scored, given: CriteriaSet) -> Markup:
    n, known = len(scored), scored.known.size
    tiles = [Tile("Conversations", f"{n:,}", f"{n - known:,} unscored")]
    if scored.labels is not None and given.labelling is not None:
        count, learnt = Counter(scored.labels), given.labelling
        high = "none can be" if learnt.high is None else f"above {learnt.high:g}"
        low = "none can be" if learnt.low is None else f"up to {learnt.low:g}"
        names = {"good": f"Good, {high}", "open": "Left open", "bad": f"Bad, {low}"}
        tiles += [_share(name, count[label], n) for label, name in names.items()]
    else:
        found = mean(scored.nets)
        low, high = (f"{end:g}" for end in given.range)
        note = f"{interval(found, 1)} of {low} to {high}".lstrip()
        tiles.append(Tile("Mean NetSAT", number(found.estimate, 1), note))
    return page.tiles(tiles)


def _share(name: str, count: int, n: int) -> Tile:
    """How many of how many, with its interval."""
    found = wilson(count, n)
    return Tile(name, f"{count:,}", f"{percent(found.estimate)} {percents(found)}".rstrip())


def figures_of(
    found: CriteriaScores, labels: Labels | None = None, scored: Scored | None = None
) -> dict[str, charts.Spec]:
    """`distributions`, and `curves` where people's labels are known, as page and `plot` draw."""
    found = as_labelled(found)
    if found.judgments is None:
        return {}
    if scored is None:
        scored = Scored.of(found.judgments, found.given, labels)
    if not scored.known.size:
        return {}
    cuts = _cuts(scored, found.given)
    drawn = {"distributions": netsat(scored.nets, scored.good, cuts)}
    nets, good = scored.both()
    if min(good.sum(), (~good).sum()) >= FEWEST and nets.min() < nets.max():
        learnt = found.given.labelling
        curves = Curves.of(nets, good, Objective())
        drawn["curves"] = precision(curves, cuts, None if learnt is None else learnt.precision)
    return drawn


def _figures(scored: Scored, found: CriteriaScores) -> Markup:
    drawn = figures_of(found, scored=scored)
    if not drawn:
        return page.paragraph("No conversation has a NetSAT, so there is nothing to draw.")
    learnt = found.given.labelling
    middle = mean(scored.nets)
    spread = f"How NetSAT is spread; its mean is {with_interval(middle, 1)}."
    if learnt is not None:
        spread += (
            f" Shaded: left open, for no label there has {100 * learnt.precision:g}% precision."
        )
    curves = (
        "How often each label is right at every threshold, by the labels that people gave (solid),"
        " and the tanh of a sharp set (dashed)."
    )
    captions = {"distributions": spread, "curves": curves}
    return page.figures(*(page.figure(spec, captions[name]) for name, spec in drawn.items()))


def _against(scored: Scored, given: CriteriaSet, labels: Labels | None) -> Markup:
    """What the window makes of each class, and how often it is right."""
    if labels is None or scored.labels is None or given.labelling is None:
        return page.EMPTY
    counts = Counter(zip(scored.good, scored.labels, strict=True))
    classes = [(True, "people say good"), (False, "people say bad"), (None, "no label")]
    rows = [
        (name, *(counts[value, one] for one in LABELS), sum(counts[value, one] for one in LABELS))
        for value, name in classes
    ]
    named = columns("words", "") + columns("count", *LABELS.values(), "all")
    nets, good = scored.both()
    table = ResultTable("What the window makes of them", named, [row for row in rows if row[-1]])
    if not nets.size:
        return page.table(table)
    kept = yield_rate(as_window(given.labelling), nets, good)
    right = int(((nets > given.labelling.threshold) == good).sum())
    accuracy = share_tile(
        "Accuracy of the threshold", wilson(right, nets.size), f"of {nets.size:,}"
    )
    labelled = f"of {kept.n:,} with a label"
    return page.join(
        page.tiles([*yield_tiles("Labelled", kept, labelled), accuracy]), page.table(table)
    )


def _unscored(judgments: JudgmentTable) -> Markup:
    lost = judgments.filter(judgments.present("unscored"))
    reasons: Counter[str] = Counter()
    failures: list[UnscoredRow] = []
    for row in lost:
        if row.unscored is not None:
            reasons[row.unscored.reason] += 1
            if len(failures) < MOST_UNSCORED:
                failures.append(UnscoredRow.of(row, row.unscored))
    return not_scored(reasons, failures, len(judgments))
