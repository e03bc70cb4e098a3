import pytest

from analysis.modes.offline.demotion import demotion
from analysis.modes.places import place_of
from analysis.parsing.outline import outline_of

STUBS = {
    "a.rb": "def match(path)\nend\n",
    "b.rb": "def match(path)\n  # Is given by others.\n  nil\nend\n",
    "a.py": 'def match(path):\n    """Match."""\n    # Is given by others.\n    pass\n',
    "a.rs": "fn match_path(path: &str) {\n    unimplemented!()\n}\n",
    "A.cs": "class A {\n  void Match() {\n    throw new NotImplementedException();\n  }\n}\n",
}
BODIES = {
    "a.rb": "def match(path)\n  # The way.\n  find(path)\nend\n",
    "a.py": "def match(path):\n    return  # at once\n    # or\n    find(path)\n",
    "a.js": "function match(path) {\n  return; // at once\n  find(path);\n}\n",
}


def _demoted(path: str, source: str) -> float:
    outer = outline_of(path, source).symbols[-1]
    info = outer.children[-1] if outer.children else outer
    return demotion(place_of(path, info), source.split("\n"), is_inner=False)


@pytest.mark.parametrize("path", STUBS)
def test_what_does_nothing_is_worth_less_as_a_start(path: str) -> None:
    assert _demoted(path, STUBS[path]) < 1


@pytest.mark.parametrize("path", BODIES)
def test_a_comment_hides_no_code_below_it(path: str) -> None:
    assert _demoted(path, BODIES[path]) == 1
