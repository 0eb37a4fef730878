# SPDX-License-Identifier: Apache-2.0
"""Plans of JAX functions: lowers a function, plans it, and gives back shardings for jax.jit.

    step = tilewright.jax.plan(train_step, tw.Mesh(data=4, model=2), "tile(arg=batch, dim=0, axis=data); infer-propagate")
    planned = step(params, batch)              # arrays, or jax.ShapeDtypeStruct
    print(planned)
    fast = planned.jit()                       # jax.jit of the function with these shardings
"""

from __future__ import annotations

import inspect
import re
from typing import Any, Callable, Optional, Sequence, Union

import jax
from jax.sharding import Mesh as JaxMesh
from jax.sharding import NamedSharding, PartitionSpec
from jax.tree_util import keystr, tree_flatten_with_path, tree_unflatten

from .errors import invalid
from .graph import loads
from .mesh import Mesh
from .plan import Plan
from .program import Program

Actions = Union[str, Callable[[Plan], Any]]


def jax_mesh(mesh: Mesh, devices: Optional[Sequence[Any]] = None) -> JaxMesh:
    """The mesh as JAX has it, over `devices` or those that JAX finds."""
    import numpy

    found = list(devices if devices is not None else jax.devices())
    if len(found) < mesh.num_devices:
        raise invalid(f"the mesh {mesh} has {mesh.num_devices} devices, JAX has {len(found)}")
    axes = mesh.axes
    return JaxMesh(numpy.array(found[: mesh.num_devices], dtype=object).reshape(tuple(axes.values())), tuple(axes))


def partition_spec(sharding: str) -> PartitionSpec:
    """ "[{data}, {}, {a, b}]" as a PartitionSpec."""
    parts: list[Any] = []
    for dim, (names, split) in enumerate(re.findall(r"\{([^{}]*)\}((?::[a-z]+(?:=\[[^\]]*\])?)*)", sharding)):
        axes = tuple(name.strip() for name in names.split(",") if name.strip())
        if split or any(":" in axis for axis in axes):
            raise invalid(f"JAX has no sharding for dimension {dim} of {sharding}")
        parts.append(axes[0] if len(axes) == 1 else axes or None)
    return PartitionSpec(*parts)


class Planned:
    """A planned function. `plan` and `program` tell what happens; `in_shardings` and `out_shardings` are trees of NamedSharding."""

    def __init__(self, function: Callable[..., Any], plan: Plan, jax_mesh_: JaxMesh, in_tree: Any, out_tree: Any) -> None:
        self.function, self.plan, self.mesh = function, plan, jax_mesh_
        self.program: Program = plan.lower()
        arguments = [self._named(argument.name) for argument in plan.graph.arguments]
        results = [self._named(result.name) for result in plan.graph.results]
        self.in_shardings: Any = tree_unflatten(in_tree, arguments)
        self.out_shardings: Any = tree_unflatten(out_tree, results)

    def _named(self, value: str) -> NamedSharding:
        return NamedSharding(self.mesh, partition_spec(self.plan.sharding(value)))

    def jit(self, **options: Any) -> Any:
        """jax.jit of the function with these shardings."""
        return jax.jit(self.function, in_shardings=self.in_shardings, out_shardings=self.out_shardings, **options)

    def place(self, *args: Any) -> Any:
        """The arguments on the devices that the plan gives them."""
        return jax.device_put(args, self.in_shardings)

    def __str__(self) -> str:
        return self.program.report()

    def _repr_html_(self) -> str:
        return self.plan._repr_html_()


def argument_names(function: Callable[..., Any], args: Sequence[Any]) -> list[str]:
    """A name for each array of the arguments: "params['w1']", as the function calls it."""
    try:
        parameters = [p.name for p in inspect.signature(function).parameters.values() if p.kind is not p.KEYWORD_ONLY]
    except (TypeError, ValueError):
        parameters = []
    names = []
    for i, argument in enumerate(args):
        base = parameters[i] if i < len(parameters) else f"arg{i}"
        names += [base + keystr(path) for path, _ in tree_flatten_with_path(argument)[0]]
    return names


def plan(
    function: Callable[..., Any], mesh: Union[Mesh, str], actions: Actions = "infer-propagate", *, policy: Optional[str] = None,
    devices: Optional[Sequence[Any]] = None,
) -> Callable[..., Planned]:
    """A function that plans `function` for its arguments. `actions` is a spec, or is called with the plan; arguments are named as the
    function names them, "params['w1']"."""
    our_mesh = Mesh(mesh) if isinstance(mesh, str) else mesh

    def planned(*args: Any) -> Planned:
        lowered = jax.jit(function, keep_unused=True).lower(*args)
        graph = loads(lowered.as_text(), file=getattr(function, "__name__", "function"), names=argument_names(function, args))
        made = Plan(graph, our_mesh, policy=policy)
        if isinstance(actions, str):
            made.apply(actions, "actions")
        else:
            actions(made)
        in_tree = jax.tree_util.tree_structure(args)
        return Planned(function, made, jax_mesh(our_mesh, devices), in_tree, lowered.out_tree)

    return planned
