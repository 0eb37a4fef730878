#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Searches against google-parallax, which shards functions of JAX by itself: on every program that it takes, the plan that
tilewright.jax.automap finds, and its own.

    peer_parallax.py                 # every program; exits 1 where ours costs more, or less on fewer than 80 of 100
    peer_parallax.py transformer     # those whose name contains the word
    peer_parallax.py --json FILE     # the figures
    peer_parallax.py --system h100-sxm --seed 3

Two figures of each: seconds of a step as we price it, one thing after the other, and the bytes that a device receives in what XLA compiles
for 8 CPU devices: from jax.jit with the shardings, of ours also from the program with the plan's layouts between (peer_shardy.py), since XLA
does as it likes with what nobody says; what is least counts. Beside it is what our plan itself moves: XLA makes no reduce_scatter on the CPU.
New parameters are in the layouts of those that the step takes, or the next step could not begin. Parallax says in which layouts other results
are wanted; where less costs without that, or under another policy of ours, that counts for it. Its mesh is its own, 4 x 2 of data and model.

Runs under the python that TW_PARALLAX_PYTHON names, where it is set: `./dev bench peer_parallax` and `./dev test --jax` make one
(tests/parallax_requirements.txt). Without google-parallax it says so and exits 77.
"""

import argparse
import json
import os
import sys
import time
import warnings
from pathlib import Path

python = os.environ.pop("TW_PARALLAX_PYTHON", None)
if python:
    os.execv(python, [python, *sys.argv])
os.environ.pop("TW_JAX_PYTHON", None)  # which may lack parallax

import hlo_bytes
import jax_devices
import peer_shardy

MESH = {"data": 4, "model": 2}
POLICIES = (None, "shardy", "cheapest")
ENOUGH = 0.8  # of the programs, on which ours costs less


def skip(why):
    print(f"skipped: {why}", file=sys.stderr)
    sys.exit(77)


class Compared:
    def __init__(self, mesh, system, seed, episodes):
        self.mesh, self.system, self.seed, self.episodes = mesh, system, seed, episodes

    def seconds(self, plan):
        """Of a plan as it is; nothing is decided."""
        import tilewright as tw

        return tw.Environment(plan, self.system).price.cost_s

    def bytes(self, function, shapes, donated, **shardings):
        import jax

        compiled = jax.jit(function, donate_argnums=donated, **shardings).lower(*shapes).compile()
        return hlo_bytes.count(compiled.as_text(), self.mesh.size)[1]

    def ours(self, function, shapes, donated):
        import tilewright.jax

        begin = time.perf_counter()
        _, planned = tilewright.jax.automap(
            function, self.mesh, system=self.system, seed=self.seed, episodes=self.episodes, donate_argnums=donated
        )(*shapes)
        took = time.perf_counter() - begin
        ways = {"jit": self.bytes(function, shapes, donated, in_shardings=planned.in_shardings, out_shardings=planned.out_shardings)}
        ways |= {way: self.bytes_of_text(text) for way, text in peer_shardy.texts_of(planned.plan.emit).items()}
        way = min(ways, key=ways.get)
        moved = planned.program.info()["bytes_received"]["mean"]
        return {"seconds": self.seconds(planned.plan), "bytes": ways[way], "way": way, "planned_bytes": moved, "ways": ways, "search_s": took}

    def bytes_of_text(self, text):
        return hlo_bytes.count(peer_shardy.compile_hlo(text, self.mesh.size), self.mesh.size)[1]

    def theirs(self, function, shapes, donated):
        """None where it does not take the program."""
        import jax
        from parallax.sharding import auto_shard

        try:
            with jax.set_mesh(self.mesh):
                arguments, results = auto_shard.get_shardings(function, *shapes)
                self.named((arguments, results))
        except Exception as error:  # it asserts what it does not know
            return None, f"{type(error).__name__}: {str(error).split('[')[0].splitlines()[0]}"
        arguments, results = self.named(arguments), self.named(results)
        graph = self.planned(function, shapes, donated, "infer-propagate", None).graph
        flat, tree = jax.tree.flatten(results)
        for i, sharding in enumerate(jax.tree.leaves(arguments)):
            if (result := graph.donated_to(i)) is not None and result >= 0:
                flat[result] = sharding
        kept = jax.tree.unflatten(tree, flat)
        overwrites = {graph.donated_to(i) for i in range(len(graph.arguments))}
        open_results = jax.tree.unflatten(tree, [sharding if i in overwrites else None for i, sharding in enumerate(flat)])
        moved = [self.bytes(function, shapes, donated, in_shardings=arguments, out_shardings=wanted) for wanted in (kept, open_results)]
        prices = []
        for wanted in (open_results, kept):
            actions = self.actions(function, shapes, arguments, wanted)
            for policy in POLICIES:
                prices.append(self.seconds(self.planned(function, shapes, donated, actions, policy)))
        return {"seconds": min(prices), "bytes": min(moved)}, ""

    def named(self, tree):
        import jax
        from jax.sharding import NamedSharding, PartitionSpec

        return jax.tree.map(lambda spec: NamedSharding(self.mesh, spec), tree, is_leaf=lambda x: isinstance(x, PartitionSpec))

    def actions(self, function, shapes, arguments, results):
        """Its shardings as lines of a spec; where there is None, nothing is said."""
        import jax

        lines = []

        def add(what, tree, arrays):
            for i, (sharding, array) in enumerate(zip(jax.tree.leaves(tree, is_leaf=lambda x: x is None), jax.tree.leaves(arrays))):
                if sharding is None:
                    continue
                dims = [*sharding.spec, *[None] * (len(array.shape) - len(sharding.spec))]
                text = ", ".join("{" + ", ".join(axes if isinstance(axes, tuple) else [axes] if axes else []) + "}" for axes in dims)
                lines.append(f"shard({what}={i}, [{text}])")

        add("arg", arguments, shapes)
        add("result", results, jax.eval_shape(function, *shapes))
        return "; ".join([*lines, "infer-propagate"])

    def planned(self, function, shapes, donated, actions, policy):
        import tilewright.jax

        return tilewright.jax.plan(function, self.mesh, actions, policy=policy, donate_argnums=donated)(*shapes).plan


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("word", nargs="?", default="", help="of the programs' names")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--system", default="a100-40g")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--episodes", type=int, default=1000)
    c = parser.parse_args()
    jax_devices.choose_devices(8)
    try:
        import jax
        import parallax  # noqa: F401
        import tilewright.jax  # noqa: F401
    except ImportError as error:
        skip(f"this needs google-parallax and the Python package, {error}")
    warnings.filterwarnings("ignore")
    import parallax_programs

    kind = jax.sharding.AxisType.Auto
    mesh = jax.make_mesh(tuple(MESH.values()), tuple(MESH), axis_types=(kind,) * len(MESH))
    compared = Compared(mesh, c.system, c.seed, c.episodes)
    rows, less, more = [], 0, []
    print(f"{'program':<36} {'ours':>10} {'parallax':>10} {'':>6}   {'XLA: ours':>11} {'parallax':>11}  {'':>6} {'ours as planned':>16}")
    for name, make in parallax_programs.PROGRAMS.items():
        if c.word not in name:
            continue
        function, shapes, donated = make()
        theirs, why = compared.theirs(function, shapes, donated)
        if theirs is None:
            print(f"{name:<36} not taken by parallax: {why}", flush=True)
            continue
        ours = compared.ours(function, shapes, donated)
        rows.append({"program": name, "ours": ours, "parallax": theirs})
        signs = [(ours[figure] > theirs[figure] * (1 + 1e-9)) - (ours[figure] < theirs[figure] * (1 - 1e-9)) for figure in ("seconds", "bytes")]
        # Nothing to save where both move nothing.
        less += signs[0] < 0 and (signs[1] < 0 or theirs["bytes"] == 0)
        if max(signs) > 0:
            more.append(name)
        ratio = lambda figure: f"{ours[figure] / theirs[figure]:.2f}" if theirs[figure] else "-"
        print(
            f"{name:<36} {ours['seconds'] * 1e3:>7.3f} ms {theirs['seconds'] * 1e3:>7.3f} ms {ratio('seconds'):>6}   "
            f"{ours['bytes'] / 1e6:>8.2f} MB {theirs['bytes'] / 1e6:>8.2f} MB  {ratio('bytes'):>6} {ours['planned_bytes'] / 1e6:>13.2f} MB{'  MORE' if max(signs) > 0 else ''}",
            flush=True,
        )
    if c.json:
        c.json.write_text(json.dumps(rows, indent=2) + "\n")
    print(f"{len(rows) - len(more)} of {len(rows)} programs: ours costs no more by either figure; on {less} it costs less by both")
    sys.exit(1 if more or not rows or less < ENOUGH * len(rows) else 0)


if __name__ == "__main__":
    main()
