"""Local metrics of a continuation against its human references: one pass of an encoder, no model
is asked."""
