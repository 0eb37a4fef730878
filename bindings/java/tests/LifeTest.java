// SPDX-License-Identifier: Apache-2.0
package org.tilewright.tests;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.tilewright.tests.Support.direct;
import static org.tilewright.tests.Support.inputs;
import static org.tilewright.tests.Support.mlp;
import static org.tilewright.tests.Support.planned;
import static org.tilewright.tests.Support.resident;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.tilewright.Builder;
import org.tilewright.CustomCalls;
import org.tilewright.DType;
import org.tilewright.Executable;
import org.tilewright.ExecutableOptions;
import org.tilewright.Graph;
import org.tilewright.Mesh;
import org.tilewright.Plan;
import org.tilewright.Program;
import org.tilewright.Run;
import org.tilewright.Tensor;
import org.tilewright.TilewrightException;

/** Objects come and go without growth, and threads that misuse one get exceptions. */
final class LifeTest {
  private interface Work {
    void run() throws Exception;
  }

  private static final long MOST_GROWTH = 2 << 20;

  /**
   * The least bytes by which the process grew in a round of so many times, after two rounds. What leaks
   * does so in each; what the machine takes for itself on a busy processor is not in all.
   */
  private static long grows(Work work, int times) throws Exception {
    repeat(work, 2 * times);
    long least = Long.MAX_VALUE;
    for (int round = 0; round < 3 && least >= MOST_GROWTH; ++round) {
      long before = resident();
      repeat(work, times);
      least = Math.min(least, resident() - before);
    }
    return least;
  }

  private static void repeat(Work work, int times) throws Exception {
    for (int i = 0; i < times; ++i) {
      work.run();
      if (i % 500 == 499) { // the machine does not know how large the objects behind its own are
        collect();
      }
    }
  }

  /** Kernels that the library has until the cleaner has ended the objects around them. */
  private static final List<WeakReference<CustomCalls.Kernel>> kernels = new ArrayList<>();

  /** Waits for the cleaner, which may have little of the processor. */
  private static void collect() throws InterruptedException {
    for (int i = 0; i < 10_000; ++i) {
      System.gc();
      kernels.removeIf(kernel -> kernel.get() == null);
      if (kernels.isEmpty()) {
        return;
      }
      Thread.sleep(5);
    }
    throw new AssertionError(kernels.size() + " kernels are still there");
  }

  private static CustomCalls.Kernel kernel() {
    CustomCalls.Kernel made =
        new CustomCalls.Kernel() {
          @Override
          public void run(CustomCalls.Call call) {}
        };
    kernels.add(new WeakReference<>(made));
    return made;
  }

  private static void oneOfEach(boolean closes) throws TilewrightException {
    Mesh mesh = Mesh.of("data", 2);
    Builder b = new Builder("main");
    Builder.Value x = b.argument("x", DType.F32, 4);
    Graph graph = b.result("y", b.binary("add", x, x)).finish();
    Plan plan = graph.plan(mesh).tile("x", 0, "data").inferPropagate();
    plan.onAction((action, file, line) -> plan.stamp()).apply("propagate");
    plan.sharding("y");
    Tensor tensor = Tensor.of(direct(1, 2, 3, 4), DType.F32, 4);
    Tensor owned = Tensor.zeros(DType.F32, 1000);
    owned.buffer();
    CustomCalls calls = new CustomCalls().add("a", "i -> i", kernel(), null);
    assertThrows(TilewrightException.class, () -> plan.tile("nobody", 0, "data"));
    if (closes) {
      for (AutoCloseable object : List.of(mesh, b, graph, plan, tensor, owned, calls)) {
        try {
          object.close();
        } catch (Exception error) {
          throw new AssertionError(error);
        }
      }
    }
  }

  @Test
  @Tag("slow")
  void tenThousandCyclesThatClose() throws Exception {
    long growth = grows(() -> oneOfEach(true), 10_000);
    assertTrue(growth < MOST_GROWTH, growth + " bytes");
  }

