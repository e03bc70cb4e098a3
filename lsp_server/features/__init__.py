"""What the editor sees: one module a feature, each with its own registration."""
