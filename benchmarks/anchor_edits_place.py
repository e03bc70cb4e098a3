"""Edits that put code elsewhere, or other code around it, and leave what is cited as it is."""

from __future__ import annotations

from benchmarks.anchor_cases import (
    Case,
    Cited,
    Truth,
    assignment,
    comment,
    reindented,
    siblings,
    text_of,
)


def insert_above(cited: Cited) -> Case | None:
    top = cited.top
    if top is None:
        return None
    n = cited.rng.randint(1, 15)
    new = [assignment(cited, i) if i % 2 else comment(cited, f"note {i}") for i in range(n)]
    lines = cited.lines()
    lines[top.start - 1 : top.start - 1] = new
    return cited.case(lines, cited.same(cited.start + n))


def insert_inside(cited: Cited) -> Case | None:
    """Put new statements right above the cited ones."""
    if cited.is_whole or not cited.statements or cited.top is None:
        return None
    n = cited.rng.randint(1, 3)
    indent = cited.statements[0].indent
    lines = cited.lines()
    lines[cited.start - 1 : cited.start - 1] = [assignment(cited, i, indent) for i in range(n)]
    return cited.case(lines, cited.same(cited.start + n))


def delete_above(cited: Cited) -> Case | None:
    """Delete a statement of the module above the one that holds the cited lines."""
    top = cited.top
    above = [s for s in cited.file.statements if not s.indent and top and s.end < top.start]
    if not above:
        return None
    gone = cited.rng.choice(above)
    lines = cited.lines()
    del lines[gone.start - 1 : gone.end]
    return cited.case(lines, cited.same(cited.start - (gone.end - gone.start + 1)))


def delete_neighbour(cited: Cited) -> Case | None:
    """Delete another statement of the same block."""
    others = [] if cited.is_whole or not cited.top else siblings(cited)
    if not others or not cited.top or not cited.top.defines:
        return None
    gone = cited.rng.choice(others)
    n = gone.end - gone.start + 1
    lines = cited.lines()
    del lines[gone.start - 1 : gone.end]
    return cited.case(lines, cited.same(cited.start - (n if gone.end < cited.start else 0)))


def line_ends(cited: Cited) -> Case | None:
    after = cited.file.text.replace("\n", "\r\n")
    return Case(
        {}, (cited.path, cited.start, cited.end), {cited.path: after}, cited.same(cited.start)
    )


def swap_functions(cited: Cited) -> Case | None:
    """Swap the statement that holds the cited lines with the next of its block."""
    inner = [
        s
        for s in cited.file.statements
        if s.defines and s.start <= cited.start <= cited.end <= s.end
    ]
    if not inner:
        return None
    mine = inner[-1]
    after = [s for s in cited.file.statements if s.body == mine.body and s.start > mine.end]
    if not after or not after[0].defines:
        return None
    other = after[0]
    lines = cited.lines()
    first, gap, second = (
        lines[mine.start - 1 : mine.end],
        lines[mine.end : other.start - 1],
        lines[other.start - 1 : other.end],
    )
    lines[mine.start - 1 : other.end] = [*second, *gap, *first]
    shift = len(second) + len(gap)
    return cited.case(lines, cited.same(cited.start + shift))


def swap_statements(cited: Cited) -> Case | None:
    """Swap the cited statements with the next one of their block."""
    if cited.is_whole or cited.top is None or not cited.top.defines:
        return None
    after = [s for s in siblings(cited) if s.start > cited.end]
    if not after:
        return None
    other = after[0]
    lines = cited.lines()
    mine, gap = lines[cited.start - 1 : cited.end], lines[cited.end : other.start - 1]
    second = lines[other.start - 1 : other.end]
    if mine == second:
        return None
    lines[cited.start - 1 : other.end] = [*second, *gap, *mine]
    return cited.case(lines, cited.same(cited.start + len(second) + len(gap)))


def move_to_other_file(cited: Cited) -> Case | None:
    """Move the function or class of the module to the end of another file."""
    top = cited.top
    if top is None or not top.defines:
        return None
    target = cited.another_file()
    lines = cited.lines()
    moved = lines[top.start - 1 : top.end]
    del lines[top.start - 1 : top.end]
    there = [*target.lines, "", "", *moved]
    start = len(target.lines) + 3 + cited.start - top.start
    truth = Truth("same", target.path, start, start + cited.end - cited.start)
    return cited.case(lines, truth, **{target.path: text_of(there)})


def move_to_new_file(cited: Cited) -> Case | None:
    top = cited.top
    if top is None or not top.defines:
        return None
    lines = cited.lines()
    moved = lines[top.start - 1 : top.end]
    del lines[top.start - 1 : top.end]
    path = _renamed(cited.path, "scripted_part")
    start = 3 + cited.start - top.start
    truth = Truth("same", path, start, start + cited.end - cited.start)
    return cited.case(lines, truth, **{path: text_of([comment(cited, "moved"), "", *moved])})


