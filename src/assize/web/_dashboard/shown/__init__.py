"""Figures as pages show them: words, pictures, conversations."""
