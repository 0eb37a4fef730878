// SPDX-License-Identifier: Apache-2.0
package org.tilewright.tests;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.tilewright.ArrayType;
import org.tilewright.Builder;
import org.tilewright.Builder.Region;
import org.tilewright.Builder.Value;
import org.tilewright.CustomCalls;
import org.tilewright.DType;
import org.tilewright.ExecutableOptions;
import org.tilewright.Graph;
import org.tilewright.Mesh;
import org.tilewright.OpSpec;
import org.tilewright.Plan;
import org.tilewright.Program;
import org.tilewright.Sharding;
import org.tilewright.Tensor;
import org.tilewright.TilewrightException;

/** Graphs built call by call, run by the evaluator. */
final class BuilderTest {
  private static final Tensor values() throws TilewrightException {
    return Tensor.of(new float[] {1, 2, 3, 4}, 2, 2);
  }

  @Test
  void conveniences() throws TilewrightException {
    try (Builder b = new Builder("all")) {
      Value x = b.argument("x", DType.F32, 2, 2);
      b.result("y", b.binary("subtract", b.einsum("ij,jk->ik", x, x), b.constant(values())));
      b.result("sum", b.reduce("sum", b.transpose(x, 1, 0), 0));
      b.result("wide", b.broadcast(b.reduce("max", x, 0, 1), new long[] {2, 3}));
      Value equal = b.add("compare", List.of(x, x), Map.of("comparison_direction", "EQ"));
      b.result("same", b.add("select", List.of(equal, x, b.splat(9, DType.F32, 2, 2)), Map.of()));
      b.result("part", b.slice(x, new long[] {0, 1}, new long[] {2, 2}, null));
      b.result("both", b.concatenate(0, x, b.fill(DType.F32.encode(5), DType.F32, 1, 2)));
      b.result("less", b.convert(b.compare("LT", x, b.splat(3, DType.F32)), DType.S32));
      b.result("flat", b.reshape(b.unary("negate", x), 4));
      Graph graph = b.finish();
      List<Tensor> results = graph.evaluate(values());
      assertArrayEquals(new float[] {6, 8, 12, 18}, results.get(0).toFloats());
      assertArrayEquals(new float[] {3, 7}, results.get(1).toFloats());
      assertArrayEquals(new float[] {4, 4, 4, 4, 4, 4}, results.get(2).toFloats());
      assertArrayEquals(new float[] {1, 2, 3, 4}, results.get(3).toFloats());
      assertArrayEquals(new float[] {2, 4}, results.get(4).toFloats());
      assertArrayEquals(new float[] {1, 2, 3, 4, 5, 5}, results.get(5).toFloats());
      assertEquals(1, results.get(6).buffer().getInt(4));
      assertEquals(0, results.get(6).buffer().getInt(8));
      assertArrayEquals(new float[] {-1, -2, -3, -4}, results.get(7).toFloats());
    }
  }

  @Test
  void loops() throws TilewrightException {
    try (Builder b = new Builder("loop")) {
      Value x = b.argument("x", DType.F32, 2, 2);
      List<ArrayType> carried = List.of(ArrayType.of(DType.S32), ArrayType.of(DType.F32, 2, 2));
      Region condition =
          b.region(carried, args -> List.of(b.compare("LT", args.get(0), b.splat(3, DType.S32))));
      Region body =
          b.region(
              carried,
              args -> List.of(b.binary("add", args.get(0), b.splat(1, DType.S32)), b.binary("add", args.get(1), args.get(1))));
      OpSpec loop = new OpSpec("while").operands(b.splat(0, DType.S32), x).regions(condition, body).location("model.py:12");
      List<Value> last = b.op(loop);
      assertEquals(2, last.size());
      Graph graph = b.result("y", last.get(1)).finish();
      assertArrayEquals(new float[] {8, 16, 24, 32}, graph.evaluate(values()).get(0).toFloats());
      Graph.Value made = graph.value(last.get(1).number());
      assertEquals("stablehlo.while", graph.op(made.op()).name());
      assertEquals("model.py:12", graph.location(made.op()));
      assertEquals(2, graph.op(made.op()).regions().size());
    }
  }

  @Test
  void combinersAndBranches() throws TilewrightException {
    try (Builder b = new Builder("more")) {
      Value x = b.argument("x", DType.F32, 2, 2);
      OpSpec reduce =
          new OpSpec("reduce")
              .operands(x, b.splat(1, DType.F32))
              .regions(b.combiner("multiply", DType.F32))
              .attribute("dimensions", new long[] {1});
      b.result("product", b.op(reduce).get(0));
      Region yes = b.region(List.of(), none -> List.of(b.unary("negate", x)));
      Region no = b.region(List.of(), none -> List.of(x));
      Value first = b.reshape(b.slice(x, new long[] {0, 0}, new long[] {1, 1}, null));
      b.result("chosen", b.op(new OpSpec("if").operands(b.compare("GT", first, b.splat(0, DType.F32))).regions(yes, no)).get(0));
      List<Tensor> results = b.finish().evaluate(values());
      assertArrayEquals(new float[] {2, 12}, results.get(0).toFloats());
      assertArrayEquals(new float[] {-1, -2, -3, -4}, results.get(1).toFloats());
    }
  }

