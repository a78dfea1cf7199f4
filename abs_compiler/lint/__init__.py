"""Lint: a spec in, findings out that are no errors of compilation, with fixes; what to report is the user's choice.

The rule contract
=================
A rule is one file, `rules/<family>/<what_it_finds>.py`, with one function and a row in `table.py`:

    def check(context: SessionContext) -> Iterator[Report]: ...

The row names the file, the codes it may report, and its scope, which decides what `check` gets and when it runs:

    Scope.TEXT     FileContext      whenever the text could be read at all; `irs` and `programs` may be empty
    Scope.FILE     FileContext      the file compiled without errors
    Scope.SESSION  SessionContext   once for every session of a file that compiled without errors

`mentions` of a row are texts of which the source must hold one for the rule to find anything: the rule is not even
imported otherwise. It must never be wrong, so leave it empty where in doubt (the text may hold escapes and aliases).

A rule yields `Report`s, whose fields are those of `Sink.report`. It decides nothing about severity, selection,
suppression or order, keeps no state, and bounds its own work. What several rules need of a session (an automaton, say)
is a function of the context, computed once: `context.shared(build_automaton)`.

Around a new code, tests demand: a row in `diagnostics/registry.py`; a page `diagnostics/explain/ABSnnn.md`; a folder
`tests/golden/lint/<name>/` with `bad.abs.yaml` (reports the code), `bad.txt` (its report, in full) and
`clean.abs.yaml` (does not report it), plus `run.toml` with `arguments = ["--tools", "tools.json"]` where the rule needs
options. Rows with `default=False` run only when selected by code or name.

Nothing is imported here: files that the cache knows need nothing of the compiler.
"""
