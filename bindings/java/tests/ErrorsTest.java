// SPDX-License-Identifier: Apache-2.0
package org.tilewright.tests;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.tilewright.tests.Support.direct;
import static org.tilewright.tests.Support.inputs;
import static org.tilewright.tests.Support.mlp;
import static org.tilewright.tests.Support.planned;

import java.lang.reflect.Array;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.tilewright.ArrayType;
import org.tilewright.Builder;
import org.tilewright.CustomCalls;
import org.tilewright.DType;
import org.tilewright.DimSharding;
import org.tilewright.ExecutableOptions;
import org.tilewright.Graph;
import org.tilewright.ImportOptions;
import org.tilewright.LowerOptions;
import org.tilewright.Machine;
import org.tilewright.Mesh;
import org.tilewright.OpSpec;
import org.tilewright.PlanOptions;
import org.tilewright.Program;
import org.tilewright.Redistribution;
import org.tilewright.Redistributor;
import org.tilewright.Search;
import org.tilewright.SearchOptions;
import org.tilewright.Sharding;
import org.tilewright.Status;
import org.tilewright.Tensor;
import org.tilewright.Tilewright;
import org.tilewright.TilewrightException;
import org.tilewright.TilewrightObject;

/** Misuse is a clean exception: objects that are closed, wrong types, shapes, names and values. */
final class ErrorsTest {
  private static int count;

  private static <T extends TilewrightObject> T closed(T object) {
    object.close();
    object.close(); // again is fine
    assertTrue(object.isClosed());
    assertEquals(object.getClass().getSimpleName() + "(closed)", object.toString());
    return object;
  }

  private static org.tilewright.Executable executable() throws TilewrightException {
    return planned().lower().executable(new ExecutableOptions().workers(1));
  }

  /** Each call fails with that status. */
  private static void fail(Status status, Executable... calls) {
    for (int i = 0; i < calls.length; ++i) {
      String which = status + ", call " + i;
      TilewrightException thrown = assertThrows(TilewrightException.class, calls[i], which);
      assertEquals(status, thrown.status(), which + ": " + thrown);
      count += 1;
    }
  }

  /** Each call throws that exception, with a text that says why. */
  private static void misuse(Class<? extends Exception> type, String why, Executable... calls) {
    for (int i = 0; i < calls.length; ++i) {
      Exception thrown = assertThrows(type, calls[i], why + ", call " + i);
      assertTrue(thrown.getMessage().contains(why), thrown.toString());
      count += 1;
    }
  }

  /** A builder with an argument, given to a use of both that ends with finish. */
  private interface Build {
    void with(Builder b, Builder.Value x) throws TilewrightException;
  }

  private static Executable build(Build use) {
    return () -> {
      try (Builder b = new Builder("main")) {
        use.with(b, b.argument("x", DType.F32, 2, 3));
        b.finish();
      }
    };
  }

  @Test
  void sixtyCalls() throws TilewrightException {
    afterClose();
    wrongArguments();
    wrongNamesAndNumbers();
    wrongBuffers();
    wrongBuilders();
    assertTrue(count >= 60, "only " + count);
  }

  private static void afterClose() throws TilewrightException {
    Graph graph = mlp();
    misuse(
        IllegalStateException.class,
        "is closed",
        () -> closed(Mesh.of("a", 2)).axes(),
        () -> closed(Mesh.of("a", 2)).numDevices(),
        () -> graph.plan(closed(Mesh.of("a", 2))),
        () -> closed(mlp()).name(),
        () -> closed(mlp()).op(0),
        () -> closed(mlp()).constant(0),
        () -> closed(planned()).tile("x", 0, "data"),
        () -> closed(planned()).lower(),
        () -> closed(planned()).sharding("x"),
        () -> closed(planned()).onAction(null),
        () -> closed(planned().lower()).numCollectives(),
        () -> closed(planned().lower()).report(0),
        () -> closed(planned().lower()).compare(List.of(), List.of(), List.of()),
        () -> closed(executable()).run(inputs(graph)),
        () -> closed(executable()).counters(),
        () -> closed(Tensor.zeros(DType.F32, 2)).shape(),
        () -> closed(Tensor.zeros(DType.F32, 2)).buffer(),
        () -> closed(Tensor.zeros(DType.F32, 2)).address(),
        () -> executable().run(closed(Tensor.zeros(DType.F32, 8, 6)), inputs(graph)[1], inputs(graph)[2]),
        () -> closed(Redistribution.plan(Mesh.of("x", 2), "f32[4] [{x}]", "[{}]")).method(),
        () -> closed(new Redistributor(List.of(rows()), new Redistributor.RunOptions())).scratchBytes(),
        () -> closed(new Builder("main")).finish(),
        () -> closed(new CustomCalls()).add("a", "i -> i", null, null),
        () -> closed(executable().start(inputs(graph))).await(),
        () -> closed(planned().argumentSharding(0)).isWhole());
  }

