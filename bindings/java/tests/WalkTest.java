// SPDX-License-Identifier: Apache-2.0
package org.tilewright.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.tilewright.tests.Support.mlp;
import static org.tilewright.tests.Support.planned;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.tilewright.Action;
import org.tilewright.ArrayType;
import org.tilewright.AxisKind;
import org.tilewright.AxisPart;
import org.tilewright.Border;
import org.tilewright.Box;
import org.tilewright.Builder;
import org.tilewright.CollectiveKind;
import org.tilewright.Conflict;
import org.tilewright.ConflictKind;
import org.tilewright.DType;
import org.tilewright.DimSharding;
import org.tilewright.EstimateOptions;
import org.tilewright.Executable;
import org.tilewright.Graph;
import org.tilewright.ImportOptions;
import org.tilewright.InstrKind;
import org.tilewright.LoopKind;
import org.tilewright.LowerOptions;
import org.tilewright.Machine;
import org.tilewright.Mesh;
import org.tilewright.Partial;
import org.tilewright.PictureOptions;
import org.tilewright.Plan;
import org.tilewright.Program;
import org.tilewright.Redistribution;
import org.tilewright.Reduction;
import org.tilewright.Sharding;
import org.tilewright.Split;
import org.tilewright.Status;
import org.tilewright.TilewrightException;

/** Graphs, plans, programs and shardings as structured values. */
final class WalkTest {
  private static Graph.Op opNamed(Graph graph, String name) throws TilewrightException {
    for (int op = 0; op < graph.opEnd(); ++op) {
      if (graph.op(op).name().equals(name)) {
        return graph.op(op);
      }
    }
    throw new AssertionError("no " + name);
  }

  @Test
  void graphs() throws TilewrightException {
    Graph graph = mlp();
    Graph.Op tanh = opNamed(graph, "stablehlo.tanh");
    Graph.Value hidden = graph.value(tanh.operands().get(0));
    assertEquals(ArrayType.of(DType.F32, 8, 12), hidden.type());
    assertEquals(tanh.number(), graph.value(tanh.results().get(0)).op());
    assertEquals(0, graph.value("x").uses().get(0).operand());
    assertEquals("w1", graph.valueName(graph.argumentValue(1).orElseThrow()));
    assertTrue(graph.symbol(graph.argumentValue(1).orElseThrow()).startsWith("%"));
    assertEquals(OptionalInt.of(graph.value("y").number()), graph.resultValue(0));
    assertThrows(IndexOutOfBoundsException.class, () -> graph.argumentValue(99));
    assertEquals(1, graph.regionEnd());
    assertEquals(-1, graph.region(0).parent());
    assertEquals(List.of(1L), opNamed(graph, "stablehlo.dot_general").attributes().get("lhs_contracting_dimensions"));
    assertEquals(-1, graph.donatedTo(0));
    assertEquals(0, graph.gridRank());
  }

  @Test
  void everyValueIsReadWhereItSays() throws Exception {
    Graph graph = Graph.load(Support.ROOT.resolve("examples/models/zoo/lstm_step.mlir"));
    int uses = 0;
    int constants = 0;
    for (int number = 0; number < graph.valueEnd(); ++number) {
      for (Graph.Use use : graph.value(number).uses()) {
        assertEquals(number, graph.op(use.op()).operands().get(use.operand()));
        ++uses;
      }
    }
    for (int number = 0; number < graph.opEnd(); ++number) {
      Graph.Op op = graph.op(number);
      assertTrue(graph.region(op.parent()).ops().contains(number));
      if (op.name().equals("stablehlo.constant")) {
        ArrayType type = graph.value(op.results().get(0)).type();
        Graph.Literal literal = graph.constant(number);
        assertEquals(literal.splat() ? type.dtype().bytes() : type.bytes(), literal.bytes().length);
        ++constants;
      }
    }
    assertTrue(uses > 50 && constants > 0 && graph.regionEnd() > 1, uses + " uses, " + constants + " constants");
  }

