"""The table of piquet as a picture: from a view, or from a state for an onlooker."""
