"""Edits with equal or nearly equal code near the cited lines, and edits that delete them."""

from __future__ import annotations

from benchmarks.anchor_cases import (
    Case,
    Cited,
    Truth,
    assignment,
    function,
    is_flow,
    siblings,
    text_of,
)


def duplicate_after(cited: Cited) -> Case | None:
    top = cited.top
    if top is None or not top.defines:
        return None
    lines = cited.lines()
    lines[top.end : top.end] = ["", "", *lines[top.start - 1 : top.end]]
    also = cited.start + top.end - top.start + 3
    return cited.case(lines, cited.same(cited.start, undecidable=True, also=also))


def duplicate_before(cited: Cited) -> Case | None:
    top = cited.top
    if top is None or not top.defines:
        return None
    lines = cited.lines()
    copy = lines[top.start - 1 : top.end]
    lines[top.start - 1 : top.start - 1] = [*copy, "", ""]
    return cited.case(
        lines, cited.same(cited.start + len(copy) + 2, undecidable=True, also=cited.start)
    )


def near_copy_above(cited: Cited) -> Case | None:
    """Put an older version of the function above it: one line differs, not a cited one."""
    return _near_copy(cited, above=True)


def near_copy_below(cited: Cited) -> Case | None:
    return _near_copy(cited, above=False)


def _near_copy(cited: Cited, *, above: bool) -> Case | None:
    top = cited.top
    if top is None or not top.defines:
        return None
    inner = [
        s
        for s in cited.file.statements
        if top.start < s.start == s.end <= top.end and not cited.start <= s.start <= cited.end
    ]
    if not inner:
        return None
    changed = cited.rng.choice(inner)
    lines = cited.lines()
    copy = lines[top.start - 1 : top.end]
    copy[changed.start - top.start] = assignment(cited, 21, changed.indent)
    if above:
        lines[top.start - 1 : top.start - 1] = [*copy, "", ""]
        return cited.case(lines, cited.same(cited.start + len(copy) + 2))
    lines[top.end : top.end] = ["", "", *copy]
    return cited.case(lines, cited.same(cited.start))


def _twin_on_number(cited: Cited, *, delete: bool) -> Case | None:
    """Put a function above so that an equal statement stands on the cited line number."""
    top = cited.top
    if top is None or not top.defines or not cited.statements or cited.is_whole:
        return None
    if any(statement.defines for statement in cited.statements):
        return None  # A definition that is written elsewhere while this one goes has moved.
    indent = cited.statements[0].indent
    shown = cited.shown()
    steps = [indent[: i + 4] for i in range(0, len(indent), 4)] if "\t" not in indent else []
    room = cited.start - top.start
    python = cited.file.is_python
    if not python:
        steps = steps[:1]
    if not steps or room < len(steps) or (is_flow(cited.statements[0]) and delete):
        return None
    body = [assignment(cited, i, steps[0]) for i in range(room - len(steps))]
    body += [f"{outer}if scripted_{i}:" for i, outer in enumerate(steps[:-1])]
    twin = [*function(cited, "scripted_twin", [*body, *shown]), "", ""]
    lines = cited.lines()
    if delete:
        rest = [s for s in siblings(cited)]
        if not rest:
            return None
        lines[cited.start - 1 : cited.end] = [assignment(cited, 77, indent)]
    lines[top.start - 1 : top.start - 1] = twin
    start = cited.start + len(twin)
    if delete:
        return cited.case(
            lines, Truth("changed", cited.path, top.start + len(twin), top.end + len(twin))
        )
    return cited.case(lines, cited.same(start))


def twin_on_number(cited: Cited) -> Case | None:
    return _twin_on_number(cited, delete=False)


def twin_on_number_cited_replaced(cited: Cited) -> Case | None:
    return _twin_on_number(cited, delete=True)