  @Test
  void plans() throws TilewrightException {
    Plan plan = planned();
    Graph graph = plan.graph();
    List<Action> actions = plan.actions();
    assertEquals(4, actions.size());
    assertTrue(actions.get(1).text().contains("x"), actions.toString());
    Plan.Loop outer = plan.loops(opNamed(graph, "stablehlo.tanh").number()).get(0);
    assertEquals(LoopKind.TILE, outer.kind());
    assertEquals("data", outer.axis());
    assertEquals(List.of(0), outer.resultDims());
    List<Plan.Loop> last = plan.loops(graph.value("y").op());
    assertTrue(last.stream().anyMatch(loop -> loop.kind() == LoopKind.REDUCE && loop.reduction() == Reduction.SUM));
    assertEquals("[{data}, {}]", plan.argumentSharding(0).text());
    assertEquals(plan.argumentSharding(0), plan.valueSharding(graph.value("x").number()));
    assertTrue(plan.resultSharding(0).text().startsWith("[{data}, {}]"));
    assertEquals(plan.mesh().axes(), Mesh.parse("data=2,model=2").axes());
  }

  @Test
  void conflicts() throws TilewrightException {
    Plan plan = mlp().plan(Mesh.of("a", 2)).tile("x", 0, "a").tile("w1", 1, "a").inferPropagate();
    List<Conflict> conflicts = new ArrayList<>(plan.conflicts());
    assertEquals(plan.numConflicts(), conflicts.size());
    assertFalse(conflicts.isEmpty());
    Conflict first = conflicts.get(0);
    assertEquals(ConflictKind.TIE, first.kind());
    assertEquals("a", first.axis());
    assertTrue(first.ways().size() >= 2 && first.ways().get(0).bytes() == -1, first.toString());
    List<Conflict> costed = plan.lower().conflicts();
    assertTrue(costed.get(0).ways().stream().allMatch(way -> way.bytes() >= 0), costed.toString());
    assertEquals(plan.disagreements().size(), plan.lower().disagreements().size());
  }

  @Test
  void programs() throws TilewrightException {
    Program program = planned().lower(new LowerOptions().levels("node=2"));
    List<Program.Collective> collectives = program.collectives();
    assertEquals(1, collectives.size());
    Program.Collective sum = collectives.get(0);
    assertEquals(CollectiveKind.ALL_REDUCE, sum.kind());
    assertEquals(Reduction.SUM, sum.reduction());
    assertEquals(List.of("model"), sum.axes());
    assertEquals(2, sum.bytesByLevel().size());
    assertEquals(program.bytesReceived(), sum.bytesReceived() * sum.times());
    List<Program.Instr> instrs = program.instrs();
    assertEquals(InstrKind.COLLECTIVE, instrs.get(sum.instr()).kind());
    assertEquals(0, instrs.get(sum.instr()).collective());
    assertEquals(3, instrs.stream().filter(instr -> instr.kind() == InstrKind.ARGUMENT).count());
    assertTrue(instrs.stream().anyMatch(instr -> instr.reduceAxes().equals(List.of("model"))));
    int moved = instrs.get(sum.instr()).operands().get(0);
    assertEquals(sum.value(), program.local(moved).origin());
    assertEquals(List.of(new Partial(new AxisPart("model", 1, 2), Reduction.SUM)), program.localSharding(moved).partials());
    assertTrue(moved < program.numLocals());
    assertEquals("[{data}, {}]", program.argumentSharding(0).text());
    assertEquals(new Box(List.of(4L, 0L), List.of(4L, 6L)), program.resultSharding(0).tile(2));
    assertEquals(4, program.mesh().numPositions());
    assertEquals(planned().actions().size(), program.actions().size());
  }

