"""Question to ranked places, as pure functions over the index."""
