import pytest

from analysis.parsing.outline import outline_of


@pytest.mark.parametrize(
    ("path", "source", "doc"),
    [
        ("a.py", '#!/usr/bin/python\n"""\nWhat it is.\n"""\n', "What it is."),
        (
            "a.py",
            "#!/usr/bin/env python\n# -*- coding: x -*-\n# Opens doors.\n\n",
            "Opens doors.",
        ),
        ("a.py", "# Opens doors.\nimport os\n", "Opens doors."),
        ("a.py", "# Opens a door.\ndef f(): pass\n", None),
        ("a.py", "# Copyright (c) Somebody\n# All rights reserved.\n\nx = 1\n", None),
        ("a.py", "f'''Not {a} docstring'''\n", None),
        ("a.py", "'One' ' more.'\n", "One more."),
        ("a.js", "/**\n * @fileoverview Opens doors.\n */\n'use strict';\n", "Opens doors."),
        ("a.js", "/* eslint-disable */\n// Opens doors.\n\nlet x;\n", "Opens doors."),
        ("a.ts", "/** Opens a door. */\nexport function f() {}\n", None),
        ("a.ts", "", None),
        ("a.rb", "# frozen_string_literal: true\n\nmodule A\nend\n", None),
        (
            "a.rb",
            "# frozen_string_literal: true\n\n# Opens doors.\n\nmodule A\nend\n",
            "Opens doors.",
        ),
        ("a.rb", "# frozen_string_literal: true\n\n# A door.\nmodule A\nend\n", None),
        (
            "a.go",
            "//go:build linux\n\n// Package a opens doors.\npackage a\n",
            "Package a opens doors.",
        ),
        ("a.hs", "{-# LANGUAGE GADTs #-}\n\nmodule A where\n", None),
        ("a.py", "#!/usr/bin/python\n\n# Opens doors.\n\nimport os\n", "Opens doors."),
        ("a.ipynb", "# %% [markdown]\n# # Opening doors\n# %%\nx = 1\n", "Opening doors"),
    ],
)
def test_what_a_file_says_about_itself(path, source, doc):
    assert outline_of(path, source).docstring == doc
