"""What people see and overlap does not: length, mood, register, format, manners."""