  private static Redistribution rows() throws TilewrightException {
    return Redistribution.plan(Mesh.of("x", 2), "f32[4] [{x}]", "[{}]");
  }

  private static void wrongArguments() throws TilewrightException {
    Graph graph = mlp();
    Tensor[] good = inputs(graph);
    fail(
        Status.INVALID_ARGUMENT,
        () -> Mesh.parse("a=0"),
        () -> Mesh.parse("a b"),
        () -> Mesh.of("a", -1),
        () -> Tensor.zeros(DType.F32, -2),
        () -> Graph.read("no program", null),
        () -> Graph.read(new byte[] {-1, -2, 0}, null),
        () -> executable().run(Tensor.zeros(DType.F64, 8, 6), good[1], good[2]),
        () -> executable().run(good[0], good[1]),
        () -> executable().run(Arrays.asList(good), List.of(Tensor.zeros(DType.F32, 1))),
        () -> executable().run(Arrays.asList(good), List.of()),
        () -> executable().run(Tensor.zeros(DType.F32, 6, 8), good[1], good[2]),
        () -> graph.evaluate(),
        () -> good[0].fill("pattern", 0, 0),
        () -> good[0].compare(good[1], false),
        () -> graph.plan(Mesh.of("data", 2), new PlanOptions().policy("mine")),
        () -> Redistribution.plan(Mesh.of("x", 2), "f32[4] [{x}]", "f32[5] [{}]"),
        () -> Redistribution.plan(Mesh.of("x", 2), "nonsense", "[{}]"),
        () -> Redistribution.load(new byte[] {1, 2, 3}),
        () -> Sharding.parse(Mesh.of("x", 2), "[{x}", 4),
        () -> new CustomCalls().add("", "i -> i", null, null),
        () -> DType.TOKEN.encode(1));
    fail(Status.FAILED_PRECONDITION, () -> executable().trace(), () -> executable().profile());
    misuse(
        IllegalArgumentException.class,
        "NUL",
        () -> planned().tile("x\0y", 0, "data"),
        () -> Graph.read("", new ImportOptions().file("a\0b")));
  }

  private static void wrongNamesAndNumbers() throws TilewrightException {
    Graph graph = mlp();
    Program program = planned().lower();
    fail(
        Status.NOT_FOUND,
        () -> planned().tile("nobody", 0, "data"),
        () -> planned().tile("x", 0, "nobody"),
        () -> planned().sharding("nobody"),
        () -> planned().lower(new LowerOptions().without("nothing")),
        () -> Tilewright.ops("nothing"),
        () -> graph.value("ünbekannt"));
    fail(
        Status.OUT_OF_RANGE,
        () -> planned().tile("x", 9, "data"),
        () -> planned().argumentSharding(3),
        () -> graph.op(1_000_000),
        () -> graph.op(-1),
        () -> graph.value(1_000_000),
        () -> graph.region(9),
        () -> program.explainCollective(99),
        () -> program.local(-5),
        () -> Mesh.parse("a=999999999"));
    misuse(IndexOutOfBoundsException.class, "no axis", () -> Mesh.of("a", 2).axisKind(7));
    misuse(NullPointerException.class, "null", () -> executable().run(inputs(graph)[0], null, null));
    misuse(IllegalArgumentException.class, "form", () -> Tilewright.form("nothing"));
  }