  @Test
  void customCallsNamesAndShardings() throws TilewrightException {
    CustomCalls calls = new CustomCalls().add("my.twice", "i j -> i j", call -> {
      for (int i = 0; i < call.results().get(0).floats().limit(); ++i) {
        float x = call.operands().get(0).floats().get(i);
        call.results().get(0).floats().put(i, (Long) call.attributes().get("times") * x);
      }
    }, null);
    try (Builder b = new Builder("named");
        Mesh mesh = Mesh.of("data", 2)) {
      Value x = b.argument("x", DType.F32, 2, 2);
      b.customCalls(calls);
      Value h = b.customCall("my.twice", List.of(x), List.of(ArrayType.of(DType.F32, 2, 2)), Map.of("times", 2)).get(0);
      b.name(h, "hidden").shard(h, Sharding.parse(mesh, "[{data}, {}]", 2, 2));
      b.result("y", b.unary("tanh", h)).shardResult(0, Sharding.parse(mesh, "[{}, {data}]", 2, 2));
      Graph graph = b.finish();
      assertEquals(h.number(), graph.value("%hidden").number());
      assertEquals("%hidden", graph.valueName(h.number()));
      Plan plan = graph.plan(null);
      assertEquals("[{data}, {}]", plan.sharding("%hidden"));
      assertEquals("[{}, {data}]", plan.sharding("y"));
      float[] parted = plan.lower().executable().run(values()).get(0).toFloats();
      assertArrayEquals(new float[] {(float) Math.tanh(2), (float) Math.tanh(4)}, new float[] {parted[0], parted[1]}, 1e-5f);
    }
  }

  @Test
  void valuesThatKeepHalos() throws TilewrightException {
    try (Mesh mesh = Mesh.of("a", 3);
        Builder b = new Builder("stencil");
        Builder wrong = new Builder("wrong")) {
      Value x = b.argument("x", DType.F32, 13);
      Value n = b.unary("negate", b.keepHalo(x, Sharding.parse(mesh, "[{a}:halo=[2,2]]", 13)));
      Value left = b.slice(n, new long[] {0}, new long[] {11}, null);
      Value right = b.slice(n, new long[] {2}, new long[] {13}, null);
      Sharding inside = Sharding.parse(mesh, "[{a}:cuts=[0,4,7,11]]", 11);
      b.shard(left, inside).shard(right, inside).result("y", b.binary("add", left, right));
      Program program = b.finish().plan(null).lower();
      assertEquals(1, program.numCollectives());
      assertEquals(16, program.bytesReceived()); // two elements from each side
      Tensor in = Tensor.filled(DType.F32, "randint(-9,9)", 1, 13);
      float[] given = in.toFloats();
      float[] made = program.executable().run(in).get(0).toFloats();
      for (int i = 0; i < 11; ++i) {
        assertEquals(-given[i] - given[i + 2], made[i]);
      }
      wrong.keepHalo(wrong.argument("x", DType.F32, 13), Sharding.parse(mesh, "[{a}]", 13));
      TilewrightException refused = assertThrows(TilewrightException.class, wrong::finish);
      assertTrue(refused.getMessage().contains("no halo in any dimension"), refused.getMessage());
    }
  }

  @Test
  void donatedArguments() throws TilewrightException {
    try (Builder b = new Builder("donated")) {
      Value x = b.donatedArgument("x", ArrayType.of(DType.F32, 2, 2), 0);
      Graph graph = b.result("y", b.binary("add", x, x)).finish();
      assertEquals(0, graph.donatedTo(0));
      var executable = graph.unpartitioned().executable(new ExecutableOptions().donate());
      assertEquals(0, executable.donatedTo(0).orElseThrow());
      Tensor tensor = values();
      executable.run(List.of(tensor), List.of(tensor));
      assertArrayEquals(new float[] {2, 4, 6, 8}, tensor.toFloats());
    }
  }

  @Test
  void mistakesStick() throws TilewrightException {
    try (Builder b = new Builder("wrong")) {
      Value x = b.argument("x", DType.F32, 2, 3);
      Value wrong = b.einsum("ij,jk->ik", x, x);
      Value after = b.op(new OpSpec("tanh").operands(wrong)).get(0); // does nothing
      b.result("y", b.binary("add", after, x));
      TilewrightException checked = assertThrows(TilewrightException.class, b::check);
      TilewrightException thrown = assertThrows(TilewrightException.class, b::finish);
      assertEquals(checked.getMessage(), thrown.getMessage());
      assertTrue(thrown.getMessage().contains("einsum"), thrown.getMessage());
    }
  }
}
