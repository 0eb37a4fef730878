# SPDX-License-Identifier: Apache-2.0
"""Memory that tensors and others share: by address, never by copy."""

import array
import gc
import unittest
import weakref

import support
import tilewright as tw
from support import floats, numpy

try:
    import ml_dtypes
except ImportError:
    ml_dtypes = None


class Buffers(unittest.TestCase):
    def test_in(self):
        memory = floats(1, 2, 3)
        tensor = tw.tensor(memory)
        self.assertEqual((tensor.dtype, tensor.shape, tensor.nbytes), ("f32", (3,), 12))
        self.assertEqual(tensor.address, memory.buffer_info()[0])
        memory[1] = 7
        self.assertEqual(tensor.tolist(), [1, 7, 3])
        tensor.fill("ones")
        self.assertEqual(list(memory), [1, 1, 1])
        self.assertIs(tw.tensor(tensor), tensor)

    def test_out(self):
        tensor = tw.Tensor((2, 3), "i32").fill("iota")
        view = memoryview(tensor)
        self.assertEqual((view.format, view.shape, view.tolist()), ("i", (2, 3), tensor.tolist()))
        view[1, 2] = 9
        self.assertEqual(tensor.tolist()[1][2], 9)
        self.assertEqual(tw.tensor(view).address, tensor.address)
        self.assertEqual(len(tensor), 2)

    def test_one_element_is_a_number(self):
        loss = tw.tensor(floats(2.75))
        self.assertEqual((loss.item(), float(loss), int(loss), complex(loss)), (2.75, 2.75, 2, 2.75))
        self.assertEqual(int(tw.tensor(bytearray(b"7"))), 55)  # not the text of its bytes
        self.assertIs(tw.Tensor((), "i1").item(), False)
        for several in (tw.Tensor((2,)), tw.Tensor((0,))):
            self.assertRaisesRegex(tw.InvalidArgument, "elements, and one can be a number", several.item)
            self.assertRaises(tw.InvalidArgument, float, several)
            self.assertRaises(tw.InvalidArgument, int, several)

    def test_numbers_of_every_type(self):
        """Also of types that neither buffers nor NumPy have."""
        for dtype in tw.dtypes:
            if dtype == "!stablehlo.token":
                continue
            tensor = tw.filled((2, 1), dtype, "ones")
            self.assertEqual(tensor.tolist(), [[1], [1]], dtype)
            whole = dtype[0] in "iu" and dtype != "i1"
            self.assertIs(type(tw.filled((), dtype, "ones").item()), bool if dtype == "i1" else int if whole else complex if dtype[0] == "c" else float)
            self.assertEqual(tw.Tensor((0, 3), dtype).tolist(), [])
        self.assertEqual(float(tw.filled((1,), "bf16", "ones")), 1.0)
        self.assertEqual(tw.filled((4,), "bf16", "iota").tolist(), [0.0, 1.0, 2.0, 3.0])
        self.assertEqual(repr(tw.filled((2,), "bf16", "iota")), "<Tensor bf16[2]: [0.0, 1.0]>")
        self.assertEqual(repr(tw.Tensor((9,))), "<Tensor f32[9]>")

    def test_complex_patterns_count_elements(self):
        self.assertEqual(tw.filled((2, 2), "complex<f32>", "iota").tolist(), [[0, 1], [2, 3]])
        part = tw.Tensor((1, 2), "complex<f64>").fill_part((2, 2), (1, 0), "iota")
        self.assertEqual(part.tolist(), [[2, 3]])
        self.assertEqual(tw.filled((8,), "complex<f64>", "uniform(0,1)").tolist(), tw.filled((8,), "f64", "uniform(0,1)").tolist())
        self.assertTrue(all(z.imag for z in tw.filled((4,), "complex<f32>", "normal(0,1)").tolist()))

    def test_every_type_that_buffers_have(self):
        for code in "?bBhHiIqQfd":
            memory = memoryview(bytearray(16)).cast(code)
            tensor = tw.tensor(memory)
            self.assertEqual(memoryview(tensor).format, code)
            self.assertEqual(tensor.nbytes, 16)

    def test_memory_lives_as_long_as_it_is_seen(self):
        class Memory(array.array):
            pass

        memory = Memory("f", [1, 2])
        seen = weakref.ref(memory)
        tensor = tw.tensor(memory)
        del memory
        gc.collect()
        self.assertIsNotNone(seen())
        view = memoryview(tensor)
        del tensor
        gc.collect()
        self.assertEqual(view.tolist(), [1, 2])
        del view
        gc.collect()
        self.assertIsNone(seen())

    def test_read_only(self):
        tensor = tw.tensor(memoryview(floats(1, 2)).toreadonly())
        self.assertTrue(memoryview(tensor).readonly)
        self.assertEqual(tensor.tolist(), [1, 2])
        with self.assertRaises(tw.Error):
            tensor.fill("zeros")

    def test_scalars_and_nothing(self):
        self.assertEqual(tw.Tensor(()).fill("ones").tolist(), 1.0)
        self.assertEqual(tw.Tensor((0, 3)).tolist(), [])
        self.assertRaises(TypeError, len, tw.Tensor(()))

    def test_codes(self):
        codes = tw.tensor(array.array("H", [0x3F80, 0x4000]), dtype="bf16")
        self.assertEqual((codes.dtype, codes.bits().tolist()), ("bf16", [0x3F80, 0x4000]))
        self.assertRaises(BufferError, memoryview, codes)
        wide = tw.loads("func.func @main(%x: tensor<2xbf16>) -> tensor<2xf32> {\n %y = stablehlo.convert %x : "
                        "(tensor<2xbf16>) -> tensor<2xf32>\n return %y : tensor<2xf32>\n}").evaluate(codes)[0]
        self.assertEqual(wide.tolist(), [1.0, 2.0])


