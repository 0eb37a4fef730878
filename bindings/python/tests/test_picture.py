# SPDX-License-Identifier: Apache-2.0
"""Pictures read back by an XML parser: the tiles of 500 random shardings are those of Sharding.tile(), where they belong; names of any
kind are text; PNG files have the pixels that they say."""

import random
import struct
import unittest
import xml.etree.ElementTree
import zlib

import support
import tilewright as tw

SVG = "{http://www.w3.org/2000/svg}"


def numbers(text):
    return tuple(int(part) for part in text.split())


def tiles_in(svg):
    """Positions, holders, offset, extent and the box of pixels of each tile."""
    for group in xml.etree.ElementTree.fromstring(svg).iter(SVG + "g"):
        if group.get("class") == "tw-tile":
            rect = group.find(SVG + "rect")
            pixels = tuple(float(rect.get(name)) for name in ("x", "y", "width", "height"))
            yield (numbers(group.get("data-positions")), int(group.get("data-holders")), numbers(group.get("data-offset")),
                   numbers(group.get("data-extent")), pixels)


def random_sharding(draw):
    sizes = [draw.choice((1, 2, 2, 3, 4, 5)) for _ in range(draw.randint(1, 4))]
    names = [f"a{i}" for i in range(len(sizes))]
    shape = tuple(draw.randint(0 if draw.random() < 0.1 else 1, 24) for _ in range(draw.randint(0, 5)))
    of_dim, partial = [[] for _ in shape], ""
    for name in draw.sample(names, len(names)):
        place = draw.randint(0, len(shape) + 1)
        if place < len(shape):
            of_dim[place].append(name)
        elif place > len(shape):
            partial += f" +{name}"
    dims = []
    for axes in of_dim:
        how = draw.choice(("", "", ":ceil", ":halo=[1,2]", ":ceil:halo=[0,3]:wrap")) if axes else ""
        dims.append("{" + ",".join(axes) + "}" + how)
    return tw.Sharding(",".join(f"{n}={s}" for n, s in zip(names, sizes)), shape, f"[{', '.join(dims)}]{partial}")


class Pictures(unittest.TestCase):
    def test_tiles_are_those_of_the_devices(self):
        draw = random.Random(48)
        drawn = 0
        for _ in range(500):
            sharding = random_sharding(draw)
            with self.subTest(sharding=str(sharding), shape=sharding.shape, mesh=str(sharding.mesh)):
                seen = set()
                for positions, holders, offset, extent, pixels in tiles_in(sharding.svg("x", "f32")):
                    self.assertEqual(len(positions), min(holders, 64))
                    for position in positions:
                        self.assertEqual((offset, extent), sharding.tile(position))
                        self.assertNotIn(position, seen)
                        seen.add(position)
                    self.assertTrue(all(value >= 0 for value in pixels), pixels)
                    drawn += 1
                self.assertTrue(seen or 0 in sharding.shape)
        self.assertGreater(drawn, 2000)

    def test_uneven_tiles_and_halos_are_to_scale(self):
        tiles = list(tiles_in(tw.Sharding("x=4", (10, 6), "[{x}, {}]").svg()))
        self.assertEqual([extent[0] for _, _, _, extent, _ in tiles], [2, 3, 2, 3])
        heights = [pixels[3] / extent[0] for _, _, _, extent, pixels in tiles]
        self.assertLess(max(heights) - min(heights), 0.02)
        halo = list(tiles_in(tw.Sharding("x=2", (8,), "[{x}:halo=[1,1]]").svg()))
        self.assertEqual([offset for _, _, offset, _, _ in halo], [(-1,), (3,)])
        (left, _, width, _), (right, *_) = (pixels for *_, pixels in halo)
        self.assertAlmostEqual((left + width - right) / width, 2 / 6, places=2)  # they share two elements of six

    def test_names_are_text(self):
        name = "<script>alert('x')</script>&\u202edesrever\u2066" + "x" * 10000
        svg = tw.Sharding("x=2", (8,), "[{x}]").svg(name, theme="auto")
        root = xml.etree.ElementTree.fromstring(svg)
        self.assertEqual(list(root.iter(SVG + "script")), [])
        self.assertIn("<script>alert('x')</script>&\\u202edesrever\\u2066", root.find(SVG + "title").text)
        self.assertFalse(set("\u202e\u2066") & set(svg))

    def test_forms(self):
        sharding = tw.Sharding("data=2,model=2", (4, 6), ["data", None])
        self.assertRegex(sharding.picture(form="text").decode(), r"\| +0, 1 +\|")
        self.assertEqual(len(list(tiles_in(sharding.svg(bare=True)))), 2)
        self.assertLess(len(sharding.svg(bare=True)), len(sharding.svg()))
        self.assertIn("currentColor", sharding._repr_html_())
        self.assertIn("prefers-color-scheme", sharding._repr_svg_())
        for wrong in ({"form": "gif"}, {"theme": "blue"}, {"scale": -1}, {"dtype": "f31"}):
            with self.assertRaises(tw.InvalidArgument):
                sharding.picture(**wrong)

    def test_png(self):
        sharding = tw.Sharding("data=2,model=2", (4, 6), ["data", None])
        try:
            png = sharding.picture(form="png", scale=1)
        except tw.Unimplemented:
            self.skipTest("this build was configured without zlib")
        self.assertEqual(png[:8], b"\x89PNG\r\n\x1a\n")
        at, chunks = 8, {}
        while at < len(png):
            size, kind = struct.unpack(">I4s", png[at : at + 8])
            data = png[at + 8 : at + 8 + size]
            self.assertEqual(zlib.crc32(kind + data), struct.unpack(">I", png[at + 8 + size : at + 12 + size])[0])
            chunks[kind] = data
            at += 12 + size
        width, height, depth, color = struct.unpack(">IIBB", chunks[b"IHDR"][:10])
        self.assertEqual((depth, color, len(zlib.decompress(chunks[b"IDAT"]))), (8, 2, height * (3 * width + 1)))
        svg = xml.etree.ElementTree.fromstring(sharding.svg())
        self.assertEqual((width, height), (int(svg.get("width")), int(svg.get("height"))))

    def test_plans_programs_and_redistributions(self):
        plan = support.mlp().plan("data=2,model=2")
        plan.apply("tile(arg=x, dim=0, axis=data); tile(arg=w1, dim=1, axis=model); infer-propagate")
        self.assertEqual(len(list(tiles_in(plan.picture()))), 2 + 2 + 2)
        self.assertEqual(len(list(tiles_in(plan.picture("w*", "x")))), 2 + 2 + 2)
        self.assertEqual(len(list(tiles_in(plan.picture("y")))), 2)
        with self.assertRaises(tw.NotFound):
            plan.picture("nobody")
        program = plan.lower()
        moves = program.picture(0).decode()
        self.assertIn("all_reduce over model", moves)
        with self.assertRaises(tw.OutOfRange):
            program.picture(99)
        move = tw.redistribute("f32[8,8] [{x},{}]", "[{},{x}]", "x=4")
        received = {}
        for group in xml.etree.ElementTree.fromstring(move.picture("a")).iter(SVG + "g"):
            if group.get("class") == "tw-move" and group.get("data-from") != group.get("data-to"):
                to = int(group.get("data-to"))
                received[to] = received.get(to, 0) + int(group.get("data-bytes"))
        self.assertEqual(received, {d: move.bytes_received(d) for d in range(4)})
        self.assertIn("<svg", move._repr_html_())


if __name__ == "__main__":
    unittest.main()
