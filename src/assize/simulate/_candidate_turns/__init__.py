"""What models, a rephrasing and chance would have said in a person's place."""
