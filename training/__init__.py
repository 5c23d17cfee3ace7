"""Training, measuring and the command line."""
