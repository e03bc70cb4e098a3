"""Changes of the code as git knows them: which lines, and which definitions those belong to."""
