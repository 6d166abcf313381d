"""`assize calibrate`: from a model's answers and a few ratings to what each rater would say."""

from __future__ import annotations

import typer

from assize.cli.calibrate_audit import audit
from assize.cli.calibrate_compare import compare
from assize.cli.calibrate_correct import correct
from assize.cli.calibrate_distill import distill
from assize.cli.calibrate_fit import fit
from assize.cli.calibrate_importance import importance
from assize.cli.calibrate_next import next_
from assize.cli.calibrate_predict import predict
from assize.cli.calibrate_select import select
from assize.cli.calibrate_study import study

app = typer.Typer(help="Predict what each rater would say; study how well.", no_args_is_help=True)
app.command()(fit)
app.command()(predict)
app.command("next")(next_)
app.command()(audit)
app.command()(correct)
app.command()(study)
app.command()(compare)
app.command()(importance)
app.command()(select)
app.command()(distill)
