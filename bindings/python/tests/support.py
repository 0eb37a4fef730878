# SPDX-License-Identifier: Apache-2.0
"""What the tests share: a small program, and numpy where it is there."""

import array
import os
import unittest

import tilewright as tw

try:
    import numpy
except ImportError:
    numpy = None

needs_numpy = unittest.skipUnless(numpy, "numpy is not installed")
ROOT = os.environ.get("TW_SOURCE_ROOT", os.path.join(os.path.dirname(__file__), "..", "..", ".."))


def mlp(batch=8, features=6, hidden=12):
    """y = tanh(x w1) w2."""
    b = tw.Builder("mlp")
    x = b.argument("x", "f32", (batch, features))
    w1 = b.argument("w1", "f32", (features, hidden))
    w2 = b.argument("w2", "f32", (hidden, features))
    h = b.unary("tanh", b.einsum("bd,df->bf", x, w1))
    b.result("y", b.einsum("bf,fd->bd", h, w2))
    return b.finish()


def inputs(graph):
    return [tw.filled(a.type.shape, a.type.dtype, stream=i) for i, a in enumerate(graph.arguments)]


def planned(graph=None):
    return (graph or mlp()).plan(tw.Mesh(data=2, model=2)).tile("x", 0, "data").tile("w1", 1, "model").infer_propagate()


def floats(*values):
    return array.array("f", values)
