"""The engine: cards, chance, tables and records. It knows no game."""