def rename_file(cited: Cited) -> Case | None:
    path = _renamed(cited.path, "scripted_name")
    after = {cited.path: None, path: cited.file.text}
    return Case(
        {}, (cited.path, cited.start, cited.end), after, Truth("same", path, cited.start, cited.end)
    )


def rename_and_edit_file(cited: Cited) -> Case | None:
    """Rename the file, put lines above, and change a statement elsewhere in it."""
    top = cited.top
    others = [s for s in cited.file.statements if not s.indent and top and s.start > top.end]
    if top is None:
        return None
    lines = cited.lines()
    if others:
        gone = cited.rng.choice(others)
        lines[gone.start - 1 : gone.end] = [assignment(cited, 3)]
    new = [assignment(cited, i) for i in range(4)]
    lines[top.start - 1 : top.start - 1] = new
    path = _renamed(cited.path, "scripted_name")
    truth = Truth("same", path, cited.start + 4, cited.end + 4)
    after = {cited.path: None, path: text_of(lines)}
    return Case({}, (cited.path, cited.start, cited.end), after, truth)


def move_to_package(cited: Cited) -> Case | None:
    """Move the file to another folder under its name."""
    folder, _, name = cited.path.rpartition("/")
    path = f"{folder}/scripted_folder/{name}" if folder else f"scripted_folder/{name}"
    after = {cited.path: None, path: cited.file.text}
    truth = Truth("same", path, cited.start, cited.end)
    return Case({}, (cited.path, cited.start, cited.end), after, truth)


def split_file(cited: Cited) -> Case | None:
    """Move the statement that holds the cited lines, and all below, to a new file."""
    top = cited.top
    if top is None or top.start < 10:
        return None
    lines = cited.lines()
    path = _renamed(cited.path, "scripted_half")
    start = cited.start - top.start + 2
    truth = Truth("same", path, start, start + cited.end - cited.start)
    second = [comment(cited, "second half"), *lines[top.start - 1 :]]
    return cited.case(lines[: top.start - 1], truth, **{path: text_of(second)})


def copy_file(cited: Cited) -> Case | None:
    path = _renamed(cited.path, "scripted_copy")
    after: dict[str, str | None] = {path: cited.file.text}
    return Case({}, (cited.path, cited.start, cited.end), after, cited.same(cited.start))


def edit_home_elsewhere(cited: Cited) -> Case | None:
    """Change a statement of the same function that is not cited."""
    others = [] if cited.is_whole or not cited.top else siblings(cited)
    others = [s for s in others if s.start == s.end and not s.defines]
    if not others or not cited.top or not cited.top.defines:
        return None
    other = cited.rng.choice(others)
    lines = cited.lines()
    lines[other.start - 1] = assignment(cited, 11, other.indent)
    return cited.case(lines, cited.same(cited.start))


def edit_condition(cited: Cited) -> Case | None:
    """Change the condition of the branch that the cited lines stand in."""
    if not cited.statements or not cited.file.is_python:
        return None
    indent = cited.statements[0].indent
    for number in range(cited.start - 1, 0, -1):
        line = cited.file.lines[number - 1]
        if line.strip() and len(line) - len(line.lstrip()) < len(indent):
            words = line.split()
            if words[0] not in ("if", "while") or not line.endswith(":"):
                return None
            lines = cited.lines()
            lines[number - 1] = f"{line[:-1]} and scripted_flag:"
            return cited.case(lines, cited.same(cited.start))
    return None


def move_into_class(cited: Cited) -> Case | None:
    """Put a function of the module into a class, as its static method."""
    top = cited.top
    if top is None or top.kind not in ("function_definition", "decorated_definition"):
        return None
    lines = cited.lines()
    inside = reindented(lines[top.start - 1 : top.end], "", "    ")
    inside = [line if line.strip() else "" for line in inside]
    lines[top.start - 1 : top.end] = ["class ScriptedBox:", *inside]
    if any(line.count('"""') % 2 or "'''" in line for line in cited.shown()):
        return None
    return cited.case(lines, cited.same(cited.start + 1))


def _renamed(path: str, name: str) -> str:
    folder, slash, file = path.rpartition("/")
    return f"{folder}{slash}{name}.{file.rpartition('.')[2]}"


EDITS = (
    insert_above,
    insert_inside,
    delete_above,
    delete_neighbour,
    line_ends,
    swap_functions,
    swap_statements,
    move_to_other_file,
    move_to_new_file,
    rename_file,
    rename_and_edit_file,
    move_to_package,
    split_file,
    copy_file,
    edit_home_elsewhere,
    edit_condition,
    move_into_class,
)
