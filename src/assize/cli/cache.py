"""`assize cache`: what the caches of answers and of encodings hold, and emptying them."""

from assize.cli.command import from_function
from assize.cli.terminal import print_notes
from assize.models import cache_info, clear_cache

info = from_function(cache_info, "assize cache info")
clear = from_function(clear_cache, "assize cache clear --unused-days 30", show=print_notes)