def _with_twin(cited: Cited) -> tuple[list[str], int, int, int] | None:
    """Return lines with a twin in the same block, the cited start, and the twin's range."""
    if cited.is_whole or not cited.statements or cited.top is None or not cited.top.defines:
        return None
    if cited.statements[0].defines or is_flow(cited.statements[-1]):
        return None
    others = [s for s in siblings(cited) if not s.defines and not is_flow(s)]
    if not others:
        return None
    other = cited.rng.choice(others)
    shown, lines = cited.shown(), cited.lines()
    lines[other.end : other.end] = shown
    start = cited.start + (len(shown) if other.end < cited.start else 0)
    return lines, start, other.end + 1, len(shown)


def replaced_beside_twin(cited: Cited) -> Case | None:
    """Replace the cited statement where an equal one stands in the same function."""
    made = _with_twin(cited)
    if made is None or cited.top is None:
        return None
    lines, start, _, n = made
    after = list(lines)
    after[start - 1 : start - 1 + n] = [assignment(cited, 31, cited.statements[0].indent)]
    truth = Truth("changed", cited.path, cited.top.start, cited.top.end + n)
    before: dict[str, str | None] = {cited.path: text_of(lines)}
    return Case(before, (cited.path, start, start + n - 1), {cited.path: text_of(after)}, truth)


def deleted_beside_twin(cited: Cited) -> Case | None:
    made = _with_twin(cited)
    if made is None or cited.top is None:
        return None
    lines, start, twin, n = made
    after = list(lines)
    del after[start - 1 : start - 1 + n]
    truth = Truth("changed", cited.path, cited.top.start, cited.top.end + n)
    if abs(twin - start) <= n:
        return None
    before: dict[str, str | None] = {cited.path: text_of(lines)}
    return Case(before, (cited.path, start, start + n - 1), {cited.path: text_of(after)}, truth)


def twin_deleted(cited: Cited) -> Case | None:
    """Delete the twin of the cited statement, which itself stays."""
    made = _with_twin(cited)
    if made is None:
        return None
    lines, start, twin, n = made
    if abs(twin - start) <= n:
        return None
    after = cited.lines()
    before: dict[str, str | None] = {cited.path: text_of(lines)}
    truth = cited.same(cited.start)
    return Case(before, (cited.path, start, start + n - 1), {cited.path: text_of(after)}, truth)


def twin_added(cited: Cited) -> Case | None:
    """Put an equal statement into the same block."""
    made = _with_twin(cited)
    if made is None:
        return None
    lines, start, twin, n = made
    return cited.case(lines, cited.same(start, undecidable=abs(twin - start) <= n))


def shifted_beside_twin(cited: Cited) -> Case | None:
    """Insert lines above a function in which the cited statement has a twin."""
    made = _with_twin(cited)
    if made is None or cited.top is None:
        return None
    lines, start, _, n = made
    k = cited.rng.randint(1, 9)
    after = list(lines)
    after[cited.top.start - 1 : cited.top.start - 1] = [assignment(cited, i) for i in range(k)]
    before: dict[str, str | None] = {cited.path: text_of(lines)}
    truth = cited.same(start + k)
    return Case(before, (cited.path, start, start + n - 1), {cited.path: text_of(after)}, truth)


def delete_symbol(cited: Cited) -> Case | None:
    top = cited.top
    if top is None or not top.defines:
        return None
    lines = cited.lines()
    del lines[top.start - 1 : top.end]
    return cited.case(lines, Truth("gone"))


def delete_file(cited: Cited) -> Case | None:
    return Case({}, (cited.path, cited.start, cited.end), {cited.path: None}, Truth("gone"))


def delete_statement(cited: Cited) -> Case | None:
    if cited.is_whole or not cited.statements or cited.top is None or not cited.top.defines:
        return None
    if not siblings(cited):
        return None
    lines = cited.lines()
    del lines[cited.start - 1 : cited.end]
    return cited.case(lines, Truth("changed", cited.path, cited.top.start, cited.top.end))


def delete_beside_same_name(cited: Cited) -> Case | None:
    """Delete a function of the module where a class of the file has a method of that name."""
    top, home = cited.top, cited.home
    if top is None or home is None or not top.defines or (home.decorated_line != top.start):
        return None
    lines = cited.lines()
    if cited.file.is_python:
        box = [
            "",
            "",
            "class ScriptedBox:",
            f"    def {home.name}(self):",
            "        return self.box",
        ]
    else:
        box = ["", "class ScriptedBox {", f"  {home.name}() {{", "    return this.box;", "  }", "}"]
    before: dict[str, str | None] = {cited.path: text_of([*lines, *box])}
    del lines[top.start - 1 : top.end]
    after: dict[str, str | None] = {cited.path: text_of([*lines, *box])}
    return Case(before, (cited.path, cited.start, cited.end), after, Truth("gone"))


