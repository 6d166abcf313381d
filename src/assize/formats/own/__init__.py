"""assize's own records: JSON lines, a table of judgments, Parquet."""
