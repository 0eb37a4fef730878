// SPDX-License-Identifier: Apache-2.0
// Longer than 450 lines: every action and view of a plan is a method of its class.
package org.tilewright;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A graph, a mesh, and the decisions so far. Actions return the plan: {@code plan.tile("x", 0,
 * "data").inferPropagate()}. One thread at a time.
 */
public final class Plan extends TilewrightObject {
  private final Graph graph;
  private ActionListener listener; // the core has a weak reference

  Plan(long address, Graph graph) {
    super(address);
    this.graph = graph;
  }

  /** Hears of the actions of {@link Plan#apply}. It may read the plan, not change it. */
  @FunctionalInterface
  public interface ActionListener {
    /**
     * An action was applied.
     *
     * @param action its text
     * @param file where it stands
     * @param line where it stands, from 1
     */
    void applied(String action, String file, int line);
  }

  /**
   * A loop around an op.
   *
   * @param axis in the plan's mesh
   * @param kind what it does
   * @param dim of the first result, or the first operand, that it tiles; -1: none
   * @param reduction of a loop that reduces
   * @param action from which it follows
   * @param cause the neighbour whose loop it follows; -1: an action put it here
   * @param operandDims the dimension of each operand that it tiles; -1: none
   * @param resultDims the dimension of each result that it tiles; -1: none
   */
  public record Loop(
      String axis,
      LoopKind kind,
      int dim,
      Reduction reduction,
      int action,
      int cause,
      List<Integer> operandDims,
      List<Integer> resultDims) {}

  /**
   * The graph that is sharded.
   *
   * @return as it was given
   */
  public Graph graph() {
    return graph;
  }

  // ---- actions ----

  /**
   * Tiles a dimension of a value along a mesh axis. Other values follow at {@link #inferPropagate()}.
   *
   * @param value an argument ("x", "params['w*']"), a result or "%12"
   * @param dim the dimension
   * @param axis of the mesh
   * @return this
   * @throws TilewrightException names value, dimension, sizes and axes
   */
  public Plan tile(String value, int dim, String axis) throws TilewrightException {
    Core.tw_plan_tile(this, value, dim, axis);
    return this;
  }

  /**
   * Keeps a value whole on an axis: propagation stops there.
   *
   * @param value an argument, a result or "%12"
   * @param axis of the mesh
   * @return this
   * @throws TilewrightException names what does not exist
   */
  public Plan atomic(String value, String axis) throws TilewrightException {
    Core.tw_plan_atomic(this, value, axis);
    return this;
  }

  /**
   * Spreads the decisions, as {@code propagate} in a spec: forms a sum only where every operand that
   * carries it is tiled already.
   *
   * @return this
   * @throws TilewrightException the policy is "explicit", and something is left open
   */
  public Plan propagate() throws TilewrightException {
    Core.tw_plan_propagate(this, Constants.TW_PROPAGATE);
    return this;
  }

  /**
   * Spreads the decisions, as {@code infer-propagate} in a spec: one tiled operand is enough to form a sum,
   * the others follow.
   *
   * @return this
   * @throws TilewrightException the policy is "explicit", and something is left open
   */
  public Plan inferPropagate() throws TilewrightException {
    Core.tw_plan_propagate(this, Constants.TW_INFER_PROPAGATE);
    return this;
  }

  /**
   * Applies a spec, one action a line or several with {@code ;}. On an error the actions before the failing
   * one stay.
   *
   * @param spec the actions
   * @return this
   * @throws TilewrightException carries line and column
   */
  public Plan apply(String spec) throws TilewrightException {
    return apply(spec, null);
  }

  /**
   * Applies a spec.
   *
   * @param spec the actions
   * @param file the name in positions of errors; may be null
   * @return this
   * @throws TilewrightException carries file, line and column
   */
  public Plan apply(String spec, String file) throws TilewrightException {
    Core.tw_plan_apply(this, spec.getBytes(StandardCharsets.UTF_8), file);
    return this;
  }

  /**
   * Applies the spec in a file.
   *
   * @param path of the file
   * @return this
   * @throws TilewrightException carries file, line and column
   * @throws IOException the file cannot be read
   */
  public Plan apply(Path path) throws TilewrightException, IOException {
    return apply(Files.readString(path), path.toString());
  }

