# SPDX-License-Identifier: Apache-2.0
"""Arrays on disk: saved, read by boxes, written in other layouts."""

import array
import os
import tempfile
import unittest

import tilewright as tw


def elements(tensor):
    return memoryview(tensor).cast("B").cast("f").tolist()


class Stores(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.w = tw.tensor(memoryview(array.array("f", range(24))).cast("B").cast("f", (4, 6)))
        self.b = tw.tensor(memoryview(array.array("f", [1, 2, 3])))

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def test_saved_and_read(self):
        for name in ("a.safetensors", "a.npz", "folder"):
            if name.endswith(".npz") and not tw.build_info().get("libzip", True):
                continue
            tw.save(self.path(name), {"w": self.w, "b": self.b})
            with tw.Store(self.path(name)) as store:
                self.assertEqual((sorted(store), len(store), "w" in store, "v" in store), (["b", "w"], 2, True, False))
                self.assertEqual((store.shape("w"), store.dtype("w"), store.problem("w"), store.foreign("w")), ((4, 6), "f32", "", ""))
                self.assertEqual(elements(store["w"]), list(range(24)))
                self.assertEqual(elements(store.read("w", (1, 2), (2, 3))), [8, 9, 10, 14, 15, 16])
                self.assertEqual(elements(store.read("w", (3, 4))), [22, 23])
                self.assertGreater(store.bytes_read, 24 * 4)
                self.assertRaises(KeyError, store.read, "v")
                self.assertRaises(tw.InvalidArgument, store.read, "w", (0,))
                self.assertRaises(tw.OutOfRange, store.read, "w", (3, 4), (2, 2))

    def test_resharded(self):
        tw.save(self.path("a.safetensors"), {"layer.w": self.w, "layer.b": self.b})
        store = tw.Store(self.path("a.safetensors"), rename="layer.* *")
        answer = store.reshard(self.path("tiles"), "x=2,y=3", {"*": None, "w": "[{x}, {y}]"}, verify=True)
        self.assertEqual((answer["arrays"], answer["files_written"], answer["verified"]), (2, 7, True))
        tiles = tw.Store(self.path("tiles"))
        part = tiles.parts("w")[4]
        self.assertEqual((part.offset, part.extent, part.strides, part.swapped), ((2, 2), (2, 2), (8, 4), False))
        self.assertTrue(part.file.endswith("00004.safetensors"))
        self.assertEqual(elements(tiles["w"]), list(range(24)))
        self.assertEqual(len(tiles.parts("b")), 6)
        half = tiles.reshard(self.path("half.safetensors"), dtype="bf16")
        self.assertEqual(half["least_bytes_written"], 54)
        self.assertEqual(tw.Store(self.path("half.safetensors")).dtype("w"), "bf16")
        self.assertRaises(tw.FailedPrecondition, tiles.reshard, self.path("half.safetensors"))
        self.assertRaises(tw.InvalidArgument, tiles.reshard, self.path("no"), "x=2", {"v": "[{x}]"})
        self.assertRaises(tw.InvalidArgument, tiles.reshard, self.path("no"), None, {"w": "[{x}, {}]"})
        self.assertRaises(tw.NotFound, tw.Store, self.path("nowhere"))
        self.assertIn("2 arrays of safetensors", repr(tiles))


if __name__ == "__main__":
    unittest.main()
