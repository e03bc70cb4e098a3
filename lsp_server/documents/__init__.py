"""The context documents of the workspace, open or not, and what became of their references."""
