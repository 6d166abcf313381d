"""What is worked out from a view: densities, bands, regions, quality over time, versions."""
