// SPDX-License-Identifier: Apache-2.0
package org.tilewright.tests;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.tilewright.tests.Support.mlp;

import org.junit.jupiter.api.Test;
import org.tilewright.Environment;
import org.tilewright.EnvironmentOptions;
import org.tilewright.LowerOptions;
import org.tilewright.Machine;
import org.tilewright.Mesh;
import org.tilewright.Plan;
import org.tilewright.Status;
import org.tilewright.TilewrightException;

/** Environments: episodes, masks, snapshots, copies. */
final class EnvironmentTest {
  private static Machine machine() throws TilewrightException {
    return Machine.load("a100-40g");
  }

  private static Plan plan() throws TilewrightException {
    return mlp().plan(Mesh.of("data", 2, "model", 2));
  }

  private static int legal(Environment environment) throws TilewrightException {
    boolean[] mask = environment.mask();
    for (int action = 0; action < mask.length; ++action) {
      if (mask[action]) {
        return action;
      }
    }
    return -1;
  }

  @Test
  void episode() throws TilewrightException {
    Environment environment = new Environment(plan(), machine(), null);
    Environment.Price first = environment.price();
    assertTrue(first.fits() && first.costSeconds() == first.computingSeconds() && first.movingSeconds() == 0);
    double sum = environment.step(legal(environment)).reward();
    sum += environment.step(legal(environment)).reward();
    assertEquals(Math.log(first.costSeconds() / environment.price().costSeconds()), sum, 1e-9);
    assertEquals(new Environment.Step(0, true), environment.step(environment.numActions() - 1));
    assertEquals(-1, legal(environment));
    assertEquals(Status.FAILED_PRECONDITION, assertThrows(TilewrightException.class, () -> environment.step(0)).status());
    assertEquals(plan().apply(environment.spec()).shardings(), environment.plan().shardings());
    assertEquals("Environment(mlp)", environment.toString());
    environment.undo(3);
    assertEquals(first, environment.price());
  }

  @Test
  void snapshotsAndCopies() throws Exception {
    Environment environment = new Environment(plan(), machine(), null);
    environment.step(legal(environment));
    environment.step(legal(environment));
    long[] snapshot = environment.actions();
    float[] seen = environment.observe();
    Environment copy = environment.copy();
    environment.restore();
    assertEquals(0, environment.actions().length);
    copy.undo(1);
    environment.restore(snapshot);
    copy.restore(snapshot);
    environment.close();
    assertArrayEquals(seen, copy.observe());
    assertThrows(IllegalStateException.class, environment::price);
  }

  @Test
  void misuse() throws TilewrightException {
    Environment environment = new Environment(plan(), machine(), null);
    int first = legal(environment);
    environment.step(first);
    assertEquals(Status.FAILED_PRECONDITION, assertThrows(TilewrightException.class, () -> environment.step(first)).status());
    assertEquals(Status.OUT_OF_RANGE, assertThrows(TilewrightException.class, () -> environment.step(-1)).status());
    assertEquals(Status.OUT_OF_RANGE, assertThrows(TilewrightException.class, () -> environment.undo(2)).status());
    assertEquals(Status.INVALID_ARGUMENT, assertThrows(TilewrightException.class, () -> environment.observe(new float[1])).status());
    assertEquals(Status.INVALID_ARGUMENT, assertThrows(TilewrightException.class, () -> environment.observe(null)).status());
    EnvironmentOptions options = new EnvironmentOptions().capBytes(1000).axes("model").evenOnly().lower(new LowerOptions().gatherPerUse());
    Environment tight = new Environment(plan(), machine(), options);
    assertFalse(tight.price().fits());
    assertTrue(tight.numActions() < environment.numActions() && tight.report().contains("\"conflicts\""));
  }
}
