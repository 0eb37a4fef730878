# SPDX-License-Identifier: Apache-2.0
"""Plans of JAX functions: lowers a function, plans it, and gives back shardings for jax.jit.

    step = tilewright.jax.plan(train_step, tw.Mesh(data=4, model=2), "tile(arg=batch, dim=0, axis=data); infer-propagate")
    planned = step(params, batch)              # arrays, or jax.ShapeDtypeStruct
    print(planned)
    fast = planned.jit()                       # jax.jit of the function with these shardings

    train_step, shardings = tilewright.jax.automap(train_step, mesh, ["model"], system="a100-40g")(params, batch)
"""

from __future__ import annotations

import inspect
import math
import os
from functools import cached_property
from typing import Any, Callable, Mapping, Optional, Sequence, Union

import jax
from jax.sharding import Mesh as JaxMesh
from jax.sharding import NamedSharding, PartitionSpec
from jax.tree_util import keystr, tree_flatten_with_path, tree_unflatten

from .errors import InvalidArgument, invalid
from .estimate import System
from .graph import Argument, loads
from .mesh import Mesh
from .plan import Plan
from .program import Program
from .sharding import Sharding, whole_dims_of

Actions = Union[str, Callable[[Plan], Any]]


def jax_mesh(mesh: Mesh, devices: Optional[Sequence[Any]] = None) -> JaxMesh:
    """The mesh as JAX has it, over `devices` or those that JAX finds. It has no axes of steps or threads."""
    import numpy

    found = list(devices if devices is not None else jax.devices())
    if len(found) < mesh.num_devices:
        raise invalid(
            f"the mesh {mesh} has {mesh.num_devices} devices, JAX has {len(found)}: to run here, say "
            f'jax.config.update("jax_num_cpu_devices", {mesh.num_devices}) before JAX is used; plan, program and report need no devices'
        )
    axes = {name: size for name, size in mesh.axes.items() if mesh.kinds[name] == "devices"}
    return JaxMesh(numpy.array(found[: mesh.num_devices], dtype=object).reshape(tuple(axes.values())), tuple(axes))


def partition_spec(sharding: Union[str, Sharding]) -> PartitionSpec:
    """ "[{data}, {}, {a, b}]", or a Sharding, as a PartitionSpec."""
    parts: list[Any] = []
    for dim, (axes, split) in enumerate(whole_dims_of(sharding, "JAX")):
        if split or any(":" in axis for axis in axes):
            raise invalid(f"JAX has no sharding for dimension {dim} of {sharding}")
        parts.append(axes[0] if len(axes) == 1 else tuple(axes) or None)
    return PartitionSpec(*parts)


