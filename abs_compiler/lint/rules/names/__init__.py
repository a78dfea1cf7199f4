"""Names that nothing uses, and names that look like a slip of another one."""
