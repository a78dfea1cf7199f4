"""Rules that hold a spec against the definitions of the tools it calls; without definitions they find nothing."""