class Call:
    """The arguments of one call of a function: which are arrays, and which are static, as jax.jit takes them."""

    def __init__(
        self, function: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any], static_argnums: Union[int, Sequence[int]] = (),
        static_argnames: Union[str, Sequence[str]] = (), donate_argnums: Union[int, Sequence[int]] = (),
    ) -> None:
        self.function, self.args, self.kwargs = function, tuple(args), dict(kwargs)
        given = [donate_argnums] if isinstance(donate_argnums, int) else list(donate_argnums)
        self.donated = sorted({n if n >= 0 else n + len(self.args) for n in given})
        try:
            parameters = list(inspect.signature(function).parameters.values())
        except (TypeError, ValueError):
            parameters = []
        self.positional = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
        self.rest = next((p.name for p in parameters if p.kind is p.VAR_POSITIONAL), None)
        numbers = [static_argnums] if isinstance(static_argnums, int) else list(static_argnums)
        self.static_names = {static_argnames} if isinstance(static_argnames, str) else set(static_argnames)
        names = [p.name for p in self.positional]
        self.static = {n if n >= 0 else n + len(self.args) for n in numbers}
        self.static |= {i for i, name in enumerate(names) if name in self.static_names}
        self.static_names |= {names[n] for n in self.static if n < len(names)}

    def positions(self) -> list[int]:
        """Of the arguments that are arrays."""
        return [i for i in range(len(self.args)) if i not in self.static]

    def keywords(self) -> list[str]:
        """Of the keyword arguments that are arrays, in JAX's order."""
        return sorted(name for name in self.kwargs if name not in self.static_names)

    def jit(self) -> Any:
        options = {"static_argnums": sorted(self.static)} if self.static else {}
        names = {"static_argnames": sorted(self.static_names)} if self.static_names else {}
        return jax.jit(self.function, keep_unused=True, donate_argnums=self.donated, **options, **names)

    def name_of(self, position: int) -> str:
        if position < len(self.positional):
            return self.positional[position].name
        return f"arg{position}" if self.rest is None else f"{self.rest}[{position - len(self.positional)}]"

    def names(self) -> list[str]:
        """A name for each array: "params['w1']", as the function calls it."""
        given = [(self.name_of(i), self.args[i]) for i in self.positions()] + [(name, self.kwargs[name]) for name in self.keywords()]
        return [base + keystr(path) for base, tree in given for path, _ in tree_flatten_with_path(tree)[0]]

    def arrays(self, other: "Call") -> list[Any]:
        """The arrays of another call, positions before keywords. What is static, and which arguments there are, must be as here."""
        if other.positions() != self.positions() or other.keywords() != self.keywords():
            raise invalid(f"planned for the arguments {self._told()}, called with {other._told()}")
        ours, theirs = self._statics(), other._statics()
        for at, value in ours.items():
            if at not in theirs or theirs[at] != value:
                name = at if isinstance(at, str) else self.name_of(at)
                raise invalid(f"planned for {name} = {value!r}, called with {theirs.get(at)!r}: plan the function for that value too")
        return [other.args[i] for i in other.positions()] + [other.kwargs[name] for name in other.keywords()]

    def _statics(self) -> dict[Any, Any]:
        named = {name: value for name, value in self.kwargs.items() if name in self.static_names}
        return {**{i: self.args[i] for i in self.static if i < len(self.args)}, **named}

    def _told(self) -> str:
        return ", ".join([self.name_of(i) for i in self.positions()] + [f"{name}=" for name in self.keywords()]) or "none"

    def with_arrays(self, *arrays: Any) -> Any:
        """The function of the arrays alone."""
        positions, keywords = self.positions(), self.keywords()
        args, kwargs = list(self.args), dict(self.kwargs)
        for i, array in zip(positions, arrays):
            args[i] = array
        kwargs.update(zip(keywords, arrays[len(positions):]))
        return self.function(*args, **kwargs)