def delete_beside_line_elsewhere(cited: Cited) -> Case | None:
    """Delete the function; another one of the file has the cited lines, too."""
    top = cited.top
    if top is None or not top.defines or not cited.statements or cited.is_whole:
        return None
    if cited.statements[0].indent not in ("    ", "  "):
        return None
    indent = cited.statements[0].indent
    other = function(cited, "scripted_other", [assignment(cited, 5, indent), *cited.shown()])
    lines = [*cited.lines(), "", "", *other]
    after = list(lines)
    del after[top.start - 1 : top.end]
    before: dict[str, str | None] = {cited.path: text_of(lines)}
    lines_cited = (cited.path, cited.start, cited.end)
    return Case(before, lines_cited, {cited.path: text_of(after)}, Truth("gone"))


def delete_beside_copy_in_file(cited: Cited) -> Case | None:
    """Delete the function; an older copy of it stands in another file."""
    top = cited.top
    if top is None or not top.defines:
        return None
    target = cited.another_file()
    lines = cited.lines()
    there = text_of([*target.lines, "", *lines[top.start - 1 : top.end]])
    del lines[top.start - 1 : top.end]
    lines_cited = (cited.path, cited.start, cited.end)
    after: dict[str, str | None] = {cited.path: text_of(lines), target.path: there}
    return Case({target.path: there}, lines_cited, after, Truth("gone"))


def delete_then_new_similar(cited: Cited) -> Case | None:
    """Replace the function by one of another name that keeps the cited lines."""
    top, home = cited.top, cited.home
    if top is None or home is None or not top.defines or not cited.statements or cited.is_whole:
        return None
    indent = cited.statements[0].indent
    if len(indent) not in (2, 4):
        return None
    lines = cited.lines()
    body = [assignment(cited, i, indent) for i in range(3)]
    lines[top.start - 1 : top.end] = function(
        cited, "scripted_other", [*body, *cited.shown(), assignment(cited, 9, indent)]
    )
    start = top.start + 4
    return cited.case(
        lines, Truth("same", cited.path, start, start + cited.end - cited.start, True)
    )


def accessor_deleted(cited: Cited) -> Case | None:
    """Delete a property's setter or getter; the other one stays."""
    top, home = cited.top, cited.home
    if top is None or not cited.file.is_python or home is None or home.name.startswith("_"):
        return None
    name = f"{home.name}_value"
    getter = ["    @property", f"    def {name}(self):", f"        return self._{name}", ""]
    setter = [
        f"    @{name}.setter",
        f"    def {name}(self, value):",
        f"        self._{name} = value",
        f"        self.changed('{name}')",
        "",
    ]
    head = ["", "", "class ScriptedBox:"]
    base = cited.lines()
    delete_setter = cited.rng.random() < 0.5
    full = [*base, *head, *getter, *setter]
    start = len(base) + len(head) + (len(getter) if delete_setter else 0) + 1
    end = start + (3 if delete_setter else 2)
    kept = getter if delete_setter else setter
    before: dict[str, str | None] = {cited.path: text_of(full)}
    after: dict[str, str | None] = {cited.path: text_of([*base, *head, *kept])}
    return Case(before, (cited.path, start, end), after, Truth("gone"))


EDITS = (
    duplicate_after,
    duplicate_before,
    near_copy_above,
    near_copy_below,
    twin_on_number,
    twin_on_number_cited_replaced,
    replaced_beside_twin,
    deleted_beside_twin,
    twin_deleted,
    twin_added,
    shifted_beside_twin,
    delete_symbol,
    delete_file,
    delete_statement,
    delete_beside_same_name,
    delete_beside_line_elsewhere,
    delete_beside_copy_in_file,
    delete_then_new_similar,
    accessor_deleted,
)
