"""From samples to figures: statistics, LogGP, overlap, the profile, and verdicts between two runs."""
