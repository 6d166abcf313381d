"""What calibrators read: features of items, forms that people filled in, choices between items."""
