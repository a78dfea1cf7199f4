"""The tables of the parsers, generated from the grammars (see `generate.py`): plain data, so that reading the first
predicate of a process costs a millisecond and not a third of a second."""
