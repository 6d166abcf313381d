"""Chat logs and preference files as other tools write them."""
