"""Who uses what in languages without facts, read from their syntax trees by tables."""
