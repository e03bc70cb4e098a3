"""From what a user names to its definition, its uses and its calls."""