  /**
   * A file that shows values beside each other.
   *
   * @param options null: the defaults
   * @param values by name or pattern; none: all arguments
   * @return its bytes
   * @throws TilewrightException there is no such value, or an option has no such value
   */
  public byte[] picture(PictureOptions options, String... values) throws TilewrightException {
    return Core.tw_plan_picture(this, values, Options.pairsOf(options));
  }

  /**
   * Tells a listener after each action of apply. What it throws, apply throws after its last action.
   *
   * @param heard null: nobody is told
   * @return this
   * @throws TilewrightException the plan cannot be told
   */
  public Plan onAction(ActionListener heard) throws TilewrightException {
    Native.onAction(this, heard); // tw_plan_own_action
    listener = heard;
    return this;
  }

  /**
   * For {@link #undo}: the plan as it is now.
   *
   * @return a stamp
   */
  public long stamp() {
    return Core.tw_plan_stamp(this);
  }

  /**
   * Brings the plan back to what it was.
   *
   * @param stamp taken then
   * @return this
   * @throws TilewrightException there was no such stamp
   */
  public Plan undo(long stamp) throws TilewrightException {
    Core.tw_plan_undo(this, stamp);
    return this;
  }

  /**
   * A plan of its own that begins as this one is, without a listener.
   *
   * @return a new plan
   * @throws TilewrightException there is no memory
   */
  public Plan copy() throws TilewrightException {
    return new Plan(Core.tw_plan_clone(this), graph);
  }

  // ---- questions ----

  /**
   * The sharding of a value as text.
   *
   * @param value an argument, a result or "%12"
   * @return "[{data}, {}]"
   * @throws TilewrightException lists the nearest names
   */
  public String sharding(String value) throws TilewrightException {
    return Core.tw_plan_sharding(this, value);
  }

  /**
   * The shardings of all arguments as text.
   *
   * @return by name
   * @throws TilewrightException there is no memory
   */
  public Map<String, String> shardings() throws TilewrightException {
    Map<String, String> all = new LinkedHashMap<>();
    for (String name : graph.argumentNames) {
      all.put(name, sharding(name));
    }
    return all;
  }

  /**
   * The mesh as it is now: with the axes that actions added, and parts of axes of which they name some.
   *
   * @return a new object
   * @throws TilewrightException there is no memory
   */
  public Mesh mesh() throws TilewrightException {
    return new Mesh(Core.tw_plan_mesh(this));
  }

  /**
   * How a value lies as its users get it.
   *
   * @param value its number in the graph
   * @return a new object
   * @throws TilewrightException there is no such value, or it is inside a region that combines elements
   */
  public Sharding valueSharding(int value) throws TilewrightException {
    Checks.numbered("value", value, graph.values);
    return new Sharding(Core.tw_plan_value_sharding(this, value));
  }

  /**
   * How an argument is given.
   *
   * @param i its number
   * @return a new object
   * @throws TilewrightException there is none
   */
  public Sharding argumentSharding(int i) throws TilewrightException {
    Checks.numbered("argument", i, graph.argumentTypes.size());
    return new Sharding(Core.tw_plan_argument_sharding(this, i));
  }

  /**
   * How a result is handed out.
   *
   * @param i its number
   * @return a new object
   * @throws TilewrightException there is none
   */
  public Sharding resultSharding(int i) throws TilewrightException {
    Checks.numbered("result", i, graph.resultTypes.size());
    return new Sharding(Core.tw_plan_result_sharding(this, i));
  }

  /**
   * The actions that were applied; the first stands for the annotations of the module.
   *
   * @return in order
   * @throws TilewrightException there is no memory
   */
  public List<Action> actions() throws TilewrightException {
    List<Action> actions = new ArrayList<>();
    for (long i = 0; i < Core.tw_plan_num_actions(this); ++i) {
      actions.add(Action.of(new Struct(Core.tw_plan_action(this, i))));
    }
    return actions;
  }

  /**
   * The loops around an op, outermost first.
   *
   * @param op its number in the graph
   * @return none where nothing was decided
   * @throws TilewrightException there is no such op
   */
  public List<Loop> loops(int op) throws TilewrightException {
    List<Loop> loops = new ArrayList<>();
    Graph.Op of = graph.op(op);
    for (long i = 0; i < Core.tw_plan_num_loops(this, op); ++i) {
      Struct view = new Struct(Core.tw_plan_loop(this, op, i));
      int[] operandDims = new int[of.operands().size()];
      int[] resultDims = new int[of.results().size()];
      Core.tw_plan_loop_dims(this, op, i, operandDims, resultDims);
      loops.add(
          new Loop(
              view.text(Fields.LoopView.AXIS),
              LoopKind.of(view.integer(Fields.LoopView.KIND)),
              view.integer(Fields.LoopView.DIM),
              Reduction.of(view.integer(Fields.LoopView.REDUCTION)),
              view.integer(Fields.LoopView.ACTION),
              view.integer(Fields.LoopView.CAUSE),
              Struct.list(operandDims),
              Struct.list(resultDims)));
    }
    return loops;
  }

