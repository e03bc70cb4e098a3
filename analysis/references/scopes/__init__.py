"""What names mean: files and their facts, modules, scopes, imports."""
