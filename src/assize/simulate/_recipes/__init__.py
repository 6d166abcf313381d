"""Dialogues made by models about topics, in the five ways of LLM-Rubric (appendix F)."""
