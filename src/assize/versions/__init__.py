"""Two or more versions of an assistant, compared: which conversations belong together, how far
means are apart, and what to read."""
