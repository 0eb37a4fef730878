# SPDX-License-Identifier: Apache-2.0
"""Placements for DTensor, without torch."""

import sys
import unittest

import tilewright as tw
import tilewright.torch
from support import planned
from tilewright.torch import Placement, placements, placements_of


class Torch(unittest.TestCase):
    def test_by_parameter_name(self):
        self.assertEqual(
            {name: repr(where) for name, where in placements(planned()).items()},
            {"x": "(Shard(0), Replicate())", "w1": "(Replicate(), Shard(1))", "w2": "(Replicate(), Shard(0))"},
        )
        self.assertNotIn("torch", sys.modules)

    def test_texts(self):
        self.assertEqual(placements_of("[{b, a}, {}, {c}:ceil]", ["a", "b", "c", "d"]), (Placement(0), Placement(0), Placement(2), Placement()))
        self.assertEqual(placements_of("[]", ["a"]), (Placement(),))
        for text in ("[{a}:cuts=[0,1,4]]", "[{a:(1)2}]", "[{z}]"):
            self.assertRaises(tw.InvalidArgument, placements_of, text, ["a"])


if __name__ == "__main__":
    unittest.main()
