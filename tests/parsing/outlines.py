"""How outline tests write down what they expect."""

from textwrap import dedent

from analysis.models import FileOutline, SymbolInfo
from analysis.parsing.outline import outline_of


def outline(path: str, source: str) -> FileOutline:
    return outline_of(path, dedent(source).lstrip("\n"))


def check(path: str, source: str, expected: str) -> None:
    """Compare the outline of a source, drawn one symbol a line, with what is expected."""
    drawn = draw(outline(path, source).symbols)
    assert drawn == dedent(expected).strip("\n").rstrip().split("\n")


def draw(symbols: tuple[SymbolInfo, ...], indent: str = "") -> list[str]:
    """Return ``kind first-last signature`` a symbol, with what else there is to say about it."""
    lines = []
    for symbol in symbols:
        span = f"{symbol.line}-{symbol.line_end}"
        if symbol.decorated_line != symbol.line:
            span = f"{symbol.decorated_line}:{span}"
        privacy = "" if symbol.exported else " private"
        doc = f"  # {symbol.docstring}" if symbol.docstring else ""
        lines.append(f"{indent}{symbol.kind} {span}{privacy} {symbol.signature}{doc}")
        lines += draw(symbol.children, indent + "    ")
    return lines


def imports(path: str, source: str) -> list[str]:
    return [
        f"{i.line} {i.module} {' '.join(i.names)}".rstrip() for i in outline(path, source).imports
    ]
