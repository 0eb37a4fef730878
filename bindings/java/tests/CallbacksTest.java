// SPDX-License-Identifier: Apache-2.0
package org.tilewright.tests;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.tilewright.tests.Support.mlp;
import static org.tilewright.tests.Support.planned;

import java.nio.FloatBuffer;
import java.nio.ReadOnlyBufferException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.ResourceBundle;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.DoublePredicate;
import org.junit.jupiter.api.Test;
import org.tilewright.CompareOptions;
import org.tilewright.Context;
import org.tilewright.CustomCalls;
import org.tilewright.CustomCalls.Call;
import org.tilewright.DType;
import org.tilewright.Executable;
import org.tilewright.ExecutableOptions;
import org.tilewright.Graph;
import org.tilewright.ImportOptions;
import org.tilewright.Mesh;
import org.tilewright.Plan;
import org.tilewright.Program;
import org.tilewright.Status;
import org.tilewright.Tensor;
import org.tilewright.Tilewright;
import org.tilewright.TilewrightException;

/**
 * Java that the library calls: kernels, rules, checks, actions and progress, in threads of both, and what
 * they throw.
 */
final class CallbacksTest {
  private static final String TEXT =
      """
      func.func @main(%x: tensor<10x6xf32>, %scale: tensor<6xf32>) -> tensor<10x6xf32> {
        %y = stablehlo.custom_call @my.scale(%x, %scale) {power = 2.0e+00 : f64} : (tensor<10x6xf32>, tensor<6xf32>) -> tensor<10x6xf32>
        return %y : tensor<10x6xf32>
      }
      """;
  private static final String RULE = "... *, * -> ... *";

  private static void scale(Call call) {
    FloatBuffer x = call.operands().get(0).floats();
    FloatBuffer by = call.operands().get(1).floats();
    FloatBuffer y = call.results().get(0).floats();
    double power = (Double) call.attributes().get("power");
    for (int i = 0; i < x.limit(); ++i) {
      y.put(i, (float) (x.get(i) * by.get(i % by.limit()) * power));
    }
  }

  private static Executable executable(CustomCalls calls, int workers) throws TilewrightException {
    Graph graph = Graph.read(TEXT, new ImportOptions().file("scale.mlir").customCalls(calls));
    Plan plan = graph.plan(Mesh.of("data", 3)).tile("x", 0, "data").inferPropagate();
    return plan.lower().executable(new ExecutableOptions().workers(workers));
  }

  private static float[] run(CustomCalls calls) throws TilewrightException {
    Executable executable = executable(calls, 1);
    return executable
        .run(Tensor.filled(DType.F32, "ones", 0, 10, 6), Tensor.filled(DType.F32, "iota", 0, 6))
        .get(0)
        .toFloats();
  }

  private static void expectScaled(float[] values) {
    for (int i = 0; i < 60; ++i) {
      assertEquals(i % 6 * 2, values[i]);
    }
  }

  @Test
  void kernels() throws TilewrightException {
    List<String> tiles = new ArrayList<>();
    expectScaled(run(new CustomCalls().add("my.scale", RULE, CallbacksTest::scale, null)));
    expectScaled(run(new CustomCalls().add("my.scale", call -> RULE, call -> {
      tiles.add(call.target() + call.operands().get(0).box().offset() + call.operands().get(0).whole());
      scale(call);
    }, call -> assertFalse(call.operands().get(0).hasMemory()))));
    tiles.sort(null);
    assertEquals(List.of("my.scale[0, 0][10, 6]", "my.scale[3, 0][10, 6]", "my.scale[6, 0][10, 6]"), tiles);
  }

