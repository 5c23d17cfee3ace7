"""Engine and slow twin of rocambole side by side: the deals of ombre, in parts and tours."""

import ombre_twin

OWN = ("rocambole", "seed_000_rocambole")
LONG = ("part", "full")  # episodes of several deals
NUMBERS = {
    **{name: values for name, values in ombre_twin.NUMBERS.items() if name != "partie_deals"},
    "bete_cap": (24, 10_000, 20), "parts": (2, 3), "tour1_tricks": (5, 9), "tour1_max_deals": (1, 4), "tour2_deals": (1, 3),
    "tour3_max_deals": (1, 2), "kon_contribution": (0, 4, 5),
}  # fmt: skip


def random_options(rng, episode: str) -> dict:
    """Some options drawn at random, in the engine's words; for a single deal also where in the match it stands."""
    drawn = ombre_twin.random_options(rng, NUMBERS, "rocambole")
    drawn.pop("bete_pool", None)
    if episode == "deal":
        drawn |= {
            "start_tour": int(rng.integers(1, 4)),
            "start_pot": int(rng.integers(30)),
            "start_kon": int(rng.integers(50)),
        }
    return drawn


def play(preset: str, options: dict, deals: int, seed: int, episode: str = "part") -> int:
    """Play `deals` episodes in both; returns the decisions compared."""
    return ombre_twin.play(preset, options, deals, seed, episode, "rocambole")
