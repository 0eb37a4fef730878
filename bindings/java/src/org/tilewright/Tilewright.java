// SPDX-License-Identifier: Apache-2.0
package org.tilewright;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.DoublePredicate;

/** What the library says of itself. */
public final class Tilewright {
  private Tilewright() {}

  /**
   * What an error id means.
   *
   * @param meaning in one line
   * @param advice what to do about it
   */
  public record Diagnostic(String meaning, String advice) {}

  /**
   * A form in which plans or programs can be printed.
   *
   * @param name for {@link Plan#emit} or {@link Program#emit}
   * @param doc what it is
   * @param ofPlan whether plans are printed in it, else programs
   * @param binary whether it is no text: {@link Plan#emitBytes} and {@link Program#emitBytes} give it
   * @param passes after which it can be printed: {@link Plan#emitNaive}
   */
  public record Form(String name, String doc, boolean ofPlan, boolean binary, List<String> passes) {}

  /**
   * The release of the library that runs.
   *
   * @return "0.1.0"
   */
  public static String version() {
    return Core.tw_version();
  }

  /**
   * The API that it implements.
   *
   * @return major * 10000 + minor * 100 + patch
   */
  public static int apiVersion() {
    return Core.tw_api_version();
  }

  /**
   * What this build has and what it finds at run time.
   *
   * @return JSON
   * @throws TilewrightException there is no memory
   */
  public static String buildInfo() throws TilewrightException {
    return Core.tw_build_info();
  }

  /**
   * What the workers of a context can do at most; measures for a second or two.
   *
   * @param context null: one worker a core
   * @return JSON
   * @throws TilewrightException there is no memory
   */
  public static String machineLimits(Context context) throws TilewrightException {
    return Core.tw_machine_limits(context);
  }

  /**
   * What every error id means.
   *
   * @return by id, sorted
   */
  public static Map<String, Diagnostic> diagnostics() {
    Map<String, Diagnostic> all = new LinkedHashMap<>();
    for (long i = 0; i < Core.tw_diagnostic_count(); ++i) {
      all.put(Core.tw_diagnostic_id(i), new Diagnostic(Core.tw_diagnostic_meaning(i), Core.tw_diagnostic_advice(i)));
    }
    return all;
  }

  /**
   * The forms in which plans and programs can be printed.
   *
   * @return in the order in which {@code tw emit} lists them
   */
  public static List<Form> forms() {
    List<Form> forms = new ArrayList<>();
    for (long i = 0; i < Core.tw_form_count(); ++i) {
      List<String> passes = new ArrayList<>();
      for (String pass = Core.tw_debug_pass(i, 0); pass != null; pass = Core.tw_debug_pass(i, passes.size())) {
        passes.add(pass);
      }
      boolean ofPlan = Core.tw_form_is_of_plan(i) != 0;
      boolean binary = Core.tw_form_is_binary(i) != 0;
      forms.add(new Form(Core.tw_form_name(i), Core.tw_form_doc(i), ofPlan, binary, passes));
    }
    return forms;
  }

  /**
   * A form by its name, or by one that it had before.
   *
   * @param name such as "loops"
   * @return the form
   * @throws IllegalArgumentException there is none
   */
  public static Form form(String name) {
    long i = Core.tw_form_find(name);
    if (i >= Core.tw_form_count()) {
      throw new IllegalArgumentException("there is no form " + name);
    }
    return forms().get((int) i);
  }

  /**
   * The names of the registered ops.
   *
   * @return sorted
   */
  public static List<String> opNames() {
    return Struct.listOf(Core.tw_op_count(), Core::tw_op_name);
  }

  /**
   * Where the NaN of a program's results begin, or where none has NaN their Inf.
   *
   * @param graph the program
   * @param inputs in the order of its arguments
   * @return a JSON object of the first op that makes them, and of the arguments that it is computed from;
   *     "null" where results are finite
   * @throws TilewrightException an input does not fit
   */
  public static String findNonfinite(Graph graph, Tensor... inputs) throws TilewrightException {
    return Core.tw_graph_find_nonfinite(graph, inputs);
  }

  /**
   * The registry of ops: documentation, operands, results, attributes, rule, kernels.
   *
   * @param name of an op; null: all
   * @return JSON as {@code tw ops --json} prints it
   * @throws TilewrightException lists the nearest names
   */
  public static String ops(String name) throws TilewrightException {
    return Core.tw_ops_info(name);
  }

  /**
   * Watches what takes long: planning, lowering, making executables, reports of programs, and the search for
   * redistributions. A call that is given up fails with {@link Status#CANCELLED} and is undone. Runs are
   * cancelled by {@link Run#cancel()}.
   *
   * @param stops is asked now and then by this thread, with the seconds since the body began; true gives up.
   *     It must not use the objects of the call. What it throws, the call throws
   * @param interval seconds between two questions, and before the first; 0: 0.05
   * @param body makes the calls, in this thread
   * @param <T> what it gives
   * @param <E> what it throws
   * @return what the body returns
   * @throws E what the body throws
   */
  @SuppressWarnings("unchecked") // the body's result comes back as it is
  public static <T, E extends Exception> T watch(DoublePredicate stops, double interval, Watched<T, E> body)
      throws E {
    Objects.requireNonNull(stops);
    return (T) Native.watch(Objects.requireNonNull(body), stops, interval); // tw_watch_calls
  }

  /**
   * Starts MPI, for programs that use it only through this library.
   *
   * @param library "openmpi" or "mpich"; null: the one whose launcher started this process
   * @throws TilewrightException there is none
   */
  public static void startMpi(String library) throws TilewrightException {
    Core.tw_mpi_start(library);
  }

  /**
   * Ends what {@link #startMpi} started.
   *
   * @param library the same
   * @throws TilewrightException it was not started
   */
  public static void finishMpi(String library) throws TilewrightException {
    Core.tw_mpi_finish(library);
  }
}
