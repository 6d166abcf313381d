"""`assize web`: the pages on which people rate and chat and leads watch; export."""

import assize
from assize import web
from assize.cli.command import from_function
from assize.cli.terminal import print_notes

serve = from_function(
    web.serve,
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

invite = from_function(
    web.invite,
    "assize web invite --project my-study --admin --url https://rate.example.org",
    metavars={"project": "FOLDER", "name": "NAME", "url": "URL", "database": "URL"},
)

export = from_function(
    assize.web.export,
    "assize web export --project my-study --out ratings/",
    named={"out": "--out -o"},
    metavars={"project": "FOLDER", "out": "FOLDER", "task": "NAME", "database": "URL"},
)
