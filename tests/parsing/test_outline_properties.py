from hypothesis import example, given, settings
from hypothesis import strategies as st

from analysis.models import FileOutline, SymbolInfo
from analysis.parsing.find_symbols import find_symbols, symbol_at, walk
from analysis.parsing.outline import outline_of

# Pieces that make sense together often enough, and break each other now and then.
PYTHON = [
    "def f(a, b=1): pass\n",
    "class A(B):\n",
    "    def m(self):\n",
    "        return 1\n",
    '    """Doc 😀."""\n',
    "    é = '😀'; 名 = 2\n",
    "@deco(\n    1)\n",
    "if x:\n",
    "else:\n",
    "    async def g(): yield\n",
    "x: int = (\n",
    ")\n",
    "'''\n",
    "def \n",
    "# comment 😀\n",
    "\f\n",
    "\n",
    "import a, b as c\n",
    "    ",
    "lambda: [",
    "\\\n",
]
SCRIPT = [
    "function f(a, b = 1) {\n",
    "}\n",
    "export default class A extends B {\n",
    "  static m() { return 1 }\n",
    "  get é() { return '😀' }\n",
    "const g = async (x) => {\n",
    "const { a, b: [c] } = require('😀');\n",
    "module.exports = { m() {}, n: () => 1 };\n",
    "A.prototype.run = exports.run = function () {\n",
    "interface I<T> { a: string; m(): void }\n",
    "@Dec() ",
    "/** Doc 😀 */\n",
    "`${",
    "`\n",
    "(",
    ")",
    "<div>{",
    "\n",
    "export { a as b } from 'm';\n",
    "type T = {\n",
    "enum E { A, B = 1 }\n",
    "namespace N {\n",
]

CASES = st.one_of(
    st.tuples(st.just("a.py"), st.lists(st.sampled_from(PYTHON), max_size=25)),
    st.tuples(
        st.sampled_from(["a.ts", "a.tsx", "a.js"]), st.lists(st.sampled_from(SCRIPT), max_size=25)
    ),
).map(lambda case: (case[0], "".join(case[1])))


def assert_ordered_and_nested(symbols: tuple[SymbolInfo, ...], first: int, last: int) -> None:
    at = 0
    for symbol in symbols:
        assert symbol.name
        assert first <= symbol.decorated_line <= symbol.line <= symbol.line_end <= last
        assert symbol.line <= symbol.name_line <= symbol.line_end
        assert symbol.line >= at
        at = symbol.line
        assert_ordered_and_nested(symbol.children, symbol.decorated_line, symbol.line_end)


def assert_names_stand_where_they_are_said_to(outline: FileOutline, text: str) -> None:
    lines = text.split("\n")
    for symbol in walk(outline):
        rest = lines[symbol.name_line - 1][symbol.name_column :]
        assert rest.lstrip("'\"").startswith(symbol.name.split("\n")[0])


@settings(max_examples=400, deadline=None)
@given(CASES)
@example(("a.ts", f"@Dec() {SCRIPT[0]}}}\n{SCRIPT[2]}{SCRIPT[2]}"))
def test_outlines_nest_and_are_ordered(case):
    path, text = case
    outline = outline_of(path, text)
    assert_ordered_and_nested(outline.symbols, 1, text.count("\n") + 1)
    assert_names_stand_where_they_are_said_to(outline, text)
    for symbol in walk(outline):
        assert symbol in find_symbols(outline, symbol.qualified_name)
        assert "\n" not in symbol.signature
        found = symbol_at(outline, symbol.name_line)
        assert found is not None


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(["a.py", "a.ts", "a.jsx", "a.go", "a"]), st.text(max_size=200))
def test_any_text_has_an_outline(path, text):
    text = text.replace("\r", "\n")
    assert_ordered_and_nested(outline_of(path, text).symbols, 1, text.count("\n") + 1)
