"""Files that hold secrets by their very purpose, known by their names; no prompt shows them."""

from __future__ import annotations

import re
from posixpath import basename

_NAMES = re.compile(
    r"""(?ix)
    \.env(?:rc|\..+)? | .+\.env | \.netrc | _netrc | \.pgpass | \.my\.cnf | \.npmrc | \.pypirc
    | \.htpasswd | \.git-credentials | \.dockercfg | \.s3cfg | \.boto | \.vault-token
    | credentials(?:\.(?:json|ya?ml|toml|ini|csv))? | client_secrets?.*\.json
    | service[-_]?account.*\.json | secrets?\.(?:json|ya?ml|toml|ini|env|properties)
    | (?:local|prod|production|dev)?\.?secrets?\.(?:json|ya?ml|toml)
    | .+\.(?:pem|key|p12|pfx|jks|keystore|kdbx|ppk|gpg|asc|tfstate|tfvars|ovpn)
    | .+\.tfstate\.backup | id_(?:rsa|dsa|ecdsa|ed25519)(?:_\w+)? | master\.key
    """
)
# Made to be shared: they say which variables there are, with nothing in them.
_EXAMPLES = re.compile(r"(?i)\.env.*\.(?:example|sample|template|dist|defaults?)|example\.env")
_FOLDERS = frozenset({".ssh", ".gnupg", ".aws", ".azure", ".kube"})


def is_secret_file(path: str) -> bool:
    """Return whether a file is kept out of every prompt for what such files hold.

    >>> is_secret_file("deploy/.env.production"), is_secret_file(".env.example")
    (True, False)
    """
    name = basename(path)
    if _EXAMPLES.fullmatch(name):
        return False
    return bool(_NAMES.fullmatch(name)) or not _FOLDERS.isdisjoint(path.split("/")[:-1])
