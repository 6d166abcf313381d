"""One self-contained HTML page from judgments: charts, pages, and the page for scores."""
