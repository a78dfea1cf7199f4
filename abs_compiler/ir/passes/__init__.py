"""The passes, one file each, in the order in which `build.py` runs them."""
