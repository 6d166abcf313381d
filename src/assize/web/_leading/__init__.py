"""What leads see of tasks, items and remarks, and what they do with them."""