  private static void wrongBuffers() {
    ByteBuffer shifted = ByteBuffer.allocateDirect(17).order(ByteOrder.nativeOrder());
    shifted.position(1);
    ByteBuffer bigEndian = ByteBuffer.allocateDirect(8);
    ByteBuffer readOnly = direct(0, 0, 0, 0).asReadOnlyBuffer().order(ByteOrder.nativeOrder());
    misuse(
        IllegalArgumentException.class,
        "on the heap",
        () -> Tensor.of(ByteBuffer.allocate(16), DType.F32, 4),
        () -> new Redistributor(List.of(rows()), new Redistributor.RunOptions())
            .run(List.of(ByteBuffer.allocate(8), ByteBuffer.allocate(8)), List.of(direct(0, 0, 0, 0), direct(0, 0, 0, 0))));
    misuse(
        IllegalArgumentException.class,
        "length",
        () -> Tensor.of(ByteBuffer.allocateDirect(16), DType.F32, 5),
        () -> Tensor.of(ByteBuffer.allocateDirect(16), DType.F64, 4),
        () -> Tensor.of(new float[3], 2, 2),
        () -> DType.F32.decode((byte) 0),
        () -> new Redistributor(List.of(rows()), new Redistributor.RunOptions()).run(List.of(), List.of()));
    misuse(IllegalArgumentException.class, "not aligned", () -> Tensor.of(shifted, DType.F64, 2));
    misuse(IllegalArgumentException.class, "size -2", () -> Tensor.of(ByteBuffer.allocateDirect(16), DType.F32, -2, -2));
    misuse(IllegalArgumentException.class, "dimensions", () -> Tensor.zeros(DType.F32, 2).fillPart(new long[2], new long[1], "ones", 0, 0));
    misuse(
        IllegalArgumentException.class,
        "read-only",
        () -> new Redistributor(List.of(rows()), new Redistributor.RunOptions())
            .run(List.of(direct(0, 1), direct(2, 3)), List.of(readOnly, direct(0, 0, 0, 0))));
    misuse(
        IllegalArgumentException.class,
        "the buffer is BIG_ENDIAN",
        () -> Tensor.of(bigEndian, DType.F32, 2),
        () -> Tensor.of(direct(1, 2).slice(), DType.F32, 2),
        () -> Tensor.of(bigEndian.asReadOnlyBuffer(), DType.S16, 4),
        () -> new Redistributor(List.of(rows()), new Redistributor.RunOptions())
            .run(List.of(bigEndian, direct(2, 3)), List.of(direct(0, 0, 0, 0), direct(0, 0, 0, 0))));
    assertDoesNotThrow(() -> Tensor.of(bigEndian, DType.S8, 8));
    misuse(IndexOutOfBoundsException.class, "bytes from", () -> Tensor.zeros(DType.F32, 2).buffer(4, 5));
    misuse(IllegalStateException.class, "not f32", () -> Tensor.zeros(DType.F64, 2).floats());
  }

  private static void wrongBuilders() {
    fail(
        Status.INVALID_ARGUMENT,
        build((b, x) -> b.result("y", b.einsum("ij,jk->ik", x, x))),
        build((b, x) -> b.result("y", b.reshape(x, 7))),
        build((b, x) -> b.result("y", b.add("add", List.of(x), Map.of()))),
        build((b, x) -> b.result("y", b.add("add", List.of(x, x), Map.of("nothing", 1)))),
        build((b, x) -> b.result("y", b.op(new OpSpec("add").operands(x)).get(0))),
        build((b, x) -> b.result("y", b.transpose(x, 0, 0))));
    fail(Status.FAILED_PRECONDITION, build((b, x) -> b.region(List.of(ArrayType.of(DType.F32)), values -> values)));
    misuse(
        IllegalArgumentException.class,
        "another builder's",
        build((b, x) -> b.result("y", new Builder("other").argument("z", DType.F32, 1))),
        build((b, x) -> b.op(new OpSpec("reduce").regions(new Builder("other").combiner("add", DType.F32)))));
    misuse(NullPointerException.class, "null", build((b, x) -> b.unary("tanh", null)));
    misuse(
        IllegalArgumentException.class,
        "attribute",
        build((b, x) -> b.add("add", List.of(x, x), Map.of("bad", new Object()))));
    misuse(
        IllegalArgumentException.class,
        "length",
        build((b, x) -> b.constant(ArrayType.of(DType.F32, 2), new byte[7])),
        build((b, x) -> b.slice(x, new long[] {0, 0}, new long[] {1}, null)));
    misuse(
        IllegalArgumentException.class,
        "dimensions",
        () -> Sharding.of(Mesh.of("x", 2), new long[] {4, 4}, List.of(DimSharding.over("x")), List.of()));
  }

