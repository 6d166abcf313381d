"""What a set of conversations, pairs or continuations is: measured, and declared by who made it."""