  /** What a kernel keeps shows what it saw, when the executable is gone and its memory is somebody else's. */
  @Test
  void kernelsThatKeepWhatTheySaw() throws Exception {
    List<Call> calls = new ArrayList<>();
    List<FloatBuffer> buffers = new ArrayList<>();
    CustomCalls keeping = new CustomCalls().add("my.scale", RULE, call -> {
      scale(call);
      calls.add(call);
      buffers.add(call.operands().get(1).floats().slice(1, 5));
      buffers.add(call.results().get(0).floats().duplicate());
    }, null);
    try (Executable executable = executable(keeping, 1)) {
      Tensor scale = Tensor.filled(DType.F32, "iota", 0, 6);
      expectScaled(executable.run(Tensor.filled(DType.F32, "ones", 0, 10, 6), scale).get(0).toFloats());
    }
    for (int i = 0; i < 10; ++i) {
      System.gc();
      expectScaled(run(new CustomCalls().add("my.scale", RULE, CallbacksTest::scale, null)));
    }
    for (int i = 0; i < buffers.size(); i += 2) {
      FloatBuffer scale = buffers.get(i);
      FloatBuffer result = buffers.get(i + 1);
      assertEquals(5, scale.get(4));
      assertEquals(10, result.get(result.limit() - 1));
      result.put(0, 7); // goes nowhere
    }
    for (Call call : calls) {
      assertThrows(IllegalStateException.class, () -> call.operands().get(0).memory());
      assertThrows(IllegalStateException.class, () -> call.results().get(0).floats());
    }
  }

  @Test
  void memoryOfTiles() throws TilewrightException {
    float[] written = run(new CustomCalls().add("my.scale", RULE, call -> {
      call.results().get(0).memory().putFloat(1).putFloat(2).flip(); // what a limit leaves out is copied too
      assertSame(call.results().get(0).memory(), call.results().get(0).memory());
    }, null));
    assertArrayEquals(new float[] {1, 2, 0, 0, 0, 0}, Arrays.copyOf(written, 6)); // results begin as zeros
    CustomCalls.Check looks = call -> call.operands().get(0).memory();
    TilewrightException refused =
        assertThrows(TilewrightException.class, () -> run(new CustomCalls().add("my.scale", RULE, CallbacksTest::scale, looks)));
    assertInstanceOf(IllegalStateException.class, refused.getCause());
  }

  @Test
  void threadsOfTheLibrary() throws Exception {
    Set<Thread> threads = ConcurrentHashMap.newKeySet();
    CountDownLatch together = new CountDownLatch(2);
    CustomCalls calls = new CustomCalls().add("my.scale", RULE, call -> {
      threads.add(Thread.currentThread());
      together.countDown();
      together.await(20, TimeUnit.SECONDS); // until another thread is in a kernel too
      scale(call);
    }, null);
    try (Executable executable = executable(calls, 2)) {
      Tensor ones = Tensor.filled(DType.F32, "ones", 0, 10, 6);
      expectScaled(executable.run(ones, Tensor.filled(DType.F32, "iota", 0, 6)).get(0).toFloats());
      assertEquals(2, threads.size());
      assertTrue(threads.stream().anyMatch(thread -> thread.isDaemon() && thread.getName().startsWith("tilewright")));
    }
    Thread.sleep(50);
    for (Thread thread : threads) { // those of the library have ended, and are detached
      if (thread != Thread.currentThread()) {
        thread.join(10_000);
        assertTrue(!thread.isAlive());
      }
    }
  }

  @Test
  void exceptions() {
    IllegalStateException mine = new IllegalStateException("the table has 7 rows");
    CustomCalls.Kernel fails = call -> {
      throw mine;
    };
    List<org.junit.jupiter.api.function.ThrowingSupplier<CustomCalls>> ways =
        List.of(
            () -> new CustomCalls().add("my.scale", RULE, fails, null),
            () -> new CustomCalls().add("my.scale", RULE, CallbacksTest::scale, fails::run),
            () -> new CustomCalls().add("my.scale", call -> {
              throw mine;
            }, CallbacksTest::scale, null));
    for (var way : ways) {
      TilewrightException thrown = assertThrows(TilewrightException.class, () -> run(way.get()));
      assertSame(mine, thrown.getCause());
      assertTrue(thrown.getMessage().contains("the table has 7 rows"), thrown.getMessage());
      assertEquals(Status.INVALID_ARGUMENT, thrown.status());
    }
  }

  @Test
  void otherExceptions() {
    TilewrightException noRule =
        assertThrows(TilewrightException.class, () -> run(new CustomCalls().add("my.scale", call -> null, CallbacksTest::scale, null)));
    assertInstanceOf(NullPointerException.class, noRule.getCause());
    TilewrightException written =
        assertThrows(
            TilewrightException.class,
            () -> run(new CustomCalls().add("my.scale", RULE, call -> call.operands().get(0).floats().put(0, 1), null)));
    assertInstanceOf(ReadOnlyBufferException.class, written.getCause());
    TilewrightException interrupted =
        assertThrows(TilewrightException.class, () -> run(new CustomCalls().add("my.scale", RULE, call -> {
          throw new InterruptedException();
        }, null)));
    assertEquals(Status.CANCELLED, interrupted.status());
    StackOverflowError error = new StackOverflowError();
    assertSame(error, assertThrows(StackOverflowError.class, () -> run(new CustomCalls().add("my.scale", RULE, call -> {
      throw error;
    }, null))));
  }

