"""Shows other programs what Scope needs as an environment of its own, installing nothing.

`python .ci/product.py FOLDER` makes a virtual environment in which there is of each needed package
what it says of itself, linked from the environment that this runs in. To install the same packages
again took fifteen minutes on a busy machine.
"""

from __future__ import annotations

import sys
import venv
from importlib import metadata
from pathlib import Path

from licences import needed

PRODUCT = "scope-lsp"


def make(folder: Path) -> int:
    """Make the environment, and return how many packages are in it."""
    venv.create(folder, clear=True, symlinks=True)
    (packages,) = folder.glob("lib/python*/site-packages")
    names = [PRODUCT, *needed(PRODUCT)]
    for name in names:
        about = Path(str(metadata.distribution(name).locate_file(""))) / _about(name)
        (packages / about.name).symlink_to(about, target_is_directory=True)
    return len(names)


def _about(name: str) -> str:
    """Return the folder in which a package's distribution tells about itself."""
    files = metadata.distribution(name).files or ()
    return next(str(path.parent) for path in files if path.name == "METADATA")


if __name__ == "__main__":
    print(f"{make(Path(sys.argv[1]))} packages")
