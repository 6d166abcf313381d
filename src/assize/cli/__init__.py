"""The command `assize`: one thin file per command, each a call into the package.

Exit codes: 0 done, 1 more unscored than --max-unscored allows, or a drop with
--fail-on-drop, 2 usage or input error, or a run in which nothing succeeded any more, 130
interrupted. Results go to stdout, everything else to stderr.
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
        "Show, compare and learn dialogue acts and maxims: `assize acts JUDGMENTS --items PAIRS`.",
        usual="show",
    ),
    Group(
        "jury",
        "Decide pairs by juries of judges: `assize jury JUDGMENTS --cascade ...`.",
        usual="decide",
    ),
    Group("rubric", "Ask a rubric's questions; list and show rubrics."),
    Group("criteria", "Learn what makes conversations good or bad, as criteria to score by."),
    Group("calibrate", "Predict what each rater would say."),
    Group("reference", "Measure how close a next turn is to what a person said there."),
    Group(
        "simulate",
        "Make data: topics, conversations, candidate turns, and pairs that judges vote on.",
    ),
    Group(
        "web",
        "Serve pages where people rate and chat: `assize web --project DIR`. Export ratings.",
        usual="serve",
    ),
    Group("study", "Compare methods on data held out, as the papers do."),
    Group("cache", "Show or clear the caches of model answers and encodings."),
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
        "Score conversations, pairs and continuations, offline and as they stream in.",
    ),
    Row(
        "evaluator train",
        "assize.cli.evaluator:train",
        "Train an evaluator on ratings and preferences, or on several judges' --votes on pairs.",
    ),
    Row(
        "evaluator evaluate",
        "assize.cli.evaluator:evaluate",
        "Compare evaluators with judgments: correlations with ratings, accuracy on pairs.",
    ),
    Row(
        "evaluator card",
        "assize.cli.evaluator:card",
        "Print an evaluator's model card. Default: the shipped one's.",
    ),
    Row(
        "evaluator export",
        "assize.cli.evaluator:export",
        "Write an evaluator as a folder to upload to the Hugging Face hub.",
    ),
    Row(
        "judge",
        "assize.cli.judge:judge",
        "Ask judges about conversations, pairs or continuations.",
    ),
    Row(
        "jury decide",
        "assize.cli.jury:decide",
        "Decide pairs by a cascade of judges or a panel, from stored votes or live.",
    ),
    Row(
        "acts show",
        "assize.cli.acts:show",
        "Show how often dialogue acts and maxims occur, how they change, and what they predict.",
    ),
    Row(
        "acts agree",
        "assize.cli.acts:agree",
        "Compare a judge's dialogue acts and maxims with a person's, or another judge's.",
    ),
    Row(
        "acts train",
        "assize.cli.acts:train",
        "Train a local tagger of dialogue acts on stored judgments.",
    ),
    Row(
        "rubric ask",
        "assize.cli.rubric:ask",
        "Ask models each question of a rubric separately, about each conversation.",
    ),
    Row(
        "rubric show",
        "assize.cli.rubric:show",
        "Show and check a rubric. Without a name, list the shipped ones.",
    ),
    Row(
        "criteria learn",
        "assize.cli.criteria:learn",
        "Learn criteria that tell good conversations from bad ones.",
    ),
    Row(
        "criteria select",
        "assize.cli.criteria:select",
        "Select the few criteria of a pool that best tell good conversations from bad ones.",
    ),
    Row(
        "criteria score",
        "assize.cli.criteria:score",
        "Score conversations by a set of criteria: NetSAT with its label, and each criterion.",
    ),
    Row(
        "criteria distill",
        "assize.cli.criteria:distill",
        "Make an evaluator that scores criteria from the text alone, without a model.",
    ),
    Row(
        "reference score",
        "assize.cli.reference:score",
        "Score continuations against what people said there, by local metrics and judges.",
    ),
    Row(
        "reference fit",
        "assize.cli.reference:fit",
        "Learn to predict what people say of a continuation from its metrics.",
    ),
    Row(
        "reference multiplicity",
        "assize.cli.reference:multiplicity",
        "Measure how often two samples of a model at one place say the same.",
    ),
    Row(
        "reference sheet",
        "assize.cli.reference:sheet",
        "Write continuations as a spreadsheet in which people rate them.",
    ),
    Row(
        "reference labels",
        "assize.cli.reference:labels",
        "Read filled-in sheets back, as judgments by the people who filled them in.",
    ),
    Row(
        "reference contrast",
        "assize.cli.reference:contrast",
        "Draw turns that people scored differently for two sources, as a sheet to label.",
    ),
    Row(
        "reference themes",
        "assize.cli.reference:themes",
        "Show how two sources sound and differ, from filled-in sheets.",
    ),
    Row(
        "reference verification",
        "assize.cli.reference:verification",
        "Make a verification set: references from people's preferences.",
    ),
    Row(
        "reference split",
        "assize.cli.reference:split",
        "Split continuations, conversations or pairs into train, validation and test.",
    ),
    Row(
        "calibrate fit",
        "assize.cli.calibrate:fit",
        "Learn what each rater would answer from what a model answered.",
    ),
    Row(
        "calibrate adapt",
        "assize.cli.calibrate:adapt",
        "Adapt a calibrator to another set of conversations, such as those of a newer system.",
    ),
    Row(
        "calibrate predict",
        "assize.cli.calibrate:predict",
        "Predict raters' answers: one judgment by calibration:RATER per item and rater.",
    ),
    Row(
        "calibrate next",
        "assize.cli.calibrate:next_",
        "List the ratings that would teach a calibrator most, and the items in doubt.",
    ),
    Row(
        "calibrate template",
        "assize.cli.calibrate:template",
        "Write a table of ratings for people to fill in, for the items and questions of a run.",
    ),
    Row(
        "calibrate audit",
        "assize.cli.calibrate:audit",
        "Measure a calibrator's error and calibration by group, on ratings it was not fitted on.",
    ),
    Row(
        "calibrate correct",
        "assize.cli.calibrate:correct",
        "Learn shifts that remove a calibrator's bias in every group.",
    ),
    Row(
        "calibrate compare",
        "assize.cli.calibrate:compare",
        "Describe the predicted answers of sets of conversations, and how the sets differ.",
    ),
    Row(
        "calibrate importance",
        "assize.cli.calibrate:importance",
        "Show how much the main score rises if a question's score is raised by 1.",
    ),
    Row(
        "calibrate select",
        "assize.cli.calibrate:select",
        "Choose from each group the candidate with the highest expected answer.",
    ),
    Row(
        "calibrate distill",
        "assize.cli.calibrate:distill",
        "Make an evaluator that scores as calibrators would, from the text alone.",
    ),
    Row(
        "simulate topics",
        "assize.cli.simulate:topics",
        "Draw topics to talk about from a log of queries, conversations or clicks.",
    ),
    Row(
        "simulate candidates",
        "assize.cli.simulate:candidates",
        "Make candidate turns: what models would have said in place of each assistant turn.",
    ),
    Row(
        "simulate scrub",
        "assize.cli.simulate:scrub",
        "Replace names, mails, numbers, dates, addresses and keys by placeholders.",
    ),
    Row(
        "simulate unscrub",
        "assize.cli.simulate:unscrub",
        "Restore what was scrubbed in a file of records: conversations, pairs, judgments, any.",
    ),
    Row(
        "retrieve",
        "assize.cli.retrieve:retrieve",
        "Find the passages of pages that fit queries best, by BM25.",
    ),
    Row(
        "simulate dialogues",
        "assize.cli.simulate:dialogues",
        "Make conversations about topics, by the five recipes of LLM-Rubric.",
    ),
    Row(
        "simulate preferences",
        "assize.cli.simulate:preferences",
        "Make preference data: answer conversations twice, and judge the pair in both orders.",
    ),
    Row(
        "simulate pairs",
        "assize.cli.simulate:pairs",
        "Make pairs of conversations that people rated: the one rated higher is gold.",
    ),
    Row(
        "simulate select",
        "assize.cli.simulate:select",
        "Select the pairs and votes that preference data are made of.",
    ),
    Row(
        "web serve",
        "assize.cli.web:serve",
        "Serve a project's pages until stopped: people rate and chat, leads watch.",
    ),
    Row(
        "web invite",
        "assize.cli.web:invite",
        "Make a link to a new account, or to a new password for an existing one.",
    ),
    Row(
        "web export",
        "assize.cli.web:export",
        "Write what people answered as judgments, with the items and the history.",
    ),
    Row(
        "cache info",
        "assize.cli.cache:info",
        "Show where answers and encodings are cached, how many, and how large.",
    ),
    Row(
        "cache clear",
        "assize.cli.cache:clear",
        "Remove cached answers and encodings: all, or those not used for some days.",
    ),
    Row(
        "convert",
        "assize.cli.convert:command",
        "Convert conversations, pairs, continuations and judgments between formats.",
    ),
    Row(
        "check",
        "assize.cli.check:command",
        "Check files: turns out of order or empty, duplicate ids, missing references, scales.",
    ),
    Row(
        "report",
        "assize.cli.report:command",
        "Write judgments, or any result, as one HTML page that needs nothing else.",
    ),
    Row(
        "compare",
        "assize.cli.compare:command",
        "Test whether a version of an assistant is better than another, and list what to read.",
    ),
    Row(
        "gate",
        "assize.cli.gate:command",
        "Pass or fail a version by limits on what is certain about it, for a build.",
    ),
    Row(
        "agree",
        "assize.cli.agree:command",
        "Measure agreement and correlation between judges, on whatever they both judged.",
    ),
    Row(
        "labels-needed",
        "assize.cli.labels_needed:command",
        "Compute how many more human labels a mean takes, with and without each judge's help.",
    ),
    Row(
        "study juries",
        "assize.cli.study:juries",
        "Compare judges and juries: each judge alone, cascades and panels, by model and data set.",
    ),
    Row(
        "study acts",
        "assize.cli.study:acts",
        "Show the acts and maxims of several data sets and models, as AMULET prints them.",
    ),
    Row(
        "study calibration",
        "assize.cli.study:calibration",
        "Compare the calibrator with baselines, ablations and oracles, cross-validated.",
    ),
    Row(
        "study criteria",
        "assize.cli.study:criteria",
        "Compare methods that make criteria, and policies that select them, on new conversations.",
    ),
    Row(
        "study reference",
        "assize.cli.study:reference",
        "Measure how well metrics, judges and ensembles of them agree with people.",
    ),
    Row(
        "study evaluators",
        "assize.cli.study:evaluators",
        "Learn evaluators from each judge's votes, from all judges' votes, and from other juries.",
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
