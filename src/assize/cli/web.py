"""`assize web`: the pages on which people rate and chat and leads watch; export."""

from assize.cli.command import from_function
from assize.cli.terminal import print_notes
from assize.webapp.exchange import export_ratings
from assize.webapp.serve import web

serve = from_function(
    web,
    "assize web serve --project my-study",
    metavars={
        "project": "FOLDER",
        "host": "ADDRESS",
        "url": "URL",
        "database": "URL",
        "allow": "NAME",
    },
    show=print_notes,
)

export = from_function(
    export_ratings,
    "assize web export --project my-study --out ratings/",
    named={"out": "--out -o"},
    metavars={"project": "FOLDER", "out": "FOLDER", "task": "NAME", "database": "URL"},
)
