"""Asking advisors: the question, the dialects they are asked in, and the driver that asks."""
