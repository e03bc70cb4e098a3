"""Headings of Markdown and rules of style sheets, as `scope outline` shows them."""

from textwrap import dedent

import pytest

from analysis.parsing.outline import outline_of
from analysis.parsing.sections import with_sections
from tests.parsing.outlines import draw

CASES = {
    "headings": (
        "a.md",
        """\
        ---
        title: x
        # no heading
        ---
        # One `code` and [a link](http://x) #

        Text

        ## Two
        ```sh
        # no heading
        ~~~
        ## none either
        ```
        ### Three
        <!--
        # nor this
        -->
        ## Four

        Text that goes on

        Under *one*
        ===
        Under two
        ---

        - item
        ---
        #hash
        """,
        """\
        module 5-21 # One `code` and [a link](http://x) #
            module 9-18 ## Two
                module 15-18 ### Three
            module 19-21 ## Four
        module 23-30 Under *one*
            module 25-30 Under two
        """,
    ),
    "rules": (
        "a.css",
        """\
        /* .no { } */
        :root { --a: "}"; }
        a:hover,
        .b > c {
          color: red;
        }
        @media (min-width: 1px) {
          .d::after { content: "{"; background: url(data:x;{}); }
        }
        @import "x.css";
        @font-face { src: url(a.woff) }
        """,
        """\
        class 2-2 :root
        class 3-6 a:hover, .b > c
        module 7-9 @media (min-width: 1px)
            class 8-8 .d::after
        module 11-11 @font-face
        """,
    ),
    "nested rules and mixins": (
        "a.scss",
        """\
        // .no {
        @mixin wide($a: 1) {
          width: $a;
        }
        .card {
          &:hover { color: red; }
          .t-#{$n} {
            @include wide(2);
          }
        """,
        """\
        function 2-4 @mixin wide($a: 1)
        class 5-9 .card
            class 6-6 &:hover
            class 7-9 .t-#{$n}
        """,
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_sections(name: str) -> None:
    path, source, expected = CASES[name]
    text = dedent(source)
    assert draw(with_sections(outline_of(path, text), text).symbols) == (
        dedent(expected).strip("\n").split("\n")
    )


def test_sections_are_no_definitions() -> None:
    assert outline_of("a.md", "# A\n").symbols == ()
    assert outline_of("a.css", "a { b: c }\n").symbols == ()


def test_code_keeps_its_outline() -> None:
    text = "def f():\n    pass\n"
    assert with_sections(outline_of("a.py", text), text) == outline_of("a.py", text)