  /**
   * How many axes propagation could not decide.
   *
   * @return the size of {@link #conflicts()}
   */
  public long numConflicts() {
    return Core.tw_plan_num_conflicts(this);
  }

  /**
   * What propagation could not decide. Costs are not known.
   *
   * @return one for each
   * @throws TilewrightException there is no memory
   */
  public List<Conflict> conflicts() throws TilewrightException {
    return Conflict.listOf(Core.tw_plan_conflicts(this));
  }

  /**
   * Decided neighbours that do not agree. Costs are not known.
   *
   * @return one for each
   * @throws TilewrightException there is no memory
   */
  public List<Conflict> disagreements() throws TilewrightException {
    return Conflict.listOf(Core.tw_plan_disagreements(this));
  }

  /**
   * The chains from actions to a sharding; for an axis on which the value is whole, what stopped it.
   *
   * @param value an argument, a result or "%12"
   * @return a step a line
   * @throws TilewrightException lists the nearest names
   */
  public String explain(String value) throws TilewrightException {
    return explain(value, null);
  }

  /**
   * The chain from an action to a sharding.
   *
   * @param value an argument, a result or "%12"
   * @param axis null: all
   * @return a step a line
   * @throws TilewrightException lists the nearest names
   */
  public String explain(String value, String axis) throws TilewrightException {
    return Core.tw_plan_explain(this, value, axis);
  }

  /**
   * The plan as text.
   *
   * @param form "loops", "stablehlo+sdy", ..: {@link Tilewright#forms()} lists them
   * @return the text
   * @throws TilewrightException there is no such form
   */
  public String emit(String form) throws TilewrightException {
    return new String(Core.tw_plan_emit(this, form), java.nio.charset.StandardCharsets.UTF_8);
  }

  /**
   * The same as bytes, for forms that are no text: an artifact that JAX and PJRT clients read.
   *
   * @param form "stablehlo+sdy-bytecode"
   * @return the bytes
   * @throws TilewrightException there is no such form
   */
  public byte[] emitBytes(String form) throws TilewrightException {
    return Core.tw_plan_emit(this, form);
  }

  /**
   * The steps from the loops to the device-local program.
   *
   * @param form "spmd-naive" or one of its spellings
   * @param after a pass; null: the last
   * @return the text
   * @throws TilewrightException there is no such form or pass
   */
  public String emitNaive(String form, String after) throws TilewrightException {
    return Core.tw_debug_emit_after(this, form, after);
  }

  // ---- what comes next ----

  /**
   * The device-local program, with every collective.
   *
   * @return a new program, which later changes of the plan do not touch
   * @throws TilewrightException the policy is "explicit", and something is left open
   */
  public Program lower() throws TilewrightException {
    return lower(null);
  }

  /**
   * The device-local program, with every collective.
   *
   * @param options null: the defaults
   * @return a new program, which later changes of the plan do not touch
   * @throws TilewrightException an option is wrong
   */
  public Program lower(LowerOptions options) throws TilewrightException {
    return new Program(Core.tw_program_lower(this, Options.pairsOf(options)), graph);
  }

  /**
   * Finds actions behind those of this plan, which does not change, with which a run takes the least time on
   * a machine and fits its devices.
   *
   * @param machine its devices and links
   * @return a search that has run
   * @throws TilewrightException the machine says nothing of an axis, or the plan has axes of steps or threads
   */
  public Search search(Machine machine) throws TilewrightException {
    return search(machine, null);
  }

  /**
   * Finds actions behind those of this plan, which does not change.
   *
   * @param machine its devices and links
   * @param options null: the defaults
   * @return a search that has run
   * @throws TilewrightException the machine says nothing of an axis, or an option is wrong
   */
  public Search search(Machine machine, SearchOptions options) throws TilewrightException {
    return new Search(this, machine, options).run();
  }

  @Override
  String about() {
    return graph.isClosed() ? "" : graph.name() + ", " + numConflicts() + " conflicts";
  }
}
