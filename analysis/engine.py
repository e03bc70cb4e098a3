"""One engine per code base: what the terminal, the editor and agents call."""
