"""Derives figures from samples: statistics, LogGP, overlap, the profile, and verdicts between two runs."""
