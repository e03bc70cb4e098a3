"""One shared index of many repositories, kept by PostgreSQL.

``Organisation.open(address)`` connects, ``publish`` brings a repository's commit there, ``ask``
finds out which repositories can answer a question and ranks the places in them. What a login sees
is decided by the database.
"""
