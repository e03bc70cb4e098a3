"""The persistent, incremental code index."""
