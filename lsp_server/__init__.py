"""The editor's face of the engine: a language server over ``analysis``."""
