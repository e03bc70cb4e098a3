"""Source text to outline, chunks, words and facts; one module a language."""
