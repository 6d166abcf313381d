"""What heads read: views of an item, and the featurisers that turn them into numbers."""
