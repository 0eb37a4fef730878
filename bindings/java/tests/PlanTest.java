// SPDX-License-Identifier: Apache-2.0
package org.tilewright.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.tilewright.tests.Support.inputs;
import static org.tilewright.tests.Support.mlp;
import static org.tilewright.tests.Support.planned;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.tilewright.Box;
import org.tilewright.Comparison;
import org.tilewright.Context;
import org.tilewright.DType;
import org.tilewright.Executable;
import org.tilewright.ExecutableOptions;
import org.tilewright.Graph;
import org.tilewright.ImportOptions;
import org.tilewright.LowerOptions;
import org.tilewright.Mesh;
import org.tilewright.Plan;
import org.tilewright.PlanOptions;
import org.tilewright.Program;
import org.tilewright.Run;
import org.tilewright.Tensor;
import org.tilewright.Tilewright;
import org.tilewright.TilewrightException;

/** Graphs, plans, programs and executables: the whole way, and what each says of itself. */
final class PlanTest {
  private static final Path MODEL = Support.ROOT.resolve("examples/models/mlp_step.mlir");

  @Test
  void meshes() throws TilewrightException {
    Map<String, Integer> axes = new LinkedHashMap<>();
    axes.put("data", 2);
    axes.put("model", 3);
    Mesh mesh = Mesh.of(axes);
    assertEquals("Mesh(data=2,model=3)", mesh.toString());
    assertEquals(mesh.axes(), Mesh.of("data", 2, "model", 3).axes());
    assertEquals("Mesh(data=2,model=3)", Mesh.of(Map.entry("data", 2), Map.entry("model", 3)).toString());
    assertEquals("Mesh(z=2,y=3,x=4)", Mesh.of("z", 2, "y", 3, "x", 4).toString());
    assertEquals("Mesh(b=2)", Mesh.of(Map.of("b", 2)).toString());
    for (Map<String, Integer> unordered : List.of(Map.of("b", 2, "a", 3), new HashMap<>(axes))) {
      assertTrue(assertThrows(IllegalArgumentException.class, () -> Mesh.of(unordered)).getMessage().contains("order"));
    }
    assertEquals(6, mesh.numDevices());
    assertEquals(7, mesh.withDevices(5, 7, 6, 0, 1, 2).deviceId(1));
    assertEquals(new Box(List.of(0L, 3L), List.of(4L, 3L)), mesh.box("[{}, {data}]", 4, 4, 6));
    assertEquals(0, Mesh.parse("").axes().size());
  }

  @Test
  void graphsThatAreRead() throws Exception {
    Graph graph = Graph.load(MODEL);
    assertTrue(graph.arguments().stream().anyMatch(argument -> argument.name().equals("params['up']")));
    ImportOptions options = new ImportOptions().file("a.mlir").names(List.of("down", "", "batch"));
    Graph renamed = Graph.read(java.nio.file.Files.readString(MODEL), options);
    assertEquals(
        List.of("down", "params['up']", "batch"), renamed.arguments().stream().limit(3).map(Graph.Argument::name).toList());
    assertTrue(graph.info(false).startsWith("{"));
    assertTrue(graph.mesh().isEmpty());
  }

  @Test
  void fluentPlans() throws TilewrightException {
    Plan plan = planned();
    assertEquals(Map.of("x", "[{data}, {}]", "w1", "[{}, {model}]", "w2", "[{model}, {}]"), plan.shardings());
    assertEquals(0, plan.numConflicts());
    assertTrue(plan.explain("w2", "model").contains("w1"));
    for (Tilewright.Form form : Tilewright.forms()) {
      String text = form.ofPlan() ? plan.emit(form.name()) : plan.lower().emit(form.name());
      assertFalse(text.isEmpty(), form.name());
      byte[] bytes = form.ofPlan() ? plan.emitBytes(form.name()) : plan.lower().emitBytes(form.name());
      assertEquals(form.binary(), bytes[0] == 'M' && bytes[1] == 'L', form.name());
    }
    assertEquals("loops-extents", Tilewright.form("loops-002").name());
    assertTrue(plan.emitNaive("spmd-naive", "distribute").contains("func"));
    assertEquals("[{}, {data}]", mlp().plan(Mesh.parse("data=2"), new PlanOptions().policy("shardy")).tile("x", 1, "data").sharding("x"));
  }

