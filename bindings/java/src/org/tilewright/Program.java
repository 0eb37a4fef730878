// SPDX-License-Identifier: Apache-2.0
// Longer than 450 lines: a class is one file, and each method says what it does.
package org.tilewright;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.DoublePredicate;

/** What every device runs: local shapes, and explicit collectives. It never changes. */
public final class Program extends TilewrightObject {
  private final Graph graph;

  Program(long address, Graph graph) {
    super(address);
    this.graph = graph;
  }

  /**
   * A value of the graph as the devices hold it in one layout.
   *
   * @param origin the value in the graph; -1: lowering added it
   * @param instr the instruction that makes it
   */
  public record LocalValue(int origin, int instr) {}

  /**
   * An instruction.
   *
   * @param kind what it does
   * @param op of the graph: what it runs; of a collective the op whose operand or result moves; -1: none,
   *     also of a computation that lowering added
   * @param operands local values
   * @param results local values
   * @param index an argument, a result, a region or an axis, as the kind says
   * @param collective its number; -1: it is none
   * @param reduceAxes over which this leaves partial values
   */
  public record Instr(
      InstrKind kind,
      int op,
      List<Integer> operands,
      List<Integer> results,
      int index,
      int collective,
      List<String> reduceAxes) {}

  /**
   * A collective.
   *
   * @param kind what it does
   * @param reduction by which partial values combine
   * @param axes over which data moves
   * @param instr whose operands and results are what moves, before and after
   * @param value of the graph: the first that moves
   * @param producer one of the two ops whose layouts differ; -1: none
   * @param consumer the other; -1: none
   * @param action whose decision asks for it: {@link Program#actions()}
   * @param times how often it runs; 1 in a loop whose turns depend on data
   * @param bytesReceived by the device that receives most, each time
   * @param meanBytesReceived over all devices
   * @param method "direct": straight from the holders; else that of a redistribution
   * @param numSteps of that method
   * @param bytesByLevel what the group, and at last the device, that receives most gets from others,
   *     outermost first
   * @param scratchBytes of intermediate tiles, on the device that needs most
   */
  public record Collective(
      CollectiveKind kind,
      Reduction reduction,
      List<String> axes,
      int instr,
      int value,
      int producer,
      int consumer,
      int action,
      long times,
      long bytesReceived,
      double meanBytesReceived,
      String method,
      int numSteps,
      List<Long> bytesByLevel,
      long scratchBytes) {}

  /**
   * How results compare with what was expected.
   *
   * @param results one for each
   * @param note why there was no second opinion in double precision where one was due; else ""
   */
  public record Comparisons(List<Comparison> results, String note) {
    /**
     * Whether all pass.
     *
     * @return true if so
     */
    public boolean passes() {
      return results.stream().allMatch(Comparison::passes);
    }
  }

  /**
   * The graph of which this is the program.
   *
   * @return as it was given
   */
  public Graph graph() {
    return graph;
  }

  /**
   * The devices that run it.
   *
   * @return how many
   */
  public long numDevices() {
    return Core.tw_program_num_devices(this);
  }

  /**
   * The collectives.
   *
   * @return how many
   */
  public int numCollectives() {
    return (int) Core.tw_program_num_collectives(this);
  }

  /**
   * Collectives of a kind.
   *
   * @param kind "all_gather", "all_reduce", "reduce_scatter", "all_to_all", "permute" or "exchange"
   * @return how many
   * @throws TilewrightException there is no such kind
   */
  public long count(String kind) throws TilewrightException {
    long[] count = new long[1];
    Core.tw_program_count_kind(this, kind, count);
    return count[0];
  }

  /**
   * Bytes that the busiest device must receive in one run.
   *
   * @return bytes
   */
  public long bytesReceived() {
    return Core.tw_program_bytes_received(this);
  }

  /**
   * Peak of the device that needs most, in the program's own order; {@link Executable#peakBytes} has what a
   * run needs.
   *
   * @return bytes
   */
  public long peakBytes() {
    return Core.tw_program_peak_bytes(this);
  }

