// SPDX-License-Identifier: Apache-2.0
package org.tilewright.tests;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.tilewright.Redistribution.Side.AFTER;
import static org.tilewright.Redistribution.Side.BEFORE;
import static org.tilewright.tests.Support.direct;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.tilewright.Box;
import org.tilewright.DType;
import org.tilewright.Mesh;
import org.tilewright.Redistribution;
import org.tilewright.RedistributionOptions;
import org.tilewright.Redistributor;
import org.tilewright.Sharding;
import org.tilewright.Tensor;
import org.tilewright.TilewrightException;

/** Redistribution plans, and moving tiles. */
final class RedistributeTest {
  /** Tiles of the matrix whose elements are their numbers. */
  private static List<Tensor> tilesOf(Redistribution plan, Redistribution.Side side, int columns) throws TilewrightException {
    List<Tensor> tiles = new ArrayList<>();
    for (int device = 0; device < plan.numDevices(); ++device) {
      Box box = plan.tile(side, device);
      int width = box.extent().get(1).intValue();
      float[] values = new float[(int) box.elements()];
      for (int i = 0; i < values.length; ++i) {
        values[i] = (box.offset().get(0) + i / width) * columns + box.offset().get(1) + i % width;
      }
      tiles.add(Tensor.of(values, box.shape()));
    }
    return tiles;
  }

  @Test
  void rowsToColumns() throws TilewrightException {
    Redistribution plan = Redistribution.plan(Mesh.of("x", 4), "f32[12,10] [{x},{}]", "[{},{x}]");
    List<Tensor> after = plan.run(tilesOf(plan, BEFORE, 10));
    List<Tensor> expected = tilesOf(plan, AFTER, 10);
    for (int device = 0; device < 4; ++device) {
      assertArrayEquals(expected.get(device).toFloats(), after.get(device).toFloats());
    }
    assertEquals(2, plan.rank());
    assertEquals(4, plan.itemSize());
    assertEquals(List.of(0L, 1L, 2L, 3L), plan.deviceIds());
    assertFalse(plan.combines());
    assertTrue(plan.isExact());
    assertEquals(plan.bound().most(), plan.bytesReceived(1));
    assertEquals(Optional.of(List.of(0L, 0L)), plan.element(AFTER, 0, 0));
    assertTrue(plan.heightBytes() >= plan.scratchBytes());
    assertEquals(1, plan.numSteps());
    assertTrue(plan.info(true).contains(plan.method()) && plan.report(false, 0).contains("12"));
    assertTrue(plan.pareto().startsWith("["));
    assertThrows(IllegalArgumentException.class, () -> plan.newTiles(DType.F64));
    assertThrows(IllegalArgumentException.class, () -> plan.element(AFTER, 0));
  }

  @Test
  void lost() throws TilewrightException {
    Mesh mesh = Mesh.of("x", 2);
    Sharding rows = Sharding.parse(mesh, "[{x}]", 4);
    RedistributionOptions options = new RedistributionOptions().lost(1);
    Redistribution plan = Redistribution.between(rows, Sharding.parse(mesh, "[{}]", 4), DType.S32, options);
    assertEquals(4, plan.itemSize());
    assertEquals(List.of(0, 1), plan.missing().stream().map(Redistribution.Missing::device).toList());
    assertEquals(List.of(2L), plan.missing().get(0).box().offset());
    assertTrue(Redistribution.between(rows, rows, DType.S32, null).missing().isEmpty());
  }

  @Test
  void saved() throws TilewrightException {
    RedistributionOptions options =
        new RedistributionOptions().method("direct").links(new RedistributionOptions.Link(1, 0.1, 10)).copyGbPerS(20);
    Mesh mesh = Mesh.of("x", 2);
    Redistribution plan = Redistribution.plan(mesh, "[8,8] [{x},{}]", null, "[{},{x}]", options.dtype(DType.F64));
    assertEquals(8, plan.itemSize());
    byte[] bytes = plan.save();
    assertEquals(plan.planHash(), Redistribution.load(bytes).check().planHash());
    assertThrows(TilewrightException.class, () -> Redistribution.load(Arrays.copyOf(bytes, bytes.length - 3)));
  }