  @Test
  void copiesAndUndo() throws TilewrightException {
    Plan plan = planned();
    Plan copy = plan.copy().tile("x", 1, "model");
    assertEquals("[{data}, {}]", plan.sharding("x"));
    plan.close();
    assertEquals("[{data}, {model}]", copy.sharding("x"));
    Plan undone = mlp().plan(Mesh.parse("data=2"));
    long before = undone.stamp();
    undone.apply("tile(arg=x, dim=0, axis=data); propagate");
    assertEquals("[{data}, {}]", undone.sharding("y"));
    assertEquals("[{}, {}]", undone.undo(before).sharding("y"));
  }

  @Test
  void partitionedEqualsUnpartitioned() throws TilewrightException {
    Graph graph = mlp();
    Program program = planned(graph).lower();
    Tensor[] inputs = inputs(graph);
    List<Tensor> parted = program.executable().run(inputs);
    List<Tensor> whole = graph.unpartitioned().executable().run(inputs);
    Program.Comparisons compared = program.compare(parted, whole, Arrays.asList(inputs));
    assertTrue(compared.passes(), compared.toString());
    assertEquals("", compared.note());
    assertTrue(parted.get(0).compare(graph.evaluate(inputs).get(0), false).passes());
    Comparison wrong = parted.get(0).compare(Tensor.zeros(DType.F32, 8, 6), true);
    assertFalse(wrong.passes());
    assertTrue(wrong.maxAbs() > 0);
  }

  @Test
  void programs() throws TilewrightException {
    Program program = planned().lower(new LowerOptions().without("fuse_moves").bucketBytes(1 << 20));
    assertEquals(4, program.numDevices());
    assertEquals(1, program.count("all_reduce"));
    assertEquals("TW-792", assertThrows(TilewrightException.class, () -> program.count("all-reduce")).id());
    assertTrue(program.bytesReceived() > 0 && program.peakBytes() > 0);
    assertFalse(program.isExact(0));
    assertEquals(0, program.numFailedExpectations());
    assertTrue(program.explainCollective(0).contains("all_reduce"));
    assertTrue(program.report(100).contains("all_reduce") && program.info().startsWith("{"));
    assertEquals("Program(4 devices, 1 collectives)", program.toString());
  }

  @Test
  void executables() throws TilewrightException {
    Executable executable = planned().lower().executable(new ExecutableOptions().workers(2).profile().trace());
    Tensor[] inputs = inputs(mlp());
    Tensor output = Tensor.zeros(DType.F32, 8, 6);
    executable.run(Arrays.asList(inputs), List.of(output));
    try (Run run = executable.start(inputs)) {
      assertTrue(run.await().get(0).compare(output, true).bitEqual());
      assertTrue(run.isOver());
      run.cancel(); // changes nothing
    }
    assertEquals(2, executable.counters().runs());
    assertEquals("Executable(4 devices, 2 workers)", executable.toString());
    assertTrue(executable.profile().contains("steps") && executable.trace().contains("traceEvents"));
    assertTrue(executable.flight().contains("devices") && executable.onHost().contains("\"steps\":0"));
    assertTrue(executable.arenaBytes() > 0 && executable.peakBytes(0) > 0);
    assertEquals(OptionalLong.empty(), executable.donatedTo(0));
  }

  @Test
  void tiles() throws TilewrightException {
    Executable executable = planned().lower().executable(new ExecutableOptions().tiles().context(new Context(1)));
    assertEquals(new Box(List.of(4L, 0L), List.of(4L, 6L)), executable.argumentTile(0, 3));
    Tensor[] inputs = new Tensor[12];
    for (int i = 0; i < inputs.length; ++i) {
      inputs[i] = Tensor.filled(DType.F32, "ones", 0, executable.argumentTile(i / 4, i % 4).shape());
    }
    Tensor[] outputs = new Tensor[4];
    for (int device = 0; device < 4; ++device) {
      outputs[device] = Tensor.zeros(DType.F32, executable.resultTile(0, device).shape());
    }
    executable.run(Arrays.asList(inputs), Arrays.asList(outputs));
    float expected = (float) (12 * Math.tanh(6));
    for (Tensor output : outputs) {
      assertEquals(expected, output.toFloats()[23], 1e-4f);
    }
    assertThrows(IllegalStateException.class, () -> executable.run(inputs));
  }

  @Test
  void theLibrary() throws TilewrightException {
    assertTrue(Tilewright.opNames().contains("stablehlo.add"));
    assertTrue(Tilewright.ops("stablehlo.add").contains("stablehlo.add"));
    assertTrue(Tilewright.diagnostics().containsKey("TW-402"));
    assertTrue(Tilewright.buildInfo().contains("cores"));
    assertTrue(Tilewright.apiVersion() >= 200);
    assertNotEquals("", Tilewright.version());
  }
}
