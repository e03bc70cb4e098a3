"""Models: adapters, budgets, throttling and redaction."""