  @Test
  void movers() throws TilewrightException {
    Redistribution plan = Redistribution.plan(Mesh.of("x", 2), "f32[8] [{x}]", "[{}]");
    try (Redistributor mover = new Redistributor(List.of(plan), new Redistributor.RunOptions().workers(1))) {
      assertEquals(new Redistributor.Home(false, 1), mover.home(0, 1));
      assertTrue(mover.scratchBytes() >= 0);
      List<ByteBuffer> before = List.of(direct(0, 1, 2, 3), direct(4, 5, 6, 7));
      List<ByteBuffer> after = List.of(direct(new float[8]), direct(new float[8]));
      mover.run(before, after);
      plan.close();
      mover.run(before, after);
      assertEquals("Redistributor(1 plan)", mover.toString());
      for (ByteBuffer tile : after) {
        assertEquals(7, tile.getFloat(28));
        assertEquals(4, tile.getFloat(16));
      }
      ByteBuffer one = direct(new float[8]);
      assertThrows(TilewrightException.class, () -> mover.run(before, List.of(one, one)));
      assertThrows(IllegalArgumentException.class, () -> mover.run(Arrays.asList(null, before.get(1)), after));
    }
  }

  @Test
  void wrongTiles() throws TilewrightException {
    Redistribution sums = Redistribution.plan(Mesh.of("x", 2), "i32[4] [{}] +x", "[{x}]");
    assertEquals(DType.S32, sums.dtype());
    List<Tensor> floats = List.of(Tensor.filled(DType.F32, "ones", 0, 4), Tensor.filled(DType.F32, "ones", 0, 4));
    refused("the tile of device 0 is f32, the plan combines i32", () -> sums.run(floats));
    List<Tensor> whole = List.of(Tensor.filled(DType.S32, "ones", 0, 4), Tensor.filled(DType.S32, "ones", 0, 4));
    assertEquals(2, sums.run(whole).get(1).buffer().getInt(4));
    refused("the list of tiles before has length 1, not 2", () -> sums.run(whole.subList(0, 1)));

    Redistribution plan = Redistribution.plan(Mesh.of("x", 2, "y", 2), "f32[6,10] [{x},{y}]", "[{},{x,y}]");
    assertThrows(IllegalArgumentException.class, () -> plan.newTiles(DType.S32));
    refused("the tile of device 0 is [5, 3], the plan wants [3, 5]", () -> plan.run(four(DType.F32, 5, 3)));
    refused("the tile of device 0 is i32, the plan moves f32", () -> plan.run(four(DType.S32, 3, 5)));
    for (List<Tensor> tiles : List.of(four(DType.F32, 3, 5), four(DType.F32, 15), four(DType.U8, 60))) {
      assertEquals(DType.F32, plan.run(tiles).get(0).dtype());
    }
    assertEquals(DType.F32, Redistribution.load(plan.save()).dtype());
    RedistributionOptions doubles = new RedistributionOptions().dtype(DType.F64);
    assertEquals(DType.F64, Redistribution.plan(Mesh.of("x", 2), "[4] [{x}]", null, "[{}]", doubles).dtype());
    assertEquals(DType.C64, Redistribution.plan(Mesh.of("x", 2), " complex<f32>[4] [{x}]", "[{}]").dtype());
    Throwable device = assertThrows(IndexOutOfBoundsException.class, () -> plan.bytesReceived(99));
    assertEquals("there is no device 99: there are 4, numbered 0 to 3", device.getMessage());
    try (Redistributor mover = new Redistributor(List.of(plan), null)) {
      assertTrue(mover.scratchBytes() >= 0);
    }
  }

  private static List<Tensor> four(DType dtype, long... shape) throws TilewrightException {
    Tensor tile = Tensor.zeros(dtype, shape);
    return List.of(tile, tile, tile, tile);
  }

  private static void refused(String why, Executable call) {
    assertEquals(why, assertThrows(IllegalArgumentException.class, call).getMessage());
  }

  @Test
  void equality() throws TilewrightException {
    Redistribution plan = Redistribution.plan(Mesh.of("x", 2), "f32[8] [{x}]", "[{}]");
    assertEquals(plan, Redistribution.load(plan.save()));
    assertEquals(plan.hashCode(), Redistribution.load(plan.save()).hashCode());
    assertNotEquals(plan, Redistribution.plan(Mesh.of("x", 2), "i32[8] [{x}]", "[{}]"));
  }

  @Test
  void halos() throws TilewrightException {
    Redistribution plan = Redistribution.plan(Mesh.of("x", 2), "f32[8] [{x}]", "[{x}:halo=[1,1]]");
    assertEquals(new Box(List.of(-1L), List.of(6L)), plan.tile(AFTER, 0));
    assertEquals(Optional.empty(), plan.element(AFTER, -1));
  }
}
