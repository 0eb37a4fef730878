// SPDX-License-Identifier: Apache-2.0
// Longer than 450 lines for its documentation: the records of ops, values and regions are types of graphs.
package org.tilewright;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * An SSA program of n-d array ops with static shapes. It never changes. {@link #load} and {@link Builder}
 * make one. Ops, values and regions are numbers that begin at 0.
 */
public final class Graph extends TilewrightObject {
  /** What plans and executables ask for, also when the graph was closed. */
  final List<String> argumentNames;
  final List<ArrayType> argumentTypes;
  final List<ArrayType> resultTypes;
  final int values;
  private String plannedOn; // the mesh that was stated when it was read

  Graph(long address) {
    super(address);
    argumentNames = Struct.listOf(Core.tw_graph_num_arguments(this), i -> Core.tw_graph_argument_name(this, i));
    argumentTypes = Struct.listOf(Core.tw_graph_num_arguments(this), i ->
        ArrayType.of(DType.of(Core.tw_graph_argument_dtype(this, i)), Core.tw_graph_argument_dims(this, i)));
    values = (int) Core.tw_graph_value_end(this);
    resultTypes = Struct.listOf(Core.tw_graph_num_results(this), i ->
        ArrayType.of(DType.of(Core.tw_graph_result_dtype(this, i)), Core.tw_graph_result_dims(this, i)));
  }

  /**
   * An argument or a result of a program.
   *
   * @param name the best name known
   * @param type of the array
   */
  public record Argument(String name, ArrayType type) {}

  /**
   * Where a value is read.
   *
   * @param op that reads it
   * @param operand which operand of the op
   */
  public record Use(int op, int operand) {}

  /**
   * A value: a result of an op, or an argument of a region.
   *
   * @param number of the value
   * @param type of the array
   * @param op that makes it; -1: it is an argument of the region
   * @param index which result of the op, or which argument of the region
   * @param region in which it is made
   * @param uses in the order of the ops
   */
  public record Value(int number, ArrayType type, int op, int index, int region, List<Use> uses) {}

  /**
   * An op.
   *
   * @param number of the op
   * @param name "stablehlo.add"
   * @param operands values
   * @param results values
   * @param regions that it owns
   * @param parent the region that holds it; 0 is the body of the program
   * @param attributes by name: Long, Double, String, Boolean, or List of Long
   * @param line in the text that was read, from 1; 0: not known
   * @param column in the text that was read, from 1; 0: not known
   */
  public record Op(
      int number,
      String name,
      List<Integer> operands,
      List<Integer> results,
      List<Integer> regions,
      int parent,
      Map<String, Object> attributes,
      int line,
      int column) {}

  /**
   * A region: the body of the program, or of a while, a reduction, ..
   *
   * @param number of the region
   * @param parent the op that owns it; -1 for the body of the program
   * @param arguments values
   * @param ops in order
   * @param yields values that it gives back; none of the body of the program
   */
  public record Region(int number, int parent, List<Integer> arguments, List<Integer> ops, List<Integer> yields) {}

  /**
   * The elements of a constant.
   *
   * @param bytes row-major, in the order of the machine
   * @param splat whether there is one element, which stands for all
   */
  public record Literal(byte[] bytes, boolean splat) {}

  /**
   * Reads a program from a file: StableHLO as JAX prints it, with annotations, or loops.
   *
   * @param path of the file
   * @return the program
   * @throws TilewrightException carries file, line and column
   * @throws IOException the file cannot be read
   */
  public static Graph load(Path path) throws TilewrightException, IOException {
    return read(Files.readAllBytes(path), new ImportOptions().file(path.toString()));
  }

  /**
   * Reads a program from text.
   *
   * @param text of the program
   * @param options null: the defaults
   * @return the program
   * @throws TilewrightException carries line and column
   */
  public static Graph read(String text, ImportOptions options) throws TilewrightException {
    return read(text.getBytes(StandardCharsets.UTF_8), options);
  }

  /**
   * Reads a program from bytes.
   *
   * @param text in UTF-8
   * @param options null: the defaults
   * @return the program
   * @throws TilewrightException carries line and column
   */
  public static Graph read(byte[] text, ImportOptions options) throws TilewrightException {
    Graph graph = new Graph(Core.tw_graph_import(text, Options.pairsOf(options)));
    graph.plannedOn = options == null ? null : options.mesh();
    return graph;
  }

  /**
   * The name of the module.
   *
   * @return "main" where it has none
   */
  public String name() {
    return Core.tw_graph_name(this);
  }

  /**
   * The number of ops, arguments and results not counted.
   *
   * @return 0 or more
   */
  public long numOps() {
    return Core.tw_graph_num_ops(this);
  }

  /**
   * The arguments.
   *
   * @return in order
   */
  public List<Argument> arguments() {
    return Struct.listOf(
        argumentTypes.size(), i -> new Argument(Core.tw_graph_argument_name(this, i), argumentTypes.get(i)));
  }

  /**
   * The results.
   *
   * @return in order
   */
  public List<Argument> results() {
    return Struct.listOf(
        resultTypes.size(), i -> new Argument(Core.tw_graph_result_name(this, i), resultTypes.get(i)));
  }

  /**
   * The mesh that the module declares.
   *
   * @return empty where it declares none
   * @throws TilewrightException it is no mesh
   */
  public Optional<Mesh> mesh() throws TilewrightException {
    String text = Core.tw_graph_mesh(this);
    return text.isEmpty() ? Optional.empty() : Optional.of(Mesh.parse(text));
  }

  /**
   * Of the code of one device: how many dimensions in front of every argument and result count the devices of
   * its grid.
   *
   * @return 0 for a program over whole arrays
   */
  public int gridRank() {
    return (int) Core.tw_graph_grid_rank(this);
  }

  /**
   * Which result an argument may be overwritten by.
   *
   * @param argument its number
   * @return -1: none; -2: it is donated without saying to which
   */
  public long donatedTo(int argument) {
    Checks.number("argument", argument, argumentNames.size());
    return Core.tw_graph_donated_to(this, argument);
  }

  /**
   * Census of the ops, FLOPs, bytes, annotations, what is opaque or ignored.
   *
   * @param values whether to list every value too
   * @return JSON as {@code tw info --json} prints it
   * @throws TilewrightException there is no memory
   */
  public String info(boolean values) throws TilewrightException {
    return Core.tw_graph_info(this, values ? 1 : 0);
  }

  /**
   * One more than the largest number of an op in use; func.argument and func.result are counted.
   *
   * @return the number
   */
  public int opEnd() {
    return (int) Core.tw_graph_op_end(this);
  }

  /**
   * One more than the largest number of a value in use.
   *
   * @return the number
   */
  public int valueEnd() {
    return (int) Core.tw_graph_value_end(this);
  }

  /**
   * One more than the largest number of a region in use.
   *
   * @return the number
   */
  public int regionEnd() {
    return (int) Core.tw_graph_region_end(this);
  }

  /**
   * An op.
   *
   * @param number of the op
   * @return all about it
   * @throws TilewrightException there is no such op
   */
  public Op op(int number) throws TilewrightException {
    Checks.numbered("op", number, opEnd());
    Struct view = new Struct(Core.tw_graph_op(this, number));
    Map<String, Object> attributes = new LinkedHashMap<>();
    for (int i = 0; i < view.integer(Fields.OpView.NUM_ATTRS); ++i) {
      Struct attribute = new Struct(Core.tw_graph_attr(this, number, i));
      attributes.put(attribute.text(Fields.Attr.NAME), Attribute.valueOf(attribute));
    }
    return new Op(
        number,
        view.text(Fields.OpView.NAME),
        view.integers(Fields.OpView.OPERANDS),
        Struct.range(view.integer(Fields.OpView.FIRST_RESULT), view.integer(Fields.OpView.NUM_RESULTS)),
        Struct.range(view.integer(Fields.OpView.FIRST_REGION), view.integer(Fields.OpView.NUM_REGIONS)),
        view.integer(Fields.OpView.PARENT),
        attributes,
        view.integer(Fields.OpView.LINE),
        view.integer(Fields.OpView.COLUMN));
  }

  /**
   * A value.
   *
   * @param number of the value
   * @return all about it
   * @throws TilewrightException there is no such value
   */
  public Value value(int number) throws TilewrightException {
    Checks.numbered("value", number, valueEnd());
    Struct view = new Struct(Core.tw_graph_value(this, number));
    return new Value(
        number,
        ArrayType.of(DType.of(view.integer(Fields.ValueView.DTYPE)), view.longs(Fields.ValueView.DIMS)),
        view.integer(Fields.ValueView.OP),
        view.integer(Fields.ValueView.INDEX),
        view.integer(Fields.ValueView.REGION),
        view.structs(Fields.ValueView.USES, use -> new Use(use.integer(Fields.Use.OP), use.integer(Fields.Use.OPERAND))));
  }

  /**
   * A value by the name that texts and reports give it.
   *
   * @param name of an argument, of a result, or "%12"
   * @return all about it
   * @throws TilewrightException lists the nearest names
   */
  public Value value(String name) throws TilewrightException {
    int[] number = new int[1];
    Core.tw_graph_find_value(this, name, number);
    return value(number[0]);
  }

  /**
   * A region.
   *
   * @param number of the region
   * @return all about it
   * @throws TilewrightException there is no such region
   */
  public Region region(int number) throws TilewrightException {
    Checks.numbered("region", number, regionEnd());
    Struct view = new Struct(Core.tw_graph_region(this, number));
    return new Region(
        number,
        view.integer(Fields.RegionView.PARENT),
        view.integers(Fields.RegionView.ARGUMENTS),
        view.integers(Fields.RegionView.OPS),
        view.integers(Fields.RegionView.YIELDS));
  }

  private static OptionalInt maybe(int value) {
    return value == Constants.TW_NO_VALUE ? OptionalInt.empty() : OptionalInt.of(value);
  }

  /**
   * The value of an argument.
   *
   * @param i its number
   * @return never empty
   * @throws IndexOutOfBoundsException there is no such argument
   */
  public OptionalInt argumentValue(int i) {
    Checks.number("argument", i, argumentNames.size());
    return maybe(Core.tw_graph_argument(this, i));
  }

  /**
   * The value that a result is.
   *
   * @param i its number
   * @return never empty
   * @throws IndexOutOfBoundsException there is no such result
   */
  public OptionalInt resultValue(int i) {
    Checks.number("result", i, resultTypes.size());
    return maybe(Core.tw_graph_result(this, i));
  }

  /**
   * What plans and reports call a value.
   *
   * @param value its number
   * @return an argument's name, else "%12"
   * @throws TilewrightException there is no such value
   */
  public String valueName(int value) throws TilewrightException {
    Checks.numbered("value", value, valueEnd());
    return Core.tw_graph_value_name(this, value);
  }

  /**
   * How texts spell a value.
   *
   * @param value its number
   * @return "%x" or "%12"
   * @throws TilewrightException there is no such value
   */
  public String symbol(int value) throws TilewrightException {
    Checks.numbered("value", value, valueEnd());
    return Core.tw_graph_symbol(this, value);
  }

  /**
   * The elements of a constant.
   *
   * @param op its number
   * @return a copy
   * @throws TilewrightException the op is no constant
   */
  public Literal constant(int op) throws TilewrightException {
    Checks.numbered("op", op, opEnd());
    boolean[] splat = new boolean[1];
    byte[] bytes = Native.constant(this, op, splat);
    return new Literal(bytes, splat[0]);
  }

  /**
   * Where an op comes from.
   *
   * @param op its number
   * @return "model.py:12", "file.mlir:40:5" or ""
   * @throws TilewrightException there is no such op
   */
  public String location(int op) throws TilewrightException {
    Checks.numbered("op", op, opEnd());
    return Core.tw_graph_op_location(this, op);
  }

  /**
   * A plan to shard this program.
   *
   * @param mesh null: the one that {@link ImportOptions#mesh} states, else the one that the module declares
   * @return a new plan
   * @throws TilewrightException the annotations of the module do not fit
   */
  public Plan plan(Mesh mesh) throws TilewrightException {
    return plan(mesh, null);
  }

  /**
   * A plan to shard this program.
   *
   * @param mesh null: the one that {@link ImportOptions#mesh} states, else the one that the module declares
   * @param options null: the defaults
   * @return a new plan
   * @throws TilewrightException the annotations of the module do not fit
   */
  public Plan plan(Mesh mesh, PlanOptions options) throws TilewrightException {
    if (mesh == null && plannedOn != null) {
      try (Mesh stated = Mesh.parse(plannedOn)) {
        return plan(stated, options);
      }
    }
    return new Plan(Core.tw_plan_create(this, mesh, Options.pairsOf(options)), this);
  }

  /**
   * The same program on one device.
   *
   * @return every value whole
   * @throws TilewrightException there is no memory
   */
  public Program unpartitioned() throws TilewrightException {
    return new Program(Core.tw_program_unpartitioned(this), this);
  }

  /**
   * Results of the slow reference evaluator, op by op on whole arrays: the oracle of everything else.
   *
   * @param inputs in the order of the arguments
   * @return new tensors in the order of the results
   * @throws TilewrightException an input does not fit
   */
  public List<Tensor> evaluate(Tensor... inputs) throws TilewrightException {
    Tensor[] outputs = newResults();
    Core.tw_graph_evaluate(this, inputs, outputs);
    return List.of(outputs);
  }

  /** Zeros for the results. */
  Tensor[] newResults() throws TilewrightException {
    Tensor[] tensors = new Tensor[resultTypes.size()];
    for (int i = 0; i < tensors.length; ++i) {
      tensors[i] = Tensor.zeros(null, resultTypes.get(i));
    }
    return tensors;
  }

  @Override
  String about() {
    return name() + ": " + numOps() + " ops";
  }
}