  /**
   * Whether a result is guaranteed to be bitwise equal to the unpartitioned run.
   *
   * @param result its number
   * @return true if so
   */
  public boolean isExact(int result) {
    Checks.number("result", result, graph.resultTypes.size());
    return Core.tw_program_result_exact(this, result) != 0;
  }

  /**
   * The {@code expect} lines of the plan's specs that do not hold.
   *
   * @return how many
   */
  public long numFailedExpectations() {
    return Core.tw_program_num_failed_expectations(this);
  }

  /**
   * Everything about the plan and the program.
   *
   * @return JSON as {@code tw plan --json} prints it
   * @throws TilewrightException there is no memory
   */
  public String info() throws TilewrightException {
    return Core.tw_program_json(this);
  }

  /**
   * The same for people: of long tables the rows with most bytes.
   *
   * @param width of the tables in columns; 0: 120
   * @return text
   * @throws TilewrightException there is no memory
   */
  public String report(int width) throws TilewrightException {
    return Upcalls.report(Core.tw_program_report(this, width));
  }

  /**
   * The same with every row.
   *
   * @param width of the tables in columns; 0: 120
   * @return text
   * @throws TilewrightException there is no memory
   */
  public String reportAll(int width) throws TilewrightException {
    return Upcalls.report(Core.tw_program_report_all(this, width));
  }

  /**
   * The program as text.
   *
   * @param form "spmd", "stablehlo" or "shard-local"
   * @return the text
   * @throws TilewrightException there is no such form
   */
  public String emit(String form) throws TilewrightException {
    return new String(Core.tw_program_emit(this, form), java.nio.charset.StandardCharsets.UTF_8);
  }

  /**
   * The same as bytes, for forms that are no text: an artifact that JAX and PJRT clients read.
   *
   * @param form "stablehlo-bytecode"
   * @return the bytes
   * @throws TilewrightException there is no such form
   */
  public byte[] emitBytes(String form) throws TilewrightException {
    return Core.tw_program_emit(this, form);
  }

  /**
   * Why a collective is there.
   *
   * @param id its number
   * @return the two sides that disagreed, and the chain to each
   * @throws TilewrightException there is none
   */
  public String explainCollective(int id) throws TilewrightException {
    Checks.numbered("collective", id, numCollectives());
    return Core.tw_program_explain_collective(this, id);
  }

  /**
   * A file that shows what a collective moves: the array before and after, and who sends what.
   *
   * @param collective its number
   * @param options null: the defaults
   * @return its bytes
   * @throws TilewrightException there is none, or an option has no such value
   */
  public byte[] picture(int collective, PictureOptions options) throws TilewrightException {
    Checks.numbered("collective", collective, numCollectives());
    return Core.tw_program_collective_picture(this, collective, Options.pairsOf(options));
  }

  // ---- walking ----

  /**
   * The mesh on which the program runs.
   *
   * @return a new object
   * @throws TilewrightException there is no memory
   */
  public Mesh mesh() throws TilewrightException {
    return new Mesh(Core.tw_program_mesh(this));
  }

  /**
   * How an argument is given: which tile each device takes.
   *
   * @param i its number
   * @return a new object
   * @throws TilewrightException there is none
   */
  public Sharding argumentSharding(int i) throws TilewrightException {
    Checks.numbered("argument", i, graph.argumentTypes.size());
    return new Sharding(Core.tw_program_argument_sharding(this, i));
  }

  /**
   * How a result is handed out: which tile each device gives.
   *
   * @param i its number
   * @return a new object
   * @throws TilewrightException there is none
   */
  public Sharding resultSharding(int i) throws TilewrightException {
    Checks.numbered("result", i, graph.resultTypes.size());
    return new Sharding(Core.tw_program_result_sharding(this, i));
  }

