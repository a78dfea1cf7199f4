"""The rules of lint, one file a rule, in families. Nothing is imported here: `abs_compiler.lint.table` does that."""
