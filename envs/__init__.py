"""Card games of the old card table for reinforcement learning: the registry.

    import lomber.envs
    game = lomber.envs.make_game("piquet", preset="rubicon")
    tables = lomber.envs.Tables(game, 1024, seed=1)
    env = gymnasium.make("lomber/Piquet-v0")
    env = pettingzoo.make("aec", "lomber/piquet-v0")

A new game is a folder, a line in GAMES and one in VERSIONS, and a module like piquet_v0.
"""

import gymnasium
import pettingzoo

from .engine.errors import IllegalAction, LomberError, RecordError, UnknownName
from .engine.game import Game
from .engine.registry import GAMES, make_game
from .engine.tables import Tables

GAMES["piquet"] = "lomber.envs.piquet"
GAMES["ombre"] = "lomber.envs.ombre"
GAMES["rocambole"] = "lomber.envs.rocambole"
GAMES["bouillotte"] = "lomber.envs.bouillotte"
GAMES["brelan"] = "lomber.envs.brelan"
# As the games' SPECs have them, which are not read before they are needed.
VERSIONS = {"piquet": 0, "ombre": 0, "rocambole": 0, "bouillotte": 0, "brelan": 0}


def _register(name: str, version: int) -> None:
    """The ids of a game at Gymnasium and, from its version 1.27 on, at PettingZoo; faces are imported when one is made."""
    gymnasium.register(
        f"lomber/{name.capitalize()}-v{version}",
        entry_point="lomber.envs.faces.single:SingleEnv",
        vector_entry_point="lomber.envs.faces.vector:TablesVectorEnv",
        kwargs={"game": name},
    )
    if hasattr(pettingzoo, "register"):
        pettingzoo.register("aec", f"lomber/{name}-v{version}", entry_point=f"lomber.envs.{name}_v{version}:env")


for _name, _version in VERSIONS.items():
    _register(_name, _version)

__all__ = ["GAMES", "Game", "IllegalAction", "LomberError", "RecordError", "Tables", "UnknownName", "make_game"]
