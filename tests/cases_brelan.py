"""Brelan's cases have the kinds of bouillotte's."""

from cases_bouillotte import differences

__all__ = ["differences"]
