"""Understands a code base and answers questions about it.

Knows nothing of the editor, of the Language Server Protocol or of stdout.
"""

__version__ = "0.1.0"
