"""The command `assize`: one thin file per command, each a call into the package.

Exit codes: 0 done, 1 more unscored than --max-unscored allows, or a drop with
--fail-on-drop, 2 usage or input error, 130 interrupted. Results go to stdout,
everything else to stderr.
"""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from assize.base.errors import AssizeError
from assize.base.secrets import keep_urls
from assize.base.version import __version__
from assize.cli.lazy import NAMES, Group, Row, group
from assize.cli.terminal import FULL, drop_stdout, note, problem, unwritten

GROUPS = (
    Group("evaluator", "Train an evaluator, measure one, print its card, export it."),
    Group(
        "acts",
        "Dialogue acts and maxims in stored judgments: `assize acts JUDGMENTS --items PAIRS`.",
        usual="show",
    ),
    Group(
        "jury",
        "Decide pairs by juries of judges: `assize jury JUDGMENTS --cascade ...`.",
        usual="decide",
    ),
    Group("rubric", "Ask a rubric's questions; list and show rubrics."),
    Group("criteria", "What makes conversations good or bad, in sentences that are scored."),
    Group("calibrate", "Predict what each rater would say."),
    Group("reference", "How close is the next turn to what a person said there?"),
    Group(
        "simulate",
        "Make data: topics, conversations, candidate turns, and pairs that judges vote on.",
    ),
    Group(
        "web",
        "People rate and chat, leads watch: `assize web --project DIR`; export ratings.",
        usual="serve",
    ),
    Group("study", "Compare methods on data held out, as the papers do."),
    Group("cache", "The caches of models' answers and of encodings."),
)
PANELS = {
    "Judge": ("score", "judge", "jury", "acts", "rubric", "criteria", "reference"),
    "Learn": ("evaluator", "simulate", "calibrate"),
    "Trust": ("agree", "compare", "gate", "labels-needed", "study"),
    "Look, collect, convert": ("web", "report", "convert", "check", "retrieve", "cache"),
}
"""The headings of `assize --help`, as the README's table has them."""
COMMANDS = (
    Row(
        "score",
        "assize.cli.score:score",
        "Scores conversations, pairs and continuations, offline and in a stream.",
    ),
    Row(
        "evaluator train",
        "assize.cli.evaluator:train",
        "Trains an evaluator on ratings and preferences, or on several judges' --votes on pairs.",
    ),
    Row(
        "evaluator evaluate",
        "assize.cli.evaluator:evaluate",
        "Measures evaluators against judgments: correlations with ratings, shares of pairs.",
    ),
    Row(
        "evaluator card",
        "assize.cli.evaluator:card",
        "An evaluator's model card; the shipped one's by default.",
    ),
    Row(
        "evaluator export",
        "assize.cli.evaluator:export",
        "Writes an evaluator as a folder to upload to the Hugging Face hub.",
    ),
    Row(
        "judge",
        "assize.cli.judge:judge",
        "Asks judges about conversations, pairs or continuations.",
    ),
    Row(
        "jury decide",
        "assize.cli.jury:decide",
        "Decides pairs by a cascade of judges, or a panel, from stored votes or live.",
    ),
    Row(
        "acts show",
        "assize.cli.acts:show",
        "What dialogue acts and maxims show: how often, how they change, what they tell apart.",
    ),
    Row(
        "acts agree",
        "assize.cli.acts:agree",
        "How far a judge's acts and maxims are those of a person, or of another judge.",
    ),
    Row(
        "acts train",
        "assize.cli.acts:train",
        "Trains a local tagger of dialogue acts from stored judgments.",
    ),
    Row(
        "rubric ask",
        "assize.cli.rubric:ask",
        "Asks models each question of a rubric, by itself, about each conversation.",
    ),
    Row(
        "rubric show",
        "assize.cli.rubric:show",
        "Shows a rubric, and so checks it; without a name, lists the shipped ones.",
    ),
    Row(
        "criteria learn",
        "assize.cli.criteria:learn",
        "Learns criteria that tell good conversations from bad ones.",
    ),
    Row(
        "criteria select",
        "assize.cli.criteria:select",
        "Selects the few criteria of a pool that tell good conversations from bad ones.",
    ),
    Row(
        "criteria score",
        "assize.cli.criteria:score",
        "Scores conversations by a set of criteria: NetSAT, with its label, and each criterion.",
    ),
    Row(
        "criteria distill",
        "assize.cli.criteria:distill",
        "Makes an evaluator that scores criteria from the text alone, with no model.",
    ),
    Row(
        "reference score",
        "assize.cli.reference:score",
        "Scores continuations against what people said there, by local metrics and other judges.",
    ),
    Row(
        "reference fit",
        "assize.cli.reference:fit",
        "Learns what people would say of a continuation from what metrics say.",
    ),
    Row(
        "reference multiplicity",
        "assize.cli.reference:multiplicity",
        "Measures how often two samples of a model at one place say the same.",
    ),
    Row(
        "reference sheet",
        "assize.cli.reference:sheet",
        "Writes continuations as a spreadsheet in which people rate them.",
    ),
    Row(
        "reference labels",
        "assize.cli.reference:labels",
        "Reads filled-in sheets back as judgments by the people who filled them in.",
    ),
    Row(
        "reference contrast",
        "assize.cli.reference:contrast",
        "Draws turns at which people scored two sources differently, as a sheet to label.",
    ),
    Row(
        "reference themes",
        "assize.cli.reference:themes",
        "How two sources sound, and in what they differ, from filled-in sheets.",
    ),
    Row(
        "reference verification",
        "assize.cli.reference:verification",
        "Makes a verification set: references out of people's preferences.",
    ),
    Row(
        "reference split",
        "assize.cli.reference:split",
        "Splits continuations, conversations or pairs into train, validation and test.",
    ),
    Row(
        "calibrate fit",
        "assize.cli.calibrate:fit",
        "Learns what each rater would answer from what a model answered.",
    ),
    Row(
        "calibrate adapt",
        "assize.cli.calibrate:adapt",
        "Takes a calibrator to another set of conversations, such as those of a newer system.",
    ),
    Row(
        "calibrate predict",
        "assize.cli.calibrate:predict",
        "Predicts raters' answers: a judgment by calibration:RATER for every item and rater.",
    ),
    Row(
        "calibrate next",
        "assize.cli.calibrate:next_",
        "Lists the ratings that would teach a calibrator most, and items in doubt.",
    ),
    Row(
        "calibrate template",
        "assize.cli.calibrate:template",
        "Writes a table of ratings for people to fill in, for the items and questions of a run.",
    ),
    Row(
        "calibrate audit",
        "assize.cli.calibrate:audit",
        "Error and calibration of a calibrator by group, on ratings it was not fitted on.",
    ),
    Row(
        "calibrate correct",
        "assize.cli.calibrate:correct",
        "Learns what predictions must be shifted by to be true in every group.",
    ),
    Row(
        "calibrate compare",
        "assize.cli.calibrate:compare",
        "Describes the predicted answers of sets of conversations, and how sets differ.",
    ),
    Row(
        "calibrate importance",
        "assize.cli.calibrate:importance",
        "Says by how much the main score rises where a question's score is raised by 1.",
    ),
    Row(
        "calibrate select",
        "assize.cli.calibrate:select",
        "Chooses from each group the candidate with the highest expected answer.",
    ),
    Row(
        "calibrate distill",
        "assize.cli.calibrate:distill",
        "Makes an evaluator that scores as calibrators would, from the text alone.",
    ),
    Row(
        "simulate topics",
        "assize.cli.simulate:topics",
        "Draws topics to talk about from a log of queries, conversations or clicks.",
    ),
    Row(
        "simulate candidates",
        "assize.cli.simulate:candidates",
        "Makes candidate turns: what models would have said in the place of each assistant's turn.",
    ),
    Row(
        "simulate scrub",
        "assize.cli.simulate:scrub",
        "Puts placeholders for names, mails, numbers, dates, addresses and keys.",
    ),
    Row(
        "simulate unscrub",
        "assize.cli.simulate:unscrub",
        "Puts what was scrubbed back into a file of records: conversations, pairs, judgments, any.",
    ),
    Row(
        "retrieve",
        "assize.cli.retrieve:retrieve",
        "Finds the passages of pages that fit queries best, by BM25.",
    ),
    Row(
        "simulate dialogues",
        "assize.cli.simulate:dialogues",
        "Makes conversations about topics, by the five recipes of LLM-Rubric.",
    ),
    Row(
        "simulate preferences",
        "assize.cli.simulate:preferences",
        "Makes preference data: conversations are answered twice, and judged in both orders.",
    ),
    Row(
        "simulate pairs",
        "assize.cli.simulate:pairs",
        "Makes pairs of conversations that people rated: who was rated higher is gold.",
    ),
    Row(
        "simulate select",
        "assize.cli.simulate:select",
        "Keeps those pairs, and those votes, of which preference data are made.",
    ),
    Row(
        "web serve",
        "assize.cli.web:serve",
        "Serves a project's pages: people rate and chat, leads watch, until it is stopped.",
    ),
    Row(
        "web invite",
        "assize.cli.web:invite",
        "Makes a link to a new account, or to a new password for somebody who has an account.",
    ),
    Row(
        "web export",
        "assize.cli.web:export",
        "Writes what people answered as judgments, with the items and the history.",
    ),
    Row(
        "cache info",
        "assize.cli.cache:info",
        "Says where answers and encodings are kept, how many and how large.",
    ),
    Row(
        "cache clear",
        "assize.cli.cache:clear",
        "Removes stored answers and encodings: all, or those not used for some days.",
    ),
    Row(
        "convert",
        "assize.cli.convert:command",
        "Converts conversations, pairs, continuations and judgments between formats.",
    ),
    Row(
        "check",
        "assize.cli.check:command",
        "Checks files: turns out of order or empty, duplicate ids, missing references, scales.",
    ),
    Row(
        "report",
        "assize.cli.report:command",
        "Writes judgments, or any result, as one HTML page that needs nothing else.",
    ),
    Row(
        "compare",
        "assize.cli.compare:command",
        "Says whether a version of an assistant is better than another, and what to read.",
    ),
    Row(
        "gate",
        "assize.cli.gate:command",
        "Passes or fails a version by limits on what is sure about it, for a build.",
    ),
    Row(
        "agree",
        "assize.cli.agree:command",
        "Agreement and correlation between judges, on whatever they both judged.",
    ),
    Row(
        "labels-needed",
        "assize.cli.labels_needed:command",
        "How many more human labels a mean takes, with each judge's help and without.",
    ),
    Row(
        "study juries",
        "assize.cli.study:juries",
        "Compares judges and juries: each judge alone, cascades and panels, by model and data set.",
    ),
    Row(
        "study acts",
        "assize.cli.study:acts",
        "Acts and maxims of several data sets and models at once, as AMULET prints them.",
    ),
    Row(
        "study calibration",
        "assize.cli.study:calibration",
        "Compares the calibrator with baselines, ablations and oracles, cross-validated.",
    ),
    Row(
        "study criteria",
        "assize.cli.study:criteria",
        "Compares methods that make criteria, and policies that choose them, on new conversations.",
    ),
    Row(
        "study reference",
        "assize.cli.study:reference",
        "Measures how well metrics, judges and ensembles of them agree with people.",
    ),
    Row(
        "study evaluators",
        "assize.cli.study:evaluators",
        "Learns evaluators from each judge's votes, from all judges', and from other juries.",
    ),
)
app = typer.Typer(
    name="assize",
    cls=group(COMMANDS, GROUPS, PANELS),
    help="Judge multi-turn conversations, and know how far to trust the judgment.",
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings=NAMES,
)


def _version(asked: bool) -> None:
    if asked:
        print(f"assize {__version__}")  # noqa: T201
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Judge multi-turn conversations, and know how far to trust the judgment."""


def main() -> None:
    """Runs the command line; an expected error is one message and exit code 2."""
    for argument in sys.argv[1:]:
        keep_urls(argument)
    code: int | str | None = 0
    try:
        app()
    except SystemExit as end:
        code = end.code
    except AssizeError as error:
        problem(str(error))
        code = 2
    except KeyboardInterrupt:
        note("interrupted")
        code = 130
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)
    except OSError as error:
        if error.filename is not None or error.errno not in FULL:
            raise
        code = unwritten(error)
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        drop_stdout()
    except OSError as error:
        code = unwritten(error)
    sys.exit(code)
