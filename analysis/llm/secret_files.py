"""Files that hold secrets by their very purpose, known by their names; no prompt shows them."""

from __future__ import annotations

import re
from posixpath import basename

_DATA = r"(?:json5?|ya?ml|toml|ini|cfg|conf|csv|txt|xml|env|properties|plist|enc|dat)"
_NAMES = re.compile(
    rf"""(?ix)
    # Variables of an environment: .env, .env-prod, .env.local, prod.env, dotenv
    \.(?:env|dotenv|flaskenv|dev\.vars)(?:rc|[-._~].*)? | dotenv(?:[-._].*)? | .+\.env
    # What tools log in with
    | [._]netrc | \.?pgpass(?:\.conf)? | \.my(?:login)?\.cnf | \.npmrc | \.yarnrc(?:\.ya?ml)?
    | \.pypirc | \.?htpasswd | \.git-credentials | \.dockercfg | \.dockerconfigjson | \.s3cfg
    | \.boto | \.vault[-_]?(?:token|pass(?:word)?)(?:\.txt)? | \.terraformrc | terraform\.rc
    | rclone\.conf | auth\.json | nuget\.config | \.?kube-?config(?:[-._].*)? | .+\.kubeconfig
    | settings(?:-security)?\.xml | (?:inventory|hosts)(?:[-._]\w+)?\.ini
    | vault(?:[-_]\w+)?\.ya?ml | wp-config\.php | local\.settings\.json | appsettings\.\w+\.json
    | application(?:-[\w-]+)?\.(?:properties|ya?ml)
    # Credentials, secrets, passwords and tokens in data
    | (?:\w+[-_.])?credentials?(?:[-_.]\w+)?(?:\.{_DATA})?
    | (?:[\w-]+[-_.])?(?:secrets?|passwords?|passwd|api[-_]?keys?)(?:[-_.][\w-]+)?\.{_DATA}
    | (?:access|auth|api|oauth|refresh|bot)[-_]?tokens?\.{_DATA} | token\.(?:json|txt) | \.token
    | shadow | \.?passwd | master\.key
    | .*(?:service[-_]?account|adminsdk|gcp[-_]?key|google[-_]?key).*\.json
    # Keys and stores of keys, state and variables of Terraform
    | .+\.(?:pem|key|agekey|p8|pk8|p12|pfx|pkcs12|jks|jceks|keystore|bks|kdbx?|ppk|gpg|asc)
    | .+\.(?:tfstate|tfstate\.backup|tfvars|tfvars\.json|ovpn|mobileprovision)
    | credentials\.tfrc\.json | wallet\.dat | secring\..*
    | (?:id|.+)_(?:rsa|dsa|ecdsa|ed25519) | id_(?:rsa|dsa|ecdsa|ed25519)[-_]\w+ | ssh_host_\w+_key
    # What was typed
    | \.\w+_history
    """
)
# Made to be shared: they say which variables there are, with nothing in them.
_EXAMPLES = re.compile(
    r"(?i)(?:.*[-._])?(?:example|sample|template|tmpl|dist|defaults?|schema|skel)(?:[-._].*)?"
)
_FOLDERS = frozenset({".ssh", ".gnupg", ".aws", ".azure", ".kube", ".gcloud", ".chef"})
# Programs that speak of such things hold none by purpose.
_CODE = re.compile(
    r"(?i).+\.(?:py|pyi|rb|[cm]?[jt]sx?|go|rs|java|kt|cs|php|swift|c|h|cpp|hpp|scala|ex|exs|lua|pl|md|rst|html|pub)"
)


def is_secret_file(path: str) -> bool:
    """Return whether a file is kept out of every prompt for what such files hold.

    >>> is_secret_file("deploy/.env-production"), is_secret_file(".env.example")
    (True, False)
    """
    name = basename(path)
    if path.lower().endswith(".docker/config.json"):
        return True
    if not _FOLDERS.isdisjoint(part.lower() for part in path.split("/")[:-1]):
        return True
    if _EXAMPLES.fullmatch(name) or (_CODE.fullmatch(name) and name.lower() != "wp-config.php"):
        return False
    return bool(_NAMES.fullmatch(name))
