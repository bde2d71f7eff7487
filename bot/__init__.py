"""Kontrolka: a chat tutor that asks one question at a time and never loses a learner's place."""

__version__ = "0.1.0"
