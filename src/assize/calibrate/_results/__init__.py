"""What the commands of `assize calibrate` come to: figures, tables, notes, and their JSON."""
