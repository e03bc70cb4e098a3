from tests.parsing.outlines import check, imports, outline


def test_classes_methods_and_properties():
    check(
        "a.py",
        '''
        @dataclass(frozen=True,
                   slots=True)
        class User(Base, metaclass=Meta):
            """Somebody who signs in.

            More words.
            """
            name: str
            age: int = 3
            full = property(get_full)

            @property
            async def label(self) -> str:
                def inner(): pass
                return inner()

            @label.setter
            def label(self, value): ...

            def _hide(self): pass
        ''',
        """
        class 1:3-20 class User(Base, metaclass=Meta)  # Somebody who signs in.
            variable 8-8 name: str
            variable 9-9 age: int = 3
            property 10-10 full = property(get_full)
            property 12:13-15 async def label(self) -> str
                function 14-14 private def inner()
            property 17:18-18 def label(self, value)
            method 20-20 private def _hide(self)
        """,
    )


def test_module_level_bindings():
    check(
        "a.py",
        """
        LIMIT: int = 3
        first, (second, *rest) = load()
        a = b = 1
        a = 2
        type Pair[T] = tuple[T, T]
        if LIMIT:
            flag = True
        else:
            flag = False
        for item in rest:
            not_a_binding = item
        object.attribute = 1
        """,
        """
        variable 1-1 LIMIT: int = 3
        variable 2-2 first, (second, *rest) = load()
        variable 2-2 first, (second, *rest) = load()
        variable 2-2 first, (second, *rest) = load()
        variable 3-3 a = b = 1
        variable 3-3 a = b = 1
        type 5-5 type Pair[T] = tuple[T, T]
        variable 7-7 flag = True
        """,
    )


def test_signatures_are_folded():
    check(
        "a.py",
        '''
        def f(
            a,  # the first
            *,
            b: Annotated[int, Doc("""
                long words
            """)] = 1,
        ) -> dict[
            str, int
        ]:
            pass
        ''',
        """
        function 1-10 def f(a, *, b: Annotated[int, Doc("…")] = 1) -> dict[str, int]
        """,
    )


def test_the_export_list_decides():
    check(
        "a.py",
        """
        __all__ = ["f"]
        __all__ += ["_g"]
        def f(): ...
        def _g(): ...
        def h(): ...
        """,
        """
        variable 1-1 private __all__ = ["f"]
        function 3-3 def f()
        function 4-4 def _g()
        function 5-5 private def h()
        """,
    )


def test_imports():
    source = """
        import os, a.b as c
        import x.y
        from . import (one as two,
                       three)
        from ..pkg.mod import *
        def f():
            from late import later
        class A:
            import inside
    """
    assert imports("a.py", source) == [
        "1 os os",
        "1 a.b c",
        "2 x.y x",
        "3 . two three",
        "5 ..pkg.mod *",
        "9 inside inside",
        "7 late later",
    ]


def test_columns_are_code_points():
    shape = outline("a.py", 'class A:\n    x = "😀é"; größe = 1\n    def 名前(self): pass\n')
    x, size, name = shape.symbols[0].children
    assert [s.name for s in (x, size, name)] == ["x", "größe", "名前"]
    assert (size.name_column, name.name_column) == (14, 8)


def test_form_feeds_do_not_shift_lines():
    assert outline("a.py", "x = 1\n\f\ndef f():\n    pass\n").symbols[1].line == 3


def test_what_is_made_up_without_a_name_is_none():
    assert outline("a.py", ':\n ""').symbols == ()
