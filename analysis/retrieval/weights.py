"""The constants of ranking, each with its reason; every other module here only computes.

Signals are scaled to at most 1 a query unless said, added up with these weights, and multiplied by
a factor for what kind of file it is. ``benchmarks/retrieval.py`` measures what each is worth.
"""

from __future__ import annotations

from types import MappingProxyType

# --- BM25F over chunks -------------------------------------------------------------------------
# Saturation: the second occurrence of a word in a chunk still counts, the tenth does not.
K1 = 1.2
# Fields: body, qualified name, path, comments and docstrings. A name is written once and meant.
FIELD_WEIGHTS = (1.0, 3.0, 2.0, 1.0)
# Long names and paths are no less about their words; long bodies are.
FIELD_NORMS = (0.75, 0.3, 0.3, 0.75)
# A file's score is the sum of its chunks', best first, each worth this much of the one before:
# the best chunk alone, or the whole file as one text, rank worse.
CHUNK_DECAY = 0.6

# --- the question's words ----------------------------------------------------------------------
# What stands behind a preposition ("alias handling FOR field names") qualifies the topic.
QUALIFIER_WEIGHT = 0.65
# Of an identifier that was written as one, its parts are only a hint; the whole is what is meant.
PART_WEIGHT = 0.5
# The word that asks for a kind of file ("documentation of orders") is hardly its topic.
ASKED_WORD_WEIGHT = 0.3
# Looked up beside a word: index terms that it begins, and those that begin it ("authentication",
# "auth"). Half a word is half a match.
PREFIX_WEIGHT = 0.5
# Shorter beginnings are shared by words that have nothing to do with each other.
PREFIX_LENGTH = 4
PREFIX_LIMIT = 8

# --- signals -----------------------------------------------------------------------------------
SIGNALS = MappingProxyType(
    {
        "content": 1.0,  # BM25F over chunks, summed by file
        "definition": 1.0,  # defines a name that the question writes; not scaled
        "file name": 0.3,  # share of the question's words that the file's name holds
        "whole name": 0.2,  # share of the name's words that the question holds
        "defined words": 0.3,  # best match of one definition's name with the question
        "path": 0.2,  # question words in the path
        "summary": 0.15,  # question words in the comment or docstring that the file begins with
        "beginnings": 0.15,  # words that begin like those of the question
        "joined words": 0.15,  # "data class" -> dataclass
        "named file": 2.0,  # the question names this very file; not scaled
        "near": 0.15,  # close to where the asker is; not scaled
    }
)
# Names written like code are meant as names; capitalised words ("JSON", "Session") may be prose.
CAPITALISED_WEIGHT = 0.5
# Names that the language decorates: ``_map`` and ``$Type`` answer for ``map`` and ``Type``.
SIGILS = ("_", "$", "_$", "__")
# Such a definition is often the very implementation behind a public alias of the same name.
SIGIL_WEIGHT = 1.0
# Of several definitions of one name, types are asked for more often than functions, and both more
# often than values; nested ones rarely.
KIND_WEIGHTS = MappingProxyType(
    {"class": 1.0, "interface": 1.0, "enum": 1.0, "type": 1.0, "function": 0.8, "method": 0.8}
)
OTHER_KIND_WEIGHT = 0.5
NESTED_WEIGHT = 0.7
# A file that is named after a definition is its home.
NAMED_AFTER = 1.3
# A short form in a file name ("ctx", "cfg") stands for its word, a little less surely.
ABBREVIATION_WEIGHT = 0.7

# --- factors -----------------------------------------------------------------------------------
# Tests, examples and prose use every word of a topic but do not implement it. By far the largest
# lever on whole repositories. Undone when the question asks for them.
ASIDE_FACTOR = 0.3
# What the question asks for expressly ("which tests ...") goes before the source on its topic.
ASKED_FACTOR = 2.0
# Data and settings: sometimes the answer, rarely the best one.
DATA_FACTOR = 0.35
# Compiled from a source that is in the code base too.
OUTPUT_FACTOR = 0.3
# Says what there is, not how it works: .d.ts, .pyi.
DECLARATION_FACTOR = 0.6
# Re-exports and shims: they name everything and hold nothing.
BARREL_FACTOR = 0.7
COMPAT_FACTOR = 0.7
# An older tree beside a newer one; an older copy kept below its successor.
OLDER_FACTOR = 0.5
# Marked as private: questions are asked in the terms of the public interface.
PRIVATE_FACTOR = 0.75