  @Test
  @Tag("slow")
  void tenThousandCyclesThatLeaveItToTheCleaner() throws Exception {
    long growth = grows(() -> oneOfEach(false), 10_000);
    assertTrue(growth < MOST_GROWTH, growth + " bytes");
  }

  @Test
  @Tag("slow")
  void executables() throws Exception {
    Program program = planned().lower();
    Tensor[] inputs = inputs(mlp());
    long growth =
        grows(
            () -> {
              try (Executable executable = program.executable(new ExecutableOptions().workers(1))) {
                executable.run(inputs).get(0).close();
                try (Run run = executable.start(inputs)) {
                  run.await().get(0).close();
                }
              }
            },
            500);
    assertTrue(growth < MOST_GROWTH, growth + " bytes");
  }

  @Test
  void anyOrder() throws TilewrightException {
    Graph graph = mlp();
    Plan plan = planned(graph);
    Program program = plan.lower();
    Executable executable = program.executable();
    graph.close();
    assertEquals("[{data}, {}]", plan.shardings().get("x"));
    plan.close();
    program.close();
    assertArrayEquals(new long[] {8, 6}, executable.run(inputs(mlp())).get(0).shape());
  }

  /** What each threw, when all ran at the same time, 200 times. */
  private static List<IllegalStateException> together(Work... works) throws Exception {
    CyclicBarrier start = new CyclicBarrier(works.length);
    List<IllegalStateException> thrown = new ArrayList<>();
    List<Throwable> others = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (Work work : works) {
      Thread thread =
          new Thread(
              () -> {
                try {
                  start.await();
                  for (int i = 0; i < 200; ++i) {
                    try {
                      work.run();
                    } catch (IllegalStateException misuse) {
                      synchronized (thrown) {
                        thrown.add(misuse);
                      }
                    }
                  }
                } catch (Throwable other) {
                  synchronized (others) {
                    others.add(other);
                  }
                }
              });
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertEquals(List.of(), others);
    return thrown;
  }

  @Test
  void aPlanOfTwoThreads() throws Exception {
    Plan plan = planned();
    List<IllegalStateException> thrown =
        together(() -> plan.apply("propagate"), plan::inferPropagate, () -> plan.sharding("y"));
    for (IllegalStateException misuse : thrown) {
      assertTrue(misuse.getMessage().contains("thread"), misuse.toString());
    }
    assertEquals("[{data}, {}]", plan.inferPropagate().sharding("x"));
  }

  @Test
  void anExecutableOfTwoThreads() throws Exception {
    Executable executable = planned().lower().executable(new ExecutableOptions().workers(1));
    Tensor[] inputs = inputs(mlp());
    Tensor expected = executable.run(inputs).get(0);
    Work run = () -> assertTrue(executable.run(inputs).get(0).compare(expected, true).bitEqual());
    assertEquals(List.of(), together(run, run));
  }

  @Test
  void closingWhileInUse() throws Exception {
    Graph graph = mlp(64, 64, 64);
    Tensor[] inputs = inputs(graph);
    for (int i = 0; i < 10; ++i) {
      Executable executable = planned(graph).lower().executable(new ExecutableOptions().workers(1));
      List<IllegalStateException> thrown = together(() -> executable.run(inputs), executable::close);
      executable.close();
      for (IllegalStateException misuse : thrown) {
        assertTrue(misuse.getMessage().contains("is closed") || misuse.getMessage().contains("in use"), misuse.toString());
      }
    }
  }

  @Test
  void exceptionsAreOfTheThread() throws Exception {
    Work fails = () -> assertTrue(assertThrows(TilewrightException.class, () -> Mesh.parse("a b")).getMessage().contains("a b"));
    Work works = () -> assertEquals(2, Mesh.parse("a=2").numDevices());
    assertEquals(List.of(), together(fails, works, fails));
  }
}
