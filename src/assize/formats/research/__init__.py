"""The formats of published research data; each recognised by fields that only it holds."""
