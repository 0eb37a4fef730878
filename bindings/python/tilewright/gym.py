# SPDX-License-Identifier: Apache-2.0
"""Plans as an environment of gymnasium, with or without that package.

    from tilewright.gym import PartitionEnv
    env = PartitionEnv(graph.plan(mesh), "h100-sxm")
    obs, info = env.reset(seed=0)
    obs, reward, terminated, truncated, info = env.step(action)    # one with env.action_masks()[action]
    print(env.environment.spec)
"""

from __future__ import annotations

from typing import Any, Optional, Union

from .environment import Environment
from .errors import FailedPrecondition
from .estimate import System
from .plan import Plan

try:
    import gymnasium
except ImportError:
    _Env: Any = object
else:
    _Env = gymnasium.Env


class PartitionEnv(_Env):  # type: ignore[misc]  # of a package that may be missing
    """An episode begins with a plan and ends with the last action, which stops. Rewards add up to the logarithm of how much faster
    the program is; where it does not fit, the cost is higher (Price.cost_s). An action that would change nothing is worth 0, and
    info["refused"] says why. Options are those of Environment, which is in `environment`. Where gymnasium can be imported, it is a
    gymnasium.Env with action_space and observation_space."""

    def __init__(self, plan: Plan, system: Union[str, System], **options: Any) -> None:
        self.environment = Environment(plan, system, **options)
        self._over = False
        if _Env is not object:
            import numpy

            self.action_space = gymnasium.spaces.Discrete(self.environment.num_actions)
            self.observation_space = gymnasium.spaces.Box(-numpy.inf, numpy.inf, (self.environment.num_features,), numpy.float32)

    def reset(self, *, seed: Optional[int] = None, options: Optional[dict[str, Any]] = None) -> tuple[Any, dict[str, Any]]:
        """Begins an episode, after the actions options["actions"] if there are any. Nothing is drawn, whatever the seed."""
        if _Env is not object:
            super().reset(seed=seed)
        self.environment.restore((options or {}).get("actions", ()))
        self._over = False
        return self.environment.observe(), self._info()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Observation, reward, terminated, truncated, which it never is, and info: the price, and "refused"."""
        reward, refused = 0.0, {}
        try:
            reward, self._over = self.environment.step(int(action))
        except FailedPrecondition as error:
            if self._over:
                raise
            refused = {"refused": str(error)}
        return self.environment.observe(), reward, self._over, False, {**self._info(), **refused}

    def action_masks(self) -> Any:
        """True for each action that may be taken now."""
        return self.environment.mask().view(bool)

    def clone(self) -> "PartitionEnv":
        """Another one at the same place of its episode, for another thread."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other.environment = self.environment.clone()
        return other

    def close(self) -> None:
        """Gives the environment up."""
        self.environment.close()

    def _info(self) -> dict[str, Any]:
        return self.environment.price._asdict()
