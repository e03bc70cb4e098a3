"""How secrets are recognised in a text: by their own form, by what stands around them, as keys."""
