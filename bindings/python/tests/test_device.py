# SPDX-License-Identifier: Apache-2.0
"""Arrays on devices: tensors, copies, streams, runs in their order, and DLPack with its rules for streams. On detached devices, and
with TW_TEST_KIND=cuda on GPUs or a double of the driver."""

import ctypes
import os
import unittest

import tilewright as tw
from support import needs_numpy, numpy

KIND = os.environ.get("TW_TEST_KIND", "detached")
DEVICE = f"{KIND}:0"
DL_TYPE = {"cuda": 2, "detached": 12}[KIND]


def delays(seed):
    """Streams of the double sleep before commands, for times drawn from the seed."""
    driver = os.environ.get("TW_CUDA_DRIVER", "")
    if KIND == "cuda" and "double" in driver:
        ctypes.CDLL(driver).tw_double_delays(ctypes.c_uint64(seed))


def program():
    b = tw.Builder("affine")
    x, w = b.argument("x", "f32", (8, 16)), b.argument("w", "f32", (16, 4))
    b.result("y", b.einsum("ab,bc->ac", x, w))
    return b.finish()


class Producer:
    """Another library's array: what its DLPack is asked for, and whether the capsule is taken."""

    def __init__(self, tensor):
        self.tensor, self.streams = tensor, []

    def __dlpack_device__(self):
        return self.tensor.__dlpack_device__()

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        self.streams.append(stream)
        return self.tensor.__dlpack__(stream=stream, max_version=max_version)