  @Test
  void exceptionsInThreadsOfTheLibrary() throws TilewrightException {
    Thread caller = Thread.currentThread();
    CountDownLatch began = new CountDownLatch(2);
    CustomCalls calls = new CustomCalls().add("my.scale", RULE, call -> {
      began.countDown();
      began.await(20, TimeUnit.SECONDS);
      if (Thread.currentThread() != caller) {
        throw new UnsupportedOperationException("not here");
      }
      scale(call);
    }, null);
    Executable executable = executable(calls, 2);
    Tensor ones = Tensor.filled(DType.F32, "ones", 0, 10, 6);
    Tensor scale = Tensor.filled(DType.F32, "iota", 0, 6);
    Tensor out = Tensor.filled(DType.F32, "iota", 0, 10, 6);
    float[] before = out.toFloats();
    TilewrightException thrown =
        assertThrows(TilewrightException.class, () -> executable.run(List.of(ones, scale), List.of(out)));
    assertInstanceOf(UnsupportedOperationException.class, thrown.getCause());
    assertArrayEquals(before, out.toFloats()); // outputs keep their bytes
  }

  @Test
  void callsThatAreKept() throws TilewrightException {
    List<Call> kept = new ArrayList<>();
    run(new CustomCalls().add("my.scale", RULE, kept::add, call -> assertThrows(IllegalStateException.class, call.operands().get(0)::memory)));
    for (Call call : kept) {
      assertThrows(IllegalStateException.class, call.operands().get(0)::memory);
      assertThrows(IllegalStateException.class, call.results().get(0)::floats);
      assertEquals(List.of(10L, 6L), call.operands().get(0).whole());
    }
    assertEquals(3, kept.size());
  }

  @Test
  void targetsThatAreThere() throws TilewrightException {
    CustomCalls calls = new CustomCalls().add("b", "i -> i", null, null);
    assertThrows(TilewrightException.class, () -> calls.add("b", "i -> i", null, null));
    assertThrows(TilewrightException.class, () -> calls.add("c", "no arrow", CallbacksTest::scale, null));
    Graph planOnly = Graph.read(TEXT, new ImportOptions().customCalls(new CustomCalls().add("my.scale", RULE, null, null)));
    Program program = planOnly.plan(Mesh.of("data", 2)).tile("x", 0, "data").inferPropagate().lower();
    assertEquals(Status.UNIMPLEMENTED, assertThrows(TilewrightException.class, program::executable).status());
  }

  @Test
  void actions() throws TilewrightException {
    List<String> told = new ArrayList<>();
    Plan plan = mlp().plan(Mesh.of("data", 2));
    plan.onAction((action, file, line) -> {
      try {
        told.add(file + ":" + line + " " + plan.sharding("x"));
      } catch (TilewrightException error) {
        throw new AssertionError(error);
      }
    });
    System.gc(); // the plan keeps the listener
    plan.apply("tile(arg=x, dim=0, axis=data)\npropagate\n", "spec.txt");
    assertEquals(List.of("spec.txt:1 [{data}, {}]", "spec.txt:2 [{data}, {}]"), told);
    plan.onAction(null).apply("propagate");
    assertEquals(2, told.size());
  }

  @Test
  void actionsThatThrow() throws TilewrightException {
    ArithmeticException mine = new ArithmeticException();
    Plan plan = mlp().plan(Mesh.of("data", 2)).onAction((action, file, line) -> {
      throw mine;
    });
    assertSame(mine, assertThrows(ArithmeticException.class, () -> plan.apply("propagate; propagate")));
    assertEquals(0, plan.onAction(null).apply("propagate").numConflicts());
    plan.onAction((action, file, line) -> plan.stamp());
    plan.apply("propagate");
    plan.onAction((action, file, line) -> {
      try {
        plan.tile("x", 0, "data");
      } catch (TilewrightException error) {
        throw new AssertionError(error);
      }
    });
    assertTrue(assertThrows(IllegalStateException.class, () -> plan.apply("propagate")).getMessage().contains("in use"));
    plan.onAction((action, file, line) -> plan.close());
    assertTrue(assertThrows(IllegalStateException.class, () -> plan.apply("propagate")).getMessage().contains("in use"));
  }