  /**
   * The actions that the program follows.
   *
   * @return in order
   * @throws TilewrightException there is no memory
   */
  public List<Action> actions() throws TilewrightException {
    List<Action> actions = new ArrayList<>();
    for (long i = 0; i < Core.tw_program_num_actions(this); ++i) {
      actions.add(Action.of(new Struct(Core.tw_program_action(this, i))));
    }
    return actions;
  }

  /**
   * The local values, numbered from 0.
   *
   * @return how many
   */
  public int numLocals() {
    return (int) Core.tw_program_num_locals(this);
  }

  /**
   * A local value.
   *
   * @param number of it
   * @return all about it
   * @throws TilewrightException there is none
   */
  public LocalValue local(int number) throws TilewrightException {
    Checks.numbered("local value", number, numLocals());
    Struct view = new Struct(Core.tw_program_local(this, number));
    return new LocalValue(view.integer(Fields.LocalView.ORIGIN), view.integer(Fields.LocalView.INSTR));
  }

  /**
   * How a local value lies.
   *
   * @param number of it
   * @return a new object
   * @throws TilewrightException there is none
   */
  public Sharding localSharding(int number) throws TilewrightException {
    Checks.numbered("local value", number, numLocals());
    return new Sharding(Core.tw_program_local_sharding(this, number));
  }

  /**
   * The instructions.
   *
   * @return in the order in which every device runs them
   * @throws TilewrightException there is no memory
   */
  public List<Instr> instrs() throws TilewrightException {
    List<Instr> instrs = new ArrayList<>();
    try (Mesh mesh = mesh()) {
      List<String> axes = mesh.axisNames();
      for (long i = 0; i < Core.tw_program_num_instrs(this); ++i) {
        Struct view = new Struct(Core.tw_program_instr(this, i));
        instrs.add(
            new Instr(
                InstrKind.of(view.integer(Fields.InstrView.KIND)),
                view.integer(Fields.InstrView.OP),
                view.integers(Fields.InstrView.OPERANDS),
                Struct.range(view.integer(Fields.InstrView.FIRST_RESULT), view.integer(Fields.InstrView.NUM_RESULTS)),
                view.integer(Fields.InstrView.INDEX),
                view.integer(Fields.InstrView.COLLECTIVE),
                Mesh.axesOf(view.number(Fields.InstrView.REDUCE_AXES), axes)));
      }
    }
    return instrs;
  }

  /**
   * The collectives; the place in the list is the number of each.
   *
   * @return in the order in which they run
   * @throws TilewrightException there is no memory
   */
  public List<Collective> collectives() throws TilewrightException {
    List<Collective> collectives = new ArrayList<>();
    try (Mesh mesh = mesh()) {
      List<String> axes = mesh.axisNames();
      for (int i = 0; i < numCollectives(); ++i) {
        Struct view = new Struct(Core.tw_program_collective(this, i));
        collectives.add(
            new Collective(
                CollectiveKind.of(view.integer(Fields.CollectiveView.KIND)),
                Reduction.of(view.integer(Fields.CollectiveView.REDUCTION)),
                Mesh.axesOf(view.number(Fields.CollectiveView.AXES), axes),
                view.integer(Fields.CollectiveView.INSTR),
                view.integer(Fields.CollectiveView.VALUE),
                view.integer(Fields.CollectiveView.PRODUCER),
                view.integer(Fields.CollectiveView.CONSUMER),
                view.integer(Fields.CollectiveView.ACTION),
                view.number(Fields.CollectiveView.TIMES),
                view.number(Fields.CollectiveView.BYTES_RECEIVED),
                view.real(Fields.CollectiveView.MEAN_BYTES_RECEIVED),
                view.text(Fields.CollectiveView.METHOD),
                view.integer(Fields.CollectiveView.NUM_STEPS),
                Struct.list(view.longs(Fields.CollectiveView.BYTES_BY_LEVEL)),
                view.number(Fields.CollectiveView.SCRATCH_BYTES)));
      }
    }
    return collectives;
  }

