"""Files to typed data and back (docs/formats.md). Knows no statistics and prints nothing."""
