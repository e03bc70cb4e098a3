"""Files that hold secrets by their very purpose, known by their names; no prompt shows them."""

from __future__ import annotations

import re
from posixpath import basename

_DATA = r"(?:json5?|ya?ml|toml|ini|cfg|conf|csv|txt|xml|env|properties|plist|enc|dat)"
_NAMES = re.compile(
    rf"""(?ix)
    # Variables of an environment: .env, .env-prod, .env.local, prod.env, dotenv
    \.(?:env|dotenv|flaskenv|[\w-]+\.vars)(?:rc|[-._~].*)? | dotenv(?:[-._].*)? | .+\.env
    | env(?:[-._](?:local|prod(?:uction)?|stag(?:e|ing)|dev(?:elopment)?|live))+(?:\.{_DATA})?
    # What tools log in with
    | [._]netrc | \.?pgpass(?:\.conf)? | \.my(?:login)?\.cnf | \.npmrc | \.yarnrc(?:\.ya?ml)?
    | \.pypirc | \.?htpasswd | \.git-credentials | \.dockercfg | \.dockerconfigjson | \.s3cfg
    | \.boto | \.vault[-_]?(?:token|pass(?:word)?)(?:\.txt)? | \.terraformrc | terraform\.rc
    | rclone\.conf | pip\.(?:conf|ini) | my\.cnf | wg\d*\.conf | wireguard\.conf | \.sentryclirc
    | \.clasprc\.json | \.?smbcredentials | \.?docker[-_]config\.json | auth\.json | nuget\.config
    | \.?kube-?config(?:[-._].*)? | .+\.kubeconfig
    | settings(?:-security)?\.xml | (?:inventory|hosts)(?:[-._]\w+)?\.ini
    | (?:\w+[-_])?vault(?:[-_]\w+)?\.(?:ya?ml|txt) | wp-config\.php | local\.settings\.json
    | appsettings\.\w+\.json
    | application(?:-[\w-]+)?\.(?:properties|ya?ml)
    # Credentials, secrets, passwords and tokens in data
    | (?:\w+[-_.])?credentials?(?:[-_.]\w+)?(?:\.{_DATA})?
    | (?:[\w-]+[-_.])?(?:secrets?|passwords?|passwd|api[-_]?keys?)(?:[-_.][\w-]+)?\.{_DATA}
    | (?:access|auth|api|oauth|refresh|bot)[-_]?tokens?\.{_DATA} | token\.(?:json|txt)
    | .*\.(?:tokens?|secrets?) | (?:.*[-_.])?(?:private|priv|root|access|sa)[-_]?keys?\.{_DATA}
    | shadow | \.?passwd | master\.key
    | .*(?:service[-_]?account|adminsdk|gcp[-_]?key|google[-_]?key).*\.json
    # Keys and stores of keys, state and variables of Terraform
    | .+\.(?:pem|key|agekey|p8|pk8|p12|pfx|pkcs12|jks|jceks|keystore|keytab|bks|kdbx?|kbx
        |ppk|gpg|asc|eyaml)
    | .+\.(?:tfbackend|tfstate|tfstate\.backup|tfvars|tfvars\.json|ovpn|mobileprovision)
    | credentials\.tfrc\.json | wallet\.dat | secring\..*
    | (?:id|.+)_(?:rsa|dsa|ecdsa|ed25519) | id_(?:rsa|dsa|ecdsa|ed25519)[-_]\w+ | ssh_host_\w+_key
    # What was typed
    | \.\w+_history | \.lesshst
    """
)
# Made to be shared: they say which variables there are, with nothing in them.
_EXAMPLES = re.compile(
    r"(?i)(?!.*[-._]local$)(?:.*[-._])?"
    r"(?:example|sample|template|tmpl|dist|defaults?(?!_credentials)|schema|skel)(?:[-._].*)?"
)
# What editors and people leave beside a file: id_rsa.bak, server.pem.old, .env~
_COPY = re.compile(
    r"(?i)(?:~|\.(?:bak|back|backup|old|orig|save|saved|copy|prev|sw[op]|\d{1,8}))+$"
)
_PATHS = (
    ".docker/config.json", ".config/gh/hosts.yml", ".config/hub", ".bundle/config",
    ".fly/config.yml", ".netlify/state.json",
)  # fmt: skip
_FOLDERS = frozenset({".ssh", ".gnupg", ".aws", ".azure", ".kube", ".gcloud", ".chef"})
# Programs that speak of such things hold none by purpose.
_CODE = re.compile(
    r"(?i).+\.(?:py|pyi|rb|[cm]?[jt]sx?|go|rs|java|kt|cs|php|swift|c|h|cpp|hpp|scala|ex|exs|lua|pl|md|rst|html|pub)"
)


# What such files say of themselves, whatever they are called.
_CONTENTS = tuple(
    tuple(re.compile(part, re.MULTILINE) for part in parts)
    for parts in (
        (r"\A\s*-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY",),
        (r"\A\s*\$ANSIBLE_VAULT;",),
        (r"\A\s*machine\s+\S+\s+login\s", r"^[ \t]*(?:machine .*)?password[ \t]"),
        (r"^kind:\s*[\"']?Config\b", r"^users:", r"\b(?:client-key-data|token|password):"),
        (r'^[ \t]*"terraform_version"\s*:', r'^[ \t]*"lineage"\s*:'),
        (r'"type"\s*:\s*"(?:service_account|authorized_user)"', r'"(?:private_key|client_secret)"'),
        (r'"client_secret"\s*:', r'"auth_uri"\s*:'),
        (r"\A\s*\[[\w .-]+\]\s*$", r"^[ \t]*aws_secret_access_key\s*="),
    )
)
_LOOKED_AT = 20_000  # characters


def is_secret_text(path: str, text: str) -> bool:
    r"""Return whether a file says by its content that holding secrets is its purpose.

    >>> is_secret_text("k3s", "apiVersion: v1\nkind: Config\nusers:\n- user: {token: x}\n")
    True
    """
    if _CODE.fullmatch(basename(path)):
        return False
    head = text[:_LOOKED_AT]
    return any(all(part.search(head) for part in parts) for parts in _CONTENTS)


def is_secret_file(path: str) -> bool:
    """Return whether a file is kept out of every prompt for what such files hold.

    >>> is_secret_file("deploy/.env-production"), is_secret_file(".env.example")
    (True, False)
    """
    name = _COPY.sub("", basename(path))
    if path.lower().endswith(_PATHS):
        return True
    if not _FOLDERS.isdisjoint(part.lower() for part in path.split("/")[:-1]):
        return True
    if _EXAMPLES.fullmatch(name) or (_CODE.fullmatch(name) and name.lower() != "wp-config.php"):
        return False
    return bool(_NAMES.fullmatch(name))
