"""File formats: any conversation log in, records out; and back.

`own/` holds assize's records, `logs/` what other tools write, `research/` published data;
the files beside this one are what they share. To add a format, copy the smallest file in
`logs/`, add its `Format` to the tuple in `table.py`, and mirror its test.
"""

from assize.base.lazy import promised_names

__getattr__, __dir__, __all__ = promised_names(__name__, __file__)