  @Test
  void whatAnErrorSays() {
    ImportOptions options = new ImportOptions().file("a.mlir");
    TilewrightException thrown =
        assertThrows(TilewrightException.class, () -> Graph.read("func.func @main(%x: tensor<4xf32) {", options));
    assertEquals("TW-101", thrown.id());
    assertEquals(Status.INVALID_ARGUMENT, thrown.status());
    assertEquals("a.mlir 1 33", thrown.file() + " " + thrown.line() + " " + thrown.column());
    assertTrue(String.join("", thrown.notes()).contains("^"));
    assertTrue(thrown.getMessage().startsWith("a.mlir:1:33: expected '>'"), thrown.getMessage());
    assertTrue(thrown.getMessage().contains(thrown.text()) && thrown.getMessage().contains("[TW-101]"));
    assertTrue(Tilewright.diagnostics().containsKey(thrown.id()));
    assertEquals("invalid_argument", thrown.status().text());
  }

  /** The core, with nothing for every object, text and array: an exception or an answer, never a crash. */
  @Test
  void everyFunctionSurvivesNothing() throws Exception {
    int called = 0;
    for (Method method : Class.forName("org.tilewright.Core").getDeclaredMethods()) {
      if (!method.getName().startsWith("tw_") || method.getName().matches("tw_mpi_.*|tw_machine_limits")) {
        continue; // these start something
      }
      method.setAccessible(true);
      for (boolean empty : new boolean[] {false, true}) {
        Object[] arguments = Arrays.stream(method.getParameterTypes()).map(type -> nothing(type, empty)).toArray();
        try {
          method.invoke(null, arguments);
        } catch (InvocationTargetException thrown) {
          Throwable cause = thrown.getCause();
          assertTrue(cause instanceof TilewrightException || cause instanceof RuntimeException, method + ": " + cause);
        }
      }
      called += 1;
    }
    assertTrue(called > 150, called + " functions");
  }

  private static Object nothing(Class<?> type, boolean empty) {
    if (type.isPrimitive()) {
      return Array.get(Array.newInstance(type, 1), 0);
    }
    return empty && type.isArray() ? Array.newInstance(type.getComponentType(), 0) : null;
  }

  @Test
  void textsOfAnyLanguage() throws TilewrightException {
    try (Builder b = new Builder("größe 🙂")) {
      Graph graph = b.result("y", b.argument("ж", DType.F32, 2)).finish();
      assertEquals("größe 🙂", graph.name());
      assertEquals("ж", graph.arguments().get(0).name());
    }
  }

  /** Not those that C has for the same. */
  @Test
  void messagesHaveNamesOfJava() throws TilewrightException {
    named("capBytes is -1", () -> planned().search(Machine.load("a100-40g"), new SearchOptions().capBytes(-1)));
    named("call Search.run before", () -> new Search(planned(), Machine.load("a100-40g"), null).spec());
    named(
        "Builder.binary",
        () -> {
          try (Builder b = new Builder("main")) {
            b.result("y", b.binary("add", b.argument("x", DType.F32, 2), b.argument("z", DType.F32, 3))).finish();
          }
        });
    named(
        "ImportOptions.allowUnknown",
        () -> Graph.read(
            "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n %y = \"a.b\"(%x) : (tensor<4xf32>) -> tensor<4xf32>\n return %y : tensor<4xf32>\n}", null));
  }

  private static void named(String says, Executable call) {
    String message = assertThrows(TilewrightException.class, call).getMessage();
    assertTrue(message.contains(says) && !message.contains("tw_") && !message.contains("options->"), message);
  }
}
