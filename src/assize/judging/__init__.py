"""Asking judges about items: the judge protocol, the table of judges, the run that resumes."""