class Fitted:
    """jax.jit with shardings of a function that was planned with keyword arguments, for which jax.jit takes none. It is called as the
    function is."""

    def __init__(self, planned: "Planned", options: Mapping[str, Any]) -> None:
        self._planned, call = planned, planned.call
        args, kwargs = planned.in_shardings, planned.keyword_shardings
        positions = call.positions()
        options = {"donate_argnums": [positions.index(n) for n in call.donated], **options}
        self._jitted = jax.jit(
            call.with_arrays, in_shardings=(*args, *(kwargs[name] for name in call.keywords())), out_shardings=planned.out_shardings,
            **options,
        )

    def _arrays(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> list[Any]:
        return self._planned.call.arrays(self._planned.another_call(args, kwargs))

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._jitted(*self._arrays(args, kwargs))

    def lower(self, *args: Any, **kwargs: Any) -> Any:
        """jax.stages.Lowered."""
        return self._jitted.lower(*self._arrays(args, kwargs))


class Planned:
    """A planned function. `plan`, `program` and report() tell what happens, on any machine; `in_shardings`, `keyword_shardings` and
    `out_shardings` are trees of NamedSharding, over devices that JAX has."""

    def __init__(self, call: Call, plan: Plan, jax_mesh_: Optional[JaxMesh], devices: Optional[Sequence[Any]], lowered: Any) -> None:
        self.call, self.function, self.plan = call, call.function, plan
        self.program: Program = plan.lower()
        self._given_mesh, self._devices, self._lowered = jax_mesh_, devices, lowered

    @cached_property
    def mesh(self) -> JaxMesh:
        """JAX's own, over the devices that it has."""
        return self._given_mesh if self._given_mesh is not None else jax_mesh(self.plan.current_mesh, self._devices)

    def another_call(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Call:
        """What is static in it is as in the call that was planned."""
        return Call(self.function, args, kwargs, sorted(self.call.static), sorted(self.call.static_names))

    def _named(self, what: str, named: Argument, sharding: str) -> Optional[NamedSharding]:
        """None where JAX has no such sharding of a result, which it then chooses; of an argument that is an error."""
        try:
            spec = partition_spec(sharding)
        except InvalidArgument as error:
            raise invalid(f"{what} {named.name} {named.type}: {error}") from None
        for dim, axes in enumerate(spec):
            names = axes if isinstance(axes, tuple) else () if axes is None else (axes,)
            for name in names:
                if name not in self.mesh.shape:
                    raise invalid(f"{what} {named.name} {named.type} is tiled over {name}, and JAX's mesh has {', '.join(self.mesh.shape)}")
            tiles = math.prod(self.mesh.shape[name] for name in names)
            if named.type.shape[dim] % tiles:
                if what == "result":
                    return None
                size = named.type.shape[dim]
                raise invalid(
                    f"JAX shards only what divides: argument {named.name} {named.type} has {size} in dimension {dim}, which the plan tiles "
                    f"over {', '.join(names)}, {tiles} places; pad it to {-(-size // tiles) * tiles}, or keep it whole: "
                    + "; ".join(f'atomic(arg="{named.name}", axis="{name}")' for name in names)
                )
        return NamedSharding(self.mesh, spec)

    @cached_property
    def _argument_shardings(self) -> tuple[Any, Any]:
        arguments = self.plan.graph.arguments
        leaves = [self._named("argument", argument, str(self.plan.argument_sharding(i))) for i, argument in enumerate(arguments)]
        return tree_unflatten(self._lowered.in_tree, leaves)

    @property
    def in_shardings(self) -> Any:
        """Of the positional arguments, without static ones."""
        return self._argument_shardings[0]

    @property
    def keyword_shardings(self) -> dict[str, Any]:
        return self._argument_shardings[1]

    @cached_property
    def out_shardings(self) -> Any:
        """None in the place of a result that JAX cannot shard as planned, since its dimensions do not divide: JAX chooses then."""
        results = self.plan.graph.results
        leaves = [self._named("result", result, str(self.plan.result_sharding(i))) for i, result in enumerate(results)]
        return tree_unflatten(self._lowered.out_tree, leaves)

    def jit(self, **options: Any) -> Any:
        """jax.jit of the function with these shardings. Arguments that it was planned to donate are donated."""
        if self.call.kwargs:
            return Fitted(self, options)
        static = {"static_argnums": sorted(self.call.static)} if self.call.static else {}
        options = {"donate_argnums": self.call.donated, **options}
        return jax.jit(self.function, in_shardings=self.in_shardings, out_shardings=self.out_shardings, **static, **options)

    def place(self, *args: Any, **kwargs: Any) -> Any:
        """The arguments on the devices that the plan gives them, static ones as they are; with keyword arguments a pair, (args, kwargs)."""
        call = self.another_call(args, kwargs)
        self.call.arrays(call)
        placed = list(args)
        for i, sharding in zip(call.positions(), self.in_shardings):
            placed[i] = jax.device_put(args[i], sharding)
        named = {name: jax.device_put(kwargs[name], self.keyword_shardings[name]) for name in call.keywords()}
        return (tuple(placed), {**kwargs, **named}) if kwargs else tuple(placed)

    def report(
        self, path: Union[str, "os.PathLike[str]", None] = None, system: Union[str, System, None] = None, width: int = 100,
        all_rows: bool = False,
    ) -> str:
        """As Plan.report: tables, or a page in a file."""
        return self.plan.report(path, system, width, all_rows)

    def show(self, system: Union[str, System, None] = None) -> str:
        """As Plan.show: the page in the browser."""
        return self.plan.show(system)

    def __str__(self) -> str:
        return self.program.report()

    def __repr__(self) -> str:
        return f"<Planned {getattr(self.function, '__name__', 'function')} {self.program._about()}>"

    def _repr_html_(self) -> str:
        return self.plan._repr_html_()


def argument_names(function: Callable[..., Any], args: Sequence[Any]) -> list[str]:
    """A name for each array of the arguments: "params['w1']", as the function calls it."""
    return Call(function, args, {}).names()


def text_of(lowered: Any) -> str:
    """The module, with the files and lines of the function where this version of JAX prints them."""
    try:
        return lowered.as_text(debug_info=True)
    except TypeError:
        return lowered.as_text()


def plan(
    function: Callable[..., Any], mesh: Union[Mesh, JaxMesh, str], actions: Actions = "infer-propagate", *, in_specs: Any = None,
    policy: Optional[str] = None, devices: Optional[Sequence[Any]] = None, static_argnums: Union[int, Sequence[int]] = (),
    static_argnames: Union[str, Sequence[str]] = (), donate_argnums: Union[int, Sequence[int]] = (), ignore_annotations: bool = False,
) -> Callable[..., Planned]:
    """A function that plans `function` for its arguments, positional and by keyword. `mesh` may be JAX's own, which the shardings then are
    over. `actions` is a spec, or is called with the plan; arguments are named as the function names them, "params['w1']". `in_specs`
    are applied before: for each positional argument a PartitionSpec, a tree of them, or None, which leaves it open. Static and donated
    arguments are those of jax.jit; a result that overwrites an argument is in its layout, so that the next step can take it.
    `ignore_annotations` leaves out what the function itself says of shardings."""
    _check_actions(actions)
    given_mesh = mesh if isinstance(mesh, JaxMesh) else None
    if isinstance(mesh, JaxMesh):
        if devices is not None:
            raise invalid("JAX's mesh has devices already: leave `devices` out")
        if not all(isinstance(name, str) for name in mesh.axis_names):
            raise invalid(f"axes are named by strings, and JAX's mesh has {mesh.axis_names}")
        our_mesh = Mesh(dict(mesh.shape))
    else:
        our_mesh = Mesh(mesh) if isinstance(mesh, str) else mesh

    def planned(*args: Any, **kwargs: Any) -> Planned:
        call = Call(function, args, kwargs, static_argnums, static_argnames, donate_argnums)
        lowered = call.jit().lower(*args, **kwargs)
        graph = loads(text_of(lowered), file=getattr(function, "__name__", "function"), names=call.names())
        made = Plan(graph, our_mesh, policy=policy, ignore_annotations=ignore_annotations)
        pins = pinned(call, in_specs, made)
        if pins:
            made.apply("; ".join(pins), "in_specs")
        if isinstance(actions, str):
            made.apply(actions, "actions")
        else:
            actions(made)
        return Planned(call, made, given_mesh, devices, lowered)

    return planned


def _check_actions(actions: Any) -> None:
    """Shardings, as jax.jit takes them, are no actions."""
    if not isinstance(actions, str) and (isinstance(actions, PartitionSpec) or not callable(actions)):
        raise TypeError(
            f"actions: expected a spec, \"tile(arg=x, dim=0, axis=data); infer-propagate\", or a function of the plan, not "
            f"{type(actions).__name__}; PartitionSpecs of the arguments are `in_specs`"
        )


def pinned(call: Call, in_specs: Any, plan_: Plan) -> list[str]:
    """Actions that pin arguments in what `in_specs` says of them."""
    if in_specs is None:
        return []
    positions = call.positions()
    given = (in_specs,) if isinstance(in_specs, PartitionSpec) else tuple(in_specs)
    if len(given) != len(positions):
        raise invalid(f"in_specs has {len(given)} entries, and the function {len(positions)} positional arguments: give None for open ones")
    actions, at = [], 0

    def is_spec(x: Any) -> bool:
        return x is None or isinstance(x, PartitionSpec)

    for position, specs in zip(positions, given):
        leaves = tree_flatten_with_path(call.args[position])[0]
        each = [specs] * len(leaves) if is_spec(specs) else [s for _, s in tree_flatten_with_path(specs, is_leaf=is_spec)[0]]
        if len(each) != len(leaves):
            raise invalid(f"in_specs has {len(each)} entries for {call.name_of(position)}, which has {len(leaves)} arrays")
        for index, spec in enumerate(each, at):
            if spec is None:
                continue
            rank = len(plan_.graph.arguments[index].type.shape)
            if len(spec) > rank:
                raise invalid(f"{spec} has more entries than {plan_.graph.arguments[index].name} dimensions, {rank}")
            parts = [(part,) if isinstance(part, str) else part or () for part in spec] + [()] * (rank - len(spec))
            dims = ", ".join("{" + ", ".join(part) + "}" for part in parts)
            actions.append(f"shard(arg={index}, [{dims}])")
        at += len(leaves)
    return actions


def automap(
    function: Callable[..., Any], mesh: Union[Mesh, JaxMesh, str], axes: Union[str, Sequence[str]] = (), *, system: str,
    in_specs: Any = None, actions: Actions = "", cap_bytes: int = 0, episodes: int = 0, seconds: float = 0, seed: int = 0, threads: int = 0,
    devices: Optional[Sequence[Any]] = None, static_argnums: Union[int, Sequence[int]] = (),
    static_argnames: Union[str, Sequence[str]] = (), donate_argnums: Union[int, Sequence[int]] = (), ignore_annotations: bool = False,
) -> Callable[..., tuple[Any, Planned]]:
    """A function that searches how to tile `function` for its arguments, so that a run takes the least time on a machine ("a100-40g", or a
    file), and answers jax.jit of it with the shardings that were found, and the Planned that tells of them. `axes` are those of the mesh
    that are decided about; without any, all. `in_specs` pins positional arguments: for each a PartitionSpec, a tree of them, or None,
    which leaves it open. `actions` come before the search. By Ctrl-C it takes the best so far. Arguments whose dimensions the axes do not
    divide stay whole there, as JAX wants it. `ignore_annotations` leaves out what the function itself says of shardings."""
    _check_actions(actions)

    def found(*args: Any, **kwargs: Any) -> tuple[Any, Planned]:
        def decide(made: Plan) -> None:
            if isinstance(actions, str):
                if actions:
                    made.apply(actions, "actions")
            else:
                actions(made)
            pins = pinned(Call(function, args, kwargs, static_argnums, static_argnames), in_specs, made)
            if pins:
                made.apply("; ".join(pins) + "; infer-propagate", "in_specs")
            if made.current_mesh.num_devices > 1:
                search = made.search(
                    system, cap_bytes=cap_bytes, episodes=episodes, seconds=seconds, seed=seed, threads=threads, axes=axes, even_only=True
                )
                if search.report["status"] == "infeasible":
                    raise invalid(
                        f"no plan that was found fits {system}: the one that needs least needs {search.report['peak_bytes']} bytes a device"
                    )
                made.apply(search.spec, "found")

        planned = plan(
            function, mesh, decide, devices=devices, static_argnums=static_argnums, static_argnames=static_argnames,
            donate_argnums=donate_argnums, ignore_annotations=ignore_annotations,
        )(*args, **kwargs)
        return planned.jit(), planned

    return found
