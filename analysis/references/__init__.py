"""Who uses what: a static resolver and a call graph over the index's facts."""
