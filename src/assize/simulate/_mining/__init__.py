"""Topics and the pages that answer them, out of logs of queries, conversations or clicks."""
