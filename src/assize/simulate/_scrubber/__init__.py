"""Personal data out of texts before a model sees them, and back in again afterwards."""