# --- the search --------------------------------------------------------------------------------
# So many files with the best content are looked at by kind, and so many of these, what stands back
# ranked lower, get all signals: the first ten never came from below.
CONTENT_FILES = 400
CANDIDATE_FILES = 150
# Chunks of a file that are kept for an answer: the best, and in the first files two to go on with.
CHUNKS_PER_FILE = 3
FILES_WITH_MORE = 10

# --- definitions -------------------------------------------------------------------------------
# BM25F fields of a definition: body, its own name, the name of what is around it, path, comments.
PLACE_FIELDS = (1.0, 1.5, 1.0, 0.7, 1.2)
# Other words for what was said count where something is named or explained, not where it happens
# to be mentioned.
PLACE_FIELDS_UNSURE = (0.0, 1.5, 0.5, 0.3, 0.5)
PLACE_NORMS = (0.6, 0.2, 0.3, 0.6)
SURE_WORD = 0.9
# A synonym is half the word; it is the same thing seldom enough.
SYNONYM_WEIGHT = 0.5
PHRASE_WORD_WEIGHT = 0.5
SHORT_FORM_WEIGHT = 0.8
JOINED_WEIGHT = 0.7
MOST_JOINED = 12
# "Where is it decided", "how do I add": what asks is hardly the topic.
ASKING_WEIGHT = 0.2
# What a definition is worth for each share of the question that it matches, on the scale of a
# logarithm: one more is 2.7 times as likely. Fitted to questions about other code bases than those
# that they are measured on, then rounded; leaving one out changes little, so none is fine-tuned.
PLACE_SIGNALS = MappingProxyType(
    {
        "words": 2.6,
        "name": 1.5,
        "whole name": 2.4,
        "one word": -0.6,  # names of one word fit by chance: half the code base has a ``get``
        "around": 2.9,
        "coverage": 1.4,
        "breadth": 1.1,
        "comment": 1.0,
        "file": 1.3,
        "definition": 5.2,
        "named file": 5.5,
        "near": 0.5,
    }
)
CALLEE_WEIGHT = 0.1
CALLEES_WEIGHT = 0.55
# What stands in a class of many good definitions is a better place than the same alone.
SIBLINGS_WEIGHT = 0.5
# What does something is seldom one line, and a way through the code leads through what is long;
# what decides one thing may be short, and what is to be extended has no length of its own. Beyond
# a screenful length says nothing any more.
LENGTH_WEIGHTS = MappingProxyType(
    {"how": 4.5, "flow": 5.5, "where": 2.4, "depends": 2.8, "extend": 0.1, "topic": 4.5}
)
# What a definition is by its name and kind; see ``definition_traits``.
TRAITS = MappingProxyType(
    {
        "type": 0.0,
        "interface": 0.0,
        "base": 1.0,
        "deciding": 0.3,
        "constructor": -0.9,
        "private": 0.5,
    }
)
# The same where it is asked for one more of a kind, and for what decides. An interface is there to
# be implemented, and not all languages name it where that is done.
TRAITS_ASKED = MappingProxyType(
    {"extend": {"type": 1.8, "interface": 0.5, "base": 2.8}, "where": {"deciding": 1.5}}
)
LONG_DEFINITION = 80
# What others depend on may be anything that has a name, short or long, and the question says it.
DEPENDED_ON = 6.0
# The lines between definitions, the head of a class and a plain value answer less often than what
# does something.
KIND_STANDING = MappingProxyType(
    {
        "block": -2.5,
        "class": -2.4,
        "interface": -2.4,
        "variable": -1.7,
        "property": -1.7,
        "type": -1.7,
        "enum": -1.7,
        "module": -1.7,
    }
)
# Tests, documents and data are searched for places only where they are asked for, or where less of
# the code base than this is the code itself.
LEAST_CODE = 0.2
# Where one more of a kind is asked for, all that speaks for a variant speaks for what it is a
# variant of. So much of it does where only a member of the variant speaks for it,
BASE_OF_MEMBER = 0.5
# for a base that no word of the question names, and then for each step from base to base.
BASE_UNNAMED = 0.3
BASE_OF_BASE = 0.5
# A member of the best class comes before it if it is among so many.
MEMBERS_NEAR = 6
# So many definitions are looked at by name.
POOL = 60
# With those that are as good as the last of them, so many.
MOST_IN_POOL = 120
# Of these so many as what others of them call; each name costs some reading.
MOST_CALLED = 30
# A name that stands in more places than this is no sign of a call.
MOST_CALLERS = 200
