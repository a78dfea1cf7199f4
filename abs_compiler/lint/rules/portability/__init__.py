"""What other tools read differently."""
