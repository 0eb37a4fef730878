// SPDX-License-Identifier: Apache-2.0
package org.tilewright.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.tilewright.Comm;
import org.tilewright.Executable;
import org.tilewright.ExecutableOptions;
import org.tilewright.Graph;
import org.tilewright.Plan;
import org.tilewright.Status;
import org.tilewright.Tensor;
import org.tilewright.Tilewright;
import org.tilewright.TilewrightException;

/** One of several processes that run a program together over the MPI library that is named. */
final class Processes {
  private Processes() {}

  public static void main(String[] arguments) throws TilewrightException {
    Tilewright.startMpi(arguments[0]);
    Graph graph = Support.mlp();
    Tensor[] inputs = Support.inputs(graph);
    try (Comm comm = Comm.ofMpi(arguments[0], 60)) {
      assertTrue(comm.size() > 1 && comm.rank() < comm.size());
      comm.agree(Map.of("mesh", "data=2,model=2"));
      assertEquals(7, comm.share(0, comm.rank() + 7));
      Plan plan = Support.planned(graph);
      assertEquals("", comm.levels(plan)); // all on one host
      try (Executable executable = plan.lower().executable(new ExecutableOptions().comm(comm).wholeOutputs())) {
        List<Tensor> together = executable.run(inputs);
        if (comm.rank() == 0) {
          List<Tensor> alone = plan.lower().executable().run(inputs);
          assertTrue(together.get(0).compare(alone.get(0), true).bitEqual());
        }
      }
      Map<String, String> differs = Map.of("rank", Integer.toString(comm.rank()));
      TilewrightException thrown = assertThrows(TilewrightException.class, () -> comm.agree(differs));
      assertEquals(Status.INVALID_ARGUMENT, thrown.status());
      if (comm.rank() == 1) {
        comm.fail(Status.UNAVAILABLE, "the table is gone");
      } else {
        TilewrightException over = assertThrows(TilewrightException.class, () -> comm.share(1, 0));
        assertEquals(Status.REMOTE, over.status());
        assertTrue(over.getMessage().contains("the table is gone"), over.getMessage());
      }
      System.out.println("process " + comm.rank() + " of " + comm.size() + ": ok");
    }
    Tilewright.finishMpi(arguments[0]);
  }
}
