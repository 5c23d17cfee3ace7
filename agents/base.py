"""What an agent is: `agent.act(positions) -> actions`, over a batch of positions.

An agent is handed no state. All its chance comes from the key of each position, so what it plays does not depend on batch
size, order or process. `Positions` and the protocol stand with the faces, which ask opponents in the same way.
"""

from ..envs.faces.opponents import Agent, Positions, decide

__all__ = ["Agent", "Positions", "decide"]
