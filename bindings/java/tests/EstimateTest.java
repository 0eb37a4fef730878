// SPDX-License-Identifier: Apache-2.0
package org.tilewright.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.tilewright.tests.Support.mlp;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.tilewright.Bound;
import org.tilewright.CollectiveKind;
import org.tilewright.Estimate;
import org.tilewright.EstimateOptions;
import org.tilewright.Machine;
import org.tilewright.Mesh;
import org.tilewright.Program;
import org.tilewright.Role;
import org.tilewright.Status;
import org.tilewright.TilewrightException;

/** Estimates: that walks add up to the totals, and machines that are none. */
final class EstimateTest {
  private static final String TEXT =
      "[device] flops.f32=1e9 hbm_bytes=1e6 hbm_bw=1e8 launch_s=1e-3\n[axis *] bw=1e5 lat=1e-3\n";

  private static Program program() throws TilewrightException {
    return mlp()
        .plan(Mesh.of("data", 2, "model", 2))
        .tile("x", 0, "data")
        .tile("w1", 1, "model")
        .inferPropagate()
        .lower();
  }

  private static double secondsOf(Estimate estimate, Bound bound) throws TilewrightException {
    return estimate.steps().stream().filter(s -> s.bound() == bound).mapToDouble(s -> s.seconds() * s.times()).sum();
  }

  @Test
  void walksAddUp() throws TilewrightException {
    Machine machine = Machine.parse(TEXT, "small.conf");
    assertEquals("Machine(small.conf)", machine.toString());
    Program program = program();
    Estimate estimate = program.estimate(machine, null);
    Estimate.Totals totals = estimate.totals();
    assertTrue(totals.fits() && totals.peakBytes() <= totals.capBytes());
    assertTrue(totals.overlappedSeconds() <= totals.serialSeconds());
    assertEquals(totals.computeSeconds(), secondsOf(estimate, Bound.COMPUTE), 1e-12);
    assertEquals(totals.memorySeconds(), secondsOf(estimate, Bound.MEMORY), 1e-12);
    assertEquals(totals.communicationSeconds(), secondsOf(estimate, Bound.LINK), 1e-12);
    assertEquals(
        totals.serialSeconds(), totals.computeSeconds() + totals.memorySeconds() + totals.communicationSeconds(), 1e-12);
    assertEquals(List.of("data", "model"), List.copyOf(estimate.axisSeconds().keySet()));
    assertEquals(
        totals.communicationSeconds(), estimate.axisSeconds().values().stream().mapToDouble(s -> s).sum(), 1e-12);
    Estimate.CollectiveCost sum = estimate.collectives().get(0);
    assertEquals(CollectiveKind.ALL_REDUCE, sum.kind());
    assertEquals(List.of("model"), sum.axes());
    assertEquals(totals.communicationSeconds(), sum.seconds() * sum.times(), 1e-12);
    Estimate.Step step = estimate.steps().get(sum.step());
    assertEquals("all_reduce over model", step.what());
    assertEquals(program.collectives().get(step.collective()).instr(), step.instr());
    long most = estimate.places().get(totals.peakPlace()).bytes();
    assertEquals(most, estimate.places().stream().mapToLong(Estimate.Place::bytes).max().getAsLong());
    assertEquals(most, estimate.held().stream().mapToLong(Estimate.Held::bytes).sum());
    assertTrue(estimate.held().stream().anyMatch(h -> h.role() == Role.PARAMETER && h.local() < program.numLocals()));
    assertTrue(estimate.info().contains("\"fits\": true") && estimate.trace().contains("traceEvents"));
    String page = program.page(estimate, "{\"traceEvents\":[]}");
    assertTrue(page.contains("id=\"facts\"") && program.page(null, null).length() < page.length());
    assertThrows(TilewrightException.class, () -> program.page(null, "no trace"));
    Estimate tight = program.estimate(machine, new EstimateOptions().capBytes(1));
    assertFalse(tight.totals().fits());
    assertTrue(tight.report(80).contains("DOES NOT FIT"));
  }

  @Test
  void noMachines() throws TilewrightException {
    TilewrightException none = assertThrows(TilewrightException.class, () -> Machine.load("a100-41g"));
    assertEquals(Status.NOT_FOUND, none.status());
    TilewrightException wrong = assertThrows(TilewrightException.class, () -> Machine.parse("[device]\nflops.f33=1\n", null));
    assertEquals(Status.INVALID_ARGUMENT, wrong.status());
    assertEquals(2, wrong.line());
    Program program = program();
    Machine machine = Machine.load("a100-80g");
    machine.close();
    assertThrows(IllegalStateException.class, () -> program.estimate(machine, null));
  }
}