@support.needs_numpy
class Numpy(unittest.TestCase):
    def test_same_memory_both_ways(self):
        for dtype in ("bool", "int8", "uint16", "int32", "int64", "float16", "float32", "float64", "complex64", "complex128"):
            given = numpy.ones((3, 4), dtype)
            tensor = tw.tensor(given)
            self.assertEqual(tensor.address, given.ctypes.data, dtype)
            back = numpy.asarray(tensor)
            self.assertEqual((back.ctypes.data, back.dtype), (given.ctypes.data, given.dtype))
            self.assertEqual(tensor.numpy().ctypes.data, given.ctypes.data)

    def test_dlpack_both_ways(self):
        given = numpy.arange(6, dtype=numpy.float32).reshape(2, 3)

        class OnlyDlpack:
            def __dlpack__(self, **options):
                return given.__dlpack__()

        tensor = tw.tensor(OnlyDlpack())
        self.assertEqual((tensor.address, tensor.shape), (given.ctypes.data, (2, 3)))
        self.assertEqual(tw.Tensor((2,)).__dlpack_device__(), (1, 0))
        owned = tw.Tensor((2, 3)).fill("iota")
        address = owned.address
        back = numpy.from_dlpack(owned)
        owned.close()
        self.assertEqual((back.ctypes.data, back.tolist()), (address, [[0, 1, 2], [3, 4, 5]]))

    def test_capsules_that_nobody_takes_are_given_back(self):
        for _ in range(1000):
            tw.Tensor((1000,)).__dlpack__()
            tw.Tensor((1000,)).__dlpack__(max_version=(1, 1))

    def test_layouts_that_are_refused(self):
        square = numpy.ones((4, 4), numpy.float32)
        for array_ in (square.T[1:], square[:, ::2], square[::-1]):
            self.assertRaises(tw.Unimplemented, tw.tensor, array_)
        shifted = numpy.frombuffer(bytearray(17), numpy.uint8)[1:].view(numpy.float32)
        self.assertRaises(tw.Unimplemented, tw.tensor, shifted)
        self.assertRaises(tw.InvalidArgument, tw.tensor, numpy.zeros(2, "datetime64[s]").view("S8"))

    @unittest.skipUnless(ml_dtypes, "ml_dtypes is not installed")
    def test_narrow_floats(self):
        for name in ("bfloat16", "float8_e4m3fn", "float8_e5m2", "float8_e4m3b11fnuz"):
            given = numpy.asarray([1, 2, -0.5], getattr(ml_dtypes, name))
            tensor = tw.tensor(given)
            self.assertEqual(tensor.address, given.ctypes.data)
            for back in (tensor.numpy(), numpy.asarray(tensor)):
                self.assertEqual((back.dtype, back.ctypes.data, back.tolist()), (given.dtype, given.ctypes.data, [1, 2, -0.5]))


if __name__ == "__main__":
    unittest.main()