  @Test
  void shardings() throws TilewrightException {
    Mesh mesh = Mesh.parse("data=2,model=4");
    Sharding parsed = Sharding.parse(mesh, "[{data}, {model:(1)2}:ceil]", 16, 10);
    DimSharding second = parsed.dims().get(1);
    assertEquals(Split.CEIL, second.split());
    assertEquals(List.of(new AxisPart("model", 1, 2)), second.axes());
    Sharding made =
        Sharding.of(
            mesh,
            new long[] {16, 10},
            List.of(
                DimSharding.over("data"),
                new DimSharding(List.of(new AxisPart("model", 1, 2)), Split.CEIL, 0, List.of(), 0, 0, Border.ZERO, false, 0)),
            List.of());
    assertEquals(parsed, made);
    assertEquals(parsed.hashCode(), made.hashCode());
    assertNotEquals(parsed, Sharding.parse(mesh, "[{data}, {}]", 16, 10));
    assertEquals(2, made.numTiles(1));
    assertEquals(List.of(8L, 5L), java.util.Arrays.stream(made.localShape()).boxed().toList());
    Sharding partial =
        Sharding.of(mesh, new long[] {4}, List.of(DimSharding.WHOLE), List.of(new Partial(new AxisPart("data"), Reduction.MAX)));
    assertEquals("[{}] +max:data", partial.text());
    assertFalse(partial.isWhole());
    Sharding cuts =
        Sharding.of(
            mesh,
            new long[] {6},
            List.of(new DimSharding(List.of(new AxisPart("data")), Split.CUTS, 0, List.of(0L, 1L, 6L), 0, 0, Border.ZERO, false, 0)),
            List.of());
    assertEquals(new Box(List.of(1L), List.of(5L)), cuts.tile(4));
    assertEquals(List.of(0L, 1L, 6L), cuts.dim(0).cuts());
    assertEquals(AxisKind.DEVICES, mesh.axisKind(0));
    assertEquals("model", parsed.mesh().axisPart(1).axis());
  }

  /** A halo that ends where the array does: made of a record, read back, and found in a program. */
  @Test
  void halosWithoutABorder() throws TilewrightException {
    try (Mesh mesh = Mesh.of("a", 3);
        Builder b = new Builder("keeps")) {
      Sharding ends = around(mesh, Border.NONE);
      assertEquals("[{a}:spans=[0,6,2,10,6,13]]", ends.text()); // around 0..4, 4..8 and 8..13
      assertEquals(new Box(List.of(6L), List.of(7L)), ends.tile(2));
      Sharding zeros = around(mesh, Border.ZERO);
      assertEquals(new Box(List.of(6L), List.of(9L)), zeros.tile(2));
      assertNotEquals(ends, zeros);

      b.result("y", b.keepHalo(b.argument("x", DType.F32, 13), ends));
      Program program = b.finish().plan(mesh).lower();
      int kept = 0;
      for (int i = 0; i < program.numLocals(); ++i) {
        if (program.localSharding(i).dim(0).border() == Border.NONE) {
          assertEquals(ends, program.localSharding(i));
          ++kept;
        }
      }
      assertTrue(kept > 0);
      DimSharding dim = Sharding.parse(mesh, ends.text(), 13).dim(0);
      assertEquals(Split.BALANCED, dim.split());
      assertEquals(List.of(2L, 2L), List.of(dim.haloBefore(), dim.haloAfter()));
      assertEquals(Border.NONE, dim.border());
    }
  }

  @Test
  void pictures() throws TilewrightException {
    PictureOptions text = new PictureOptions().form("text");
    Plan plan = planned();
    assertTrue(textOf(plan.picture(text, "w1")).startsWith("w1  f32["));
    assertTrue(textOf(plan.picture(null)).startsWith("<svg"));
    Sharding sharding = plan.argumentSharding(0);
    assertTrue(textOf(sharding.picture("x", DType.BF16, text)).startsWith("x  bf16"));
    assertTrue(textOf(plan.lower().picture(0, text.bare())).contains("all_reduce over"));
    Redistribution move = Redistribution.plan(Mesh.parse("x=2"), "f32[4] [{x}]", "[{}]");
    assertTrue(textOf(move.picture(null, new PictureOptions().theme("dark"))).contains("data-from"));
    assertThrows(TilewrightException.class, () -> plan.picture(new PictureOptions().form("gif")));
  }

