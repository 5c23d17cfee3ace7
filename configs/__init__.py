"""YAML: training recipes, tournaments, benchmarks."""
