"""A critic with the perfect state: the value network sees what `Game.reveal` tells, the actor only its own view.

An observation is then the view's floats, followed by those of the perfect state. Hidden cards explain much of a deal's
result, so the advantages have less noise; nothing of it is needed to play, and an exported policy takes the view alone.
"""

from typing import Any

import torch
from gymnasium import spaces
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import FlattenExtractor, MlpExtractor


class SplitExtractor(FlattenExtractor):
    """Hands the observation on as it is, and knows how much of it is the view: its first `view` floats."""

    def __init__(self, observation_space: spaces.Space[Any], view: int):
        super().__init__(observation_space)
        self.view = view


class SplitMlp(MlpExtractor):
    """Hidden layers of the actor over the first `view` features, of the critic over all of them."""

    def __init__(self, view: int, features: int, net: list[int], activation: type[torch.nn.Module], device: Any):
        super().__init__(features, net, activation, device)
        self.view = view
        self.policy_net = MlpExtractor(view, net, activation, device).policy_net

    def forward_actor(self, features: torch.Tensor) -> torch.Tensor:
        """(n, units) of features (n, view or more): what stands behind the view is not looked at."""
        return self.policy_net(features[:, : self.view])


class StateCriticPolicy(MaskableActorCriticPolicy):
    """MaskablePPO's policy with `features_extractor_class=SplitExtractor`: the actor takes observations with or without
    the perfect state behind the view, the critic wants both."""

    def _build_mlp_extractor(self) -> None:
        view: int = self.features_extractor.view  # type: ignore[assignment]
        net: Any = self.net_arch
        self.mlp_extractor = SplitMlp(view, self.features_dim, net, self.activation_fn, self.device)