@needs_numpy
class Device(unittest.TestCase):
    def setUp(self):
        self.host = numpy.arange(12, dtype=numpy.float32).reshape(3, 4)

    def tearDown(self):
        delays(0)

    def test_tensors(self):
        self.assertGreaterEqual(tw.device_count(KIND), 1)
        t = tw.Tensor((3, 4), device=DEVICE).copy_from(self.host)
        self.assertEqual(t.device, DEVICE)
        self.assertEqual(tw.tensor(self.host).device, "host")
        self.assertIsNone(t.strides)
        self.assertNotEqual(t.address, 0)
        back = t.to("host")
        self.assertEqual(back.device, "host")
        self.assertTrue((back.numpy() == self.host).all())
        again = t.to(DEVICE)
        self.assertNotEqual(again.address, t.address)
        self.assertTrue((again.to().numpy() == self.host).all())

    def test_no_conversion_without_a_copy(self):
        t = tw.Tensor((3, 4), device=DEVICE).copy_from(self.host)
        for read in (t.numpy, t.bits, t.tolist, lambda: memoryview(t), lambda: numpy.asarray(t), lambda: numpy.from_dlpack(t)):
            with self.assertRaises((BufferError, RuntimeError, ValueError)):
                read()
        with self.assertRaises(tw.FailedPrecondition):
            t.fill("ones")
        with self.assertRaises(tw.FailedPrecondition):
            t.compare(self.host)
        with self.assertRaises(tw.NotFound):
            tw.Tensor((2,), device=f"{KIND}:1000")
        with self.assertRaises(tw.InvalidArgument):
            tw.Tensor((2,), device="cuda:first")

    def test_streams_and_events(self):
        first, second, event = tw.Stream(DEVICE), tw.Stream(DEVICE), tw.Event(DEVICE)
        self.assertEqual(first.device, DEVICE)
        self.assertEqual(first.native is not None, KIND == "cuda")
        for seed in range(20):
            delays(seed)
            a, b = tw.Tensor((3, 4), device=DEVICE), tw.Tensor((3, 4), device=DEVICE)
            a.copy_from(self.host + seed, first)
            event.record(first)
            event.hold(second)
            b.copy_from(a, second)
            got = tw.Tensor((3, 4)).copy_from(b, first)  # behind what makes b
            got.wait()
            self.assertTrue((got.numpy() == self.host + seed).all())
        first.wait()
        self.assertTrue(event.reached)
        with self.assertRaises(tw.InvalidArgument):
            tw.Stream("host")

    def test_runs(self):
        x = numpy.arange(128, dtype=numpy.float32).reshape(8, 16) % 5
        w = numpy.arange(64, dtype=numpy.float32).reshape(16, 4) % 3
        plan = program().plan(tw.Mesh(data=2)).tile("x", 0, "data").infer_propagate()
        stream = tw.Stream(DEVICE)
        for in_place in (False, True):
            exe = tw.Executable(plan, device=KIND, in_place=in_place)
            for seed in range(10):
                delays(seed)
                on_x = tw.Tensor((8, 16), device=DEVICE).copy_from(x, stream)
                on_w = tw.Tensor((16, 4), device=DEVICE).copy_from(w, stream)
                y = tw.Tensor((8, 4), device=DEVICE)
                run = exe.start(on_x, on_w, outputs=[y], stream=stream)
                got = tw.Tensor((8, 4)).copy_from(y, stream).wait()
                self.assertTrue((got.numpy() == x @ w).all())
                run.wait()
        with self.assertRaises(tw.InvalidArgument):
            tw.Executable(plan).run(on_x, on_w)

    def test_dlpack_out(self):
        t = tw.Tensor((3, 4), device=DEVICE).copy_from(self.host)
        self.assertEqual(t.__dlpack_device__(), (DL_TYPE, 0))
        self.assertEqual(tw.tensor(self.host).__dlpack_device__(), (1, 0))
        on_host = numpy.from_dlpack(Host(t))  # an explicit copy
        self.assertTrue((on_host == self.host).all())
        with self.assertRaises(BufferError):
            t.__dlpack__(dl_device=(1, 0), copy=False)
        with self.assertRaises(BufferError):
            t.__dlpack__(dl_device=(DL_TYPE, 1))
        copy = tw.tensor(Producer(tw.tensor(Copying(t))))
        self.assertNotEqual(copy.address, t.address)
        self.assertTrue((copy.to().numpy() == self.host).all())

    def test_dlpack_in_and_out(self):
        for seed in range(20):
            delays(seed)
            stream = tw.Stream(DEVICE)
            made = tw.Tensor((3, 4), device=DEVICE).copy_from(self.host + seed, stream)  # late
            producer = Producer(made)
            taken = tw.tensor(producer)
            self.assertEqual(taken.address, made.address)  # nothing was copied
            self.assertEqual(taken.device, DEVICE)
            if KIND == "cuda":
                self.assertGreater(producer.streams[0], 2)  # a queue of ours
            made.close()
            self.assertTrue((taken.to().numpy() == self.host + seed).all())

    @unittest.skipUnless(KIND == "cuda", "only GPUs have streams that others know")
    def test_consumer_stream(self):
        with self.assertRaises(tw.InvalidArgument):
            tw.Tensor((2,), device=DEVICE).__dlpack__(stream=0)
        for seed in range(1, 20):
            delays(seed)
            ours, theirs = tw.Stream(DEVICE), tw.Stream(DEVICE)
            t = tw.Tensor((64, 64), device=DEVICE).copy_from(numpy.full((64, 64), seed, numpy.float32), ours)
            asked = [theirs.native, None, 1, 2][seed % 4]
            capsule = t.__dlpack__(stream=asked, max_version=(1, 1))
            del capsule  # its memory goes back
            if seed % 4 != 0:  # the default streams
                theirs = tw.Stream(DEVICE, native=asked or 1)
            # What the consumer puts into its stream finds the elements, though the library's own wait is not asked for.
            raw = Bare(t)
            got = tw.Tensor((64, 64)).copy_from(tw.tensor(raw), theirs).wait()
            self.assertTrue((got.numpy() == seed).all())

    @unittest.skipUnless(KIND == "cuda", "a GPU")
    def test_gpu(self):
        gpu = tw.gpu(0)
        self.assertGreater(gpu.bytes, gpu.used_bytes)
        self.assertTrue(gpu.name)
        tw.limit_memory(0, gpu.used_bytes + 1024)
        try:
            self.assertEqual(tw.gpu(0).limit_bytes, gpu.used_bytes + 1024)
            with self.assertRaises(tw.ResourceExhausted):
                tw.Tensor((1024, 1024), device=DEVICE)
        finally:
            tw.limit_memory(0, 0)

    @unittest.skipIf(KIND == "cuda", "a machine without a driver")
    def test_no_gpu(self):
        try:
            tw.device_count("cuda")
        except tw.Unavailable:
            for call in (lambda: tw.gpu(0), lambda: tw.Stream(), lambda: tw.Tensor((2,), device="cuda")):
                with self.assertRaises(tw.Unavailable):
                    call()


class Host(Producer):
    """Asks for a copy on the host."""

    def __dlpack_device__(self):
        return (1, 0)

    def __dlpack__(self, **how):
        return self.tensor.__dlpack__(dl_device=(1, 0), max_version=how.get("max_version"))


class Copying(Producer):
    """Asks for a copy on the device."""

    def __dlpack__(self, *, stream=None, max_version=None, **how):
        return self.tensor.__dlpack__(stream=stream, max_version=max_version, copy=True)


class Bare(Producer):
    """A producer that waits for nothing: stream -1."""

    def __dlpack__(self, *, stream=None, max_version=None, **how):
        return self.tensor.__dlpack__(stream=-1, max_version=max_version)


if __name__ == "__main__":
    unittest.main()
