"""One engine per code base; front ends need ``Engine`` alone."""

from analysis.engine.engine import Engine

__all__ = ["Engine"]
