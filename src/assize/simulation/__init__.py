"""Making data: preference pairs out of conversations or of ratings, and the filters of votes."""
