"""The persistent, incremental code index.

``CodeIndex.open(files, settings)`` gives the index of a code base, ``refresh()`` brings it up to
what lies on the disk, and ``with index.view() as view:`` reads one state of it.
"""
