"""The two files of the projects that editors open."""

AUTH = '''"""Checks who a user is."""


def authenticate(name: str, password: str) -> bool:
    """Return whether the password is the user's."""
    return check_password(name, password)


def check_password(name: str, password: str) -> bool:
    """Compare a password with the stored one."""
    return len(password) > 3
'''
VIEWS = '''from auth import authenticate


def login(request):
    """Sign a user in."""
    return authenticate(request.name, request.password)
'''