  /**
   * What propagation could not decide, with the bytes of each way; takes seconds for large programs.
   *
   * @return one for each
   * @throws TilewrightException there is no memory
   */
  public List<Conflict> conflicts() throws TilewrightException {
    return Conflict.listOf(Core.tw_program_conflicts(this));
  }

  /**
   * Decided neighbours that do not agree, with the bytes of each way; takes seconds for large programs.
   *
   * @return one for each
   * @throws TilewrightException there is no memory
   */
  public List<Conflict> disagreements() throws TilewrightException {
    return Conflict.listOf(Core.tw_program_disagreements(this));
  }

  // ---- what comes next ----

  /**
   * What one run takes on a machine, before anything runs.
   *
   * @param machine its devices and links
   * @param options null: the defaults
   * @return a new estimate
   * @throws TilewrightException the machine says nothing of an axis, or an option is wrong
   */
  public Estimate estimate(Machine machine, EstimateOptions options) throws TilewrightException {
    long estimate = Core.tw_program_estimate(this, machine, Options.pairsOf(options));
    try (Mesh mesh = mesh()) {
      return new Estimate(estimate, mesh.axisNames(), numCollectives());
    }
  }

  /**
   * All that is known of the program as one HTML file, which opens without a network.
   *
   * @param estimate of this program; null: the page has no time
   * @param trace of a measured run; null: none
   * @return the file
   * @throws TilewrightException the estimate is of another program, or the trace is none
   */
  public String page(Estimate estimate, String trace) throws TilewrightException {
    return Core.tw_program_page(
        this, estimate, trace == null ? new Object[0] : new Object[] {"trace", trace});
  }

  /**
   * The program bound to kernels and memory.
   *
   * @return a new executable
   * @throws TilewrightException names the first op that has no kernel
   */
  public Executable executable() throws TilewrightException {
    return executable(new ExecutableOptions());
  }

  /**
   * The program bound to kernels and memory.
   *
   * @param options of the executable
   * @return a new executable
   * @throws TilewrightException names the first op that has no kernel
   */
  public Executable executable(ExecutableOptions options) throws TilewrightException {
    return new Executable(Core.tw_executable_create(this, options.pairs()), graph, options.hasTiles());
  }

  /**
   * How results of a run compare with those that the unpartitioned program made of the same inputs.
   *
   * @param outputs of the run
   * @param expected of the unpartitioned program
   * @param inputs of both; without them there is no second opinion in double precision
   * @return one comparison for each result
   * @throws TilewrightException a tensor does not fit
   */
  public Comparisons compare(List<Tensor> outputs, List<Tensor> expected, List<Tensor> inputs)
      throws TilewrightException {
    return compare(outputs, expected, inputs, new CompareOptions());
  }

  /**
   * How results of a run compare with those that were expected.
   *
   * @param outputs of the run
   * @param expected of the unpartitioned program
   * @param inputs of both; without them there is no second opinion in double precision
   * @param options about the second opinion
   * @return one comparison for each result
   * @throws TilewrightException a tensor does not fit
   */
  public Comparisons compare(
      List<Tensor> outputs, List<Tensor> expected, List<Tensor> inputs, CompareOptions options)
      throws TilewrightException {
    Tensor[][] tensors = {
      inputs.toArray(Tensor[]::new), outputs.toArray(Tensor[]::new), expected.toArray(Tensor[]::new)
    };
    DoublePredicate progress = options.asked();
    Object[] compared = Native.compare(this, tensors, options.pairs(), progress); // tw_program_compare
    String note = (String) compared[compared.length - 1];
    List<Comparison> results =
        Arrays.stream(compared, 0, compared.length - 1)
            .map(fields -> Comparison.of(new Struct((Object[]) fields)))
            .toList();
    return new Comparisons(results, note == null ? "" : note);
  }

  @Override
  String about() {
    return numDevices() + " devices, " + numCollectives() + " collectives";
  }
}
