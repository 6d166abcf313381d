"""Pages: one file a group, which parses, calls and renders."""
