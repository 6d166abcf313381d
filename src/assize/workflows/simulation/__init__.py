"""Making data: preference pairs and what is kept of them."""
