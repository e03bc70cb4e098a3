"""Which language a file is written in, told from its name alone."""

from __future__ import annotations

from analysis.parsing.grammars import TABLE_LANGUAGES

PARSED_LANGUAGES = TABLE_LANGUAGES | {"python", "typescript", "tsx", "javascript", "jsx"}
"""Languages whose files are outlined; the others are searched as text."""

PLAIN_TEXT = "text"
"""The language of a file whose name says nothing."""

# One line a language: its name, then the extensions that belong to it.
_EXTENSIONS = """
python py pyi pyw pyx pxd ipynb
typescript ts mts cts
tsx tsx
javascript js mjs cjs es6
jsx jsx
go go
rust rs
java java
kotlin kt kts
scala scala sc sbt
groovy groovy gradle
c c h
cpp cc cpp cxx c++ hh hpp hxx h++ ipp inl tpp
cuda cu cuh
objective-c m mm
csharp cs csx
fsharp fs fsi fsx
vb vb vbs
swift swift
dart dart
php php phtml
ruby rb rake gemspec ru
perl pl pm
lua lua
r r rmd
julia jl
elixir ex exs
erlang erl hrl
haskell hs lhs
ocaml ml mli
clojure clj cljs cljc edn
lisp lisp lsp cl el
scheme scm ss rkt
zig zig
nim nim nims
crystal cr
d d
v v
odin odin
ada adb ads
fortran f f77 f90 f95 f03 f08 for
cobol cob cbl
pascal pas pp dpr
assembly asm s
verilog sv svh vh
vhdl vhd vhdl
solidity sol
shell sh bash zsh ksh fish bats
powershell ps1 psm1 psd1
batch bat cmd
sql sql ddl
graphql graphql gql
proto proto
thrift thrift
prisma prisma
terraform tf tfvars hcl
nix nix
bazel bzl bazel
cmake cmake
make mk mak
dockerfile dockerfile
vue vue
svelte svelte
astro astro
html html htm xhtml
template jinja jinja2 j2 hbs handlebars mustache ejs erb liquid twig
css css
scss scss sass
less less
xml xml xsd xsl xslt svg plist wsdl csproj props targets pom
json json jsonc json5 webmanifest geojson
yaml yaml yml
toml toml
ini ini cfg conf properties editorconfig env
csv csv tsv
markdown md markdown mdx
restructuredtext rst
asciidoc adoc asciidoc
tex tex sty
org org
po po pot
diff diff patch
text txt text log
"""

# File names that tell the language without an extension, in lower case.
_NAMES = """
dockerfile dockerfile containerfile
make makefile gnumakefile
cmake cmakelists.txt
ruby gemfile rakefile vagrantfile podfile fastfile guardfile
python sconstruct sconscript wscript
groovy jenkinsfile
bazel build workspace
starlark tiltfile
just justfile
shell .bashrc .bash_profile .profile .zshrc .envrc
ini .editorconfig .gitconfig .npmrc .flake8 .pylintrc .env
json .babelrc .eslintrc .prettierrc composer.lock
yaml .clang-format .clang-tidy
toml pipfile cargo.lock poetry.lock uv.lock
ignore .gitignore .dockerignore .scopeignore .npmignore .eslintignore .prettierignore
text license copying notice authors readme changelog requirements.txt
go.mod go.mod go.work
"""


def language_of(path: str) -> str:
    """Return the language's name in lower case, ``text`` if the name says nothing.

    >>> language_of("src/app.test.tsx"), language_of("docker/Dockerfile.dev"), language_of("x")
    ('tsx', 'dockerfile', 'text')
    """
    name = path.replace("\\", "/").rpartition("/")[2].lower()
    if name in _BY_NAME:
        return _BY_NAME[name]
    stem, dot, extension = name.rpartition(".")
    if dot and extension in _BY_EXTENSION:
        return _BY_EXTENSION[extension]
    first = name.partition(".")[0]
    if stem and first in {"dockerfile", "makefile", "jenkinsfile"}:
        return _BY_NAME[first]
    return PLAIN_TEXT


def extensions_of(language: str) -> tuple[str, ...]:
    """Return the extensions of a language's files, without the dot; none if it is not known."""
    return tuple(word for word, known in _BY_EXTENSION.items() if known == language)


def _table(lines: str) -> dict[str, str]:
    """Return word -> language for a table of one language a line."""
    rows = [line.split() for line in lines.strip().splitlines()]
    return {word: language for language, *words in rows for word in words}


_BY_EXTENSION = _table(_EXTENSIONS)
_BY_NAME = _table(_NAMES)
