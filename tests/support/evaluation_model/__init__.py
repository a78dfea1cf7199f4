"""Evaluations by definition: slow, obvious, and sharing no code with the runtime, which tests compare with it.

`selectors` says what a recording knows of an event, `chain` what checks of the whole trace say of it, `compositions`
how parts combine, `steps` what checks of one event say, `sessions` what all checks of a session say, given what the
behaviors matched.
"""