  @Test
  void watchedCalls() throws Exception {
    String model = Files.readString(Support.ROOT.resolve("examples/models/gpt_step.mlir"));
    Graph graph = Graph.read(model, null);
    Mesh mesh = Mesh.parse("data=4");
    List<Double> asked = new ArrayList<>();
    String done =
        Tilewright.watch(
            seconds -> !asked.add(seconds),
            1e-6,
            () -> graph.plan(mesh).tile("tokens", 0, "data").inferPropagate().sharding("tokens"));
    assertTrue(done.startsWith("[{data}") && !asked.isEmpty(), done + asked);
    Plan plan = graph.plan(mesh).tile("tokens", 0, "data");
    TilewrightException given =
        assertThrows(TilewrightException.class, () -> Tilewright.watch(seconds -> true, 1e-6, plan::inferPropagate));
    assertEquals(Status.CANCELLED, given.status());
    Program program = plan.lower();
    given =
        assertThrows(TilewrightException.class, () -> Tilewright.watch(seconds -> true, 1e-6, program::executable));
    assertEquals(Status.CANCELLED, given.status());
    ArithmeticException mine = new ArithmeticException();
    DoublePredicate throwing = seconds -> {
      throw mine;
    };
    assertSame(mine, assertThrows(ArithmeticException.class, () -> Tilewright.watch(throwing, 1e-6, plan::inferPropagate)));
    java.io.IOException of = new java.io.IOException();
    assertSame(of, assertThrows(java.io.IOException.class, () -> Tilewright.watch(seconds -> false, 0, () -> {
      throw of;
    })));
    assertTrue(plan.inferPropagate().lower().numCollectives() > 0); // nothing is left of what was given up
  }

  /** Keeps what it is told. */
  private static final class Lines implements System.Logger {
    private final List<String> told = Collections.synchronizedList(new ArrayList<>());

    @Override
    public String getName() {
      return "lines";
    }

    @Override
    public boolean isLoggable(Level level) {
      return true;
    }

    @Override
    public void log(Level level, ResourceBundle bundle, String text, Throwable thrown) {
      told.add(level + " " + text);
      throw new IllegalStateException("nobody hears this");
    }

    @Override
    public void log(Level level, ResourceBundle bundle, String format, Object... parameters) {
      log(level, bundle, format, (Throwable) null);
    }
  }

  @Test
  void logs() throws TilewrightException {
    Lines lines = new Lines();
    try (Context context = new Context(1, lines)) {
      planned().lower().executable(new ExecutableOptions().context(context)).run(Support.inputs(mlp()));
    }
    assertTrue(lines.told.get(0).startsWith("INFO runtime: "), lines.told.toString());
    assertThrows(TilewrightException.class, () -> new Context(-1, lines));
  }

  @Test
  void progress() throws TilewrightException {
    Graph graph = mlp(256, 256, 512);
    Program program = planned(graph).lower();
    Tensor[] inputs = Support.inputs(graph);
    List<Tensor> outputs = program.executable().run(inputs);
    List<Tensor> wrong = List.of(Tensor.zeros(DType.F32, 256, 256));
    ArithmeticException mine = new ArithmeticException();
    CompareOptions throwing = new CompareOptions().progress(seconds -> {
      throw mine;
    });
    assertSame(
        mine, assertThrows(ArithmeticException.class, () -> program.compare(outputs, wrong, Arrays.asList(inputs), throwing)));
    List<Double> asked = new ArrayList<>();
    CompareOptions stopping = new CompareOptions().otherRun().seconds(60).progress(asked::add);
    Program.Comparisons compared = program.compare(outputs, wrong, Arrays.asList(inputs), stopping);
    assertEquals(1, asked.size());
    // Given up, and the note says so; unless the evaluation was over and found the outputs right.
    assertEquals(compared.passes(), compared.note().isEmpty(), compared.toString());
  }
}
