# SPDX-License-Identifier: Apache-2.0
"""One process of a job over MPI: what Comm says, runs on it, and failures. Usage: test_mpi.py openmpi|mpich, under its launcher."""

import sys
import unittest

import tilewright as tw
from support import inputs, mlp, planned

LIBRARY = sys.argv.pop()


class Jobs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        tw.mpi_start(LIBRARY)

    @classmethod
    def tearDownClass(cls):
        tw.mpi_finish(LIBRARY)

    def test_processes(self):
        with tw.Comm(library=LIBRARY, deadline=20) as comm:
            self.assertGreater(comm.size, 1)
            self.assertIn(comm.rank, range(comm.size))
            comm.agree(seed=7, file="x.mlir")
            self.assertEqual(comm.share(40 + comm.rank, root=1), 41)
            self.assertEqual(comm.levels(planned()), "")  # all on one host

    def test_runs(self):
        comm = tw.Comm(library=LIBRARY, deadline=20)
        graph = mlp()
        executable = planned(graph).lower().executable(comm=comm, whole_outputs=True, workers=1)
        self.assertLess(executable.num_devices, 4)
        arrays = inputs(graph)
        for _ in range(3):
            (y,) = executable.run(*arrays)
        if comm.rank == 0:
            self.assertTrue(y.compare(graph.evaluate(*arrays)[0]))

    def test_facts_that_differ(self):
        comm = tw.Comm(library=LIBRARY, deadline=20)
        with self.assertRaises(tw.InvalidArgument) as caught:
            comm.agree(seed=comm.rank)
        self.assertIn("seed", str(caught.exception))

    def test_one_gives_up(self):
        comm = tw.Comm(library=LIBRARY, deadline=20)
        if comm.rank == 1:
            comm.fail("the disk is full")
            self.assertRaises(tw.Error, comm.share, 1)
        else:
            with self.assertRaises(tw.Error) as caught:
                comm.share(1, root=1)
            self.assertIn("the disk is full", str(caught.exception))


if __name__ == "__main__":
    if not unittest.main(exit=False).result.wasSuccessful():
        sys.exit(1)
    print("ok")
