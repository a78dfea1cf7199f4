"""What YAML does to a text that its author did not mean."""