  private static String textOf(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private static Sharding around(Mesh mesh, Border border) throws TilewrightException {
    List<AxisPart> axes = List.of(new AxisPart("a"));
    DimSharding dim = new DimSharding(axes, Split.BALANCED, 0, List.of(), 2, 2, border, false, 0);
    return Sharding.of(mesh, new long[] {13}, List.of(dim), List.of());
  }

  @Test
  void numbersThatAreNone() throws TilewrightException {
    Plan plan = planned();
    Program program = plan.lower();
    Graph graph = plan.graph();
    Executable executable = program.executable();
    Sharding sharding = plan.argumentSharding(0);
    Mesh mesh = plan.mesh();
    for (int number : new int[] {77, -1}) {
      for (org.junit.jupiter.api.function.Executable call :
          List.<org.junit.jupiter.api.function.Executable>of(
              () -> graph.donatedTo(number), () -> graph.argumentValue(number), () -> graph.resultValue(number), () -> executable.donatedTo(number),
              () -> executable.peakBytes(number), () -> program.isExact(number), () -> mesh.deviceId(number), () -> sharding.numTiles(number))) {
        none(number, assertThrows(IndexOutOfBoundsException.class, call));
      }
      for (org.junit.jupiter.api.function.Executable call :
          List.<org.junit.jupiter.api.function.Executable>of(
              () -> plan.argumentSharding(number), () -> plan.resultSharding(number), () -> plan.valueSharding(number),
              () -> program.argumentSharding(number), () -> program.resultSharding(number), () -> program.localSharding(number),
              () -> program.explainCollective(number), () -> program.picture(number, null), () -> graph.op(number), () -> graph.value(number),
              () -> graph.region(number), () -> graph.constant(number), () -> graph.location(number), () -> executable.argumentTile(number, 0))) {
        TilewrightException thrown = assertThrows(TilewrightException.class, call);
        assertEquals(Status.OUT_OF_RANGE, thrown.status());
        none(number, thrown);
      }
    }
    TilewrightException thrown = assertThrows(TilewrightException.class, () -> plan.argumentSharding(-1));
    assertEquals("there is no argument -1: there are 3, numbered 0 to 2", thrown.text());
  }

  private static void none(int number, Throwable thrown) {
    assertTrue(thrown.getMessage().matches("there is no [a-z ]+ " + number + ": there (is|are) .*"), thrown.getMessage());
  }

  @Test
  void valuesAndTexts() throws TilewrightException {
    assertEquals(Mesh.of("a", 2, "b", 3), Mesh.parse("a=2,b=3"));
    assertEquals(Mesh.of("a", 2, "b", 3).hashCode(), Mesh.parse("a=2,b=3").hashCode());
    assertNotEquals(Mesh.of("a", 2, "b", 3), Mesh.of("b", 3, "a", 2));
    assertNotEquals(Mesh.of("a", 2), Mesh.of("a", 2).withDevices(1, 0));
    assertEquals("Builder(mlp)", new Builder("mlp").toString());
    EstimateOptions options = new EstimateOptions().capBytes(7).donate();
    assertEquals("EstimateOptions(cap_bytes=7, donate=1)", options.toString());
    String told = planned().lower().estimate(Machine.load("a100-40g"), options).toString();
    assertTrue(told.matches("Estimate\\([0-9.e-]+ ms, [0-9]+ bytes: does not fit\\)"), told);
  }

  @Test
  void meshOfTheImport() throws TilewrightException {
    String text = "func.func @main(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {\n return %x : tensor<4x4xf32>\n}";
    Graph graph = Graph.read(text, new ImportOptions().mesh("rows=2"));
    assertEquals(Mesh.of("rows", 2), graph.plan(null).mesh());
    assertEquals(Mesh.of("a", 4), graph.plan(Mesh.of("a", 4)).mesh());
    assertEquals(1, Graph.read(text, null).plan(null).mesh().numDevices());
  }

  @Test
  void reportsHaveNamesOfJava() throws TilewrightException {
    try (Builder b = new Builder("many")) {
      for (int i = 0; i < 20; ++i) {
        b.result("y" + i, b.unary("tanh", b.argument("x" + i, DType.F32, 8 + i)));
      }
      String report = b.finish().plan(null).lower().report(0);
      assertTrue(report.contains("44 B (reportAll)") && !report.contains("--all") && !report.contains("--mesh"), report);
    }
  }
}
