"""What sessions denote: sets of events, checks as machines over them, the machine of a compiled session laid out."""
