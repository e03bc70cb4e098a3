"""Who uses what: a resolver over the index's facts, and the call graph on top of it."""
