// SPDX-License-Identifier: Apache-2.0
package org.tilewright;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/**
 * Builds a graph. Each call adds ops and returns a value; a mistake is an exception of {@link #finish} (or
 * {@link #check}), which names the call. One thread at a time.
 */
public final class Builder extends TilewrightObject {
  private final String name;
  /**
   * Begins a graph.
   *
   * @param name of the module
   * @throws TilewrightException there is no memory
   */
  public Builder(String name) throws TilewrightException {
    super(Core.tw_builder_create(name));
    this.name = name;
  }

  /**
   * A value of a builder.
   *
   * @param builder that made it
   * @param number of the value, also in the graph; -1 after a mistake
   */
  public record Value(Builder builder, int number) {
    @Override
    public String toString() {
      return "%" + number;
    }
  }

  /**
   * A region that was built, for one op.
   *
   * @param builder that made it
   * @param number of the region
   * @param yields how many values it gives back
   */
  public record Region(Builder builder, int number, int yields) {}

  private Value value(int number) {
    return new Value(this, number);
  }

  private int number(Value value) {
    if (Objects.requireNonNull(value, "a value of the builder is null").builder != this) {
      throw new IllegalArgumentException("the value is another builder's");
    }
    return value.number;
  }

  private int[] numbers(List<Value> values) {
    return values.stream().mapToInt(this::number).toArray();
  }

  // ---- the signature ----

  /**
   * Adds an argument.
   *
   * @param name of the argument
   * @param dtype of its elements
   * @param shape sizes of its dimensions
   * @return its value
   */
  public Value argument(String name, DType dtype, long... shape) {
    return value(Core.tw_builder_argument(this, name, dtype.code(), shape));
  }

  /**
   * Adds an argument whose memory a result may take.
   *
   * @param name of the argument
   * @param type of the array
   * @param result that is declared later; -1 does not say which
   * @return its value
   */
  public Value donatedArgument(String name, ArrayType type, long result) {
    return value(Core.tw_builder_donated_argument(this, name, type.dtype().code(), type.shape(), result));
  }

  /**
   * Declares a result; in order.
   *
   * @param name of the result
   * @param value that it is
   * @return this
   */
  public Builder result(String name, Value value) {
    Core.tw_builder_result(this, name, number(value));
    return this;
  }

  /**
   * A literal array.
   *
   * @param type of the array
   * @param bytes of the elements, row-major, in the order of the machine
   * @return its value
   */
  public Value constant(ArrayType type, byte[] bytes) {
    Checks.length("the literal in bytes", bytes.length, type.bytes());
    return value(Core.tw_builder_constant(this, type.dtype().code(), type.shape(), bytes));
  }

  /**
   * A literal array.
   *
   * @param elements are copied
   * @return its value
   */
  public Value constant(Tensor elements) {
    byte[] bytes = new byte[Math.toIntExact(elements.bytes())];
    elements.buffer().get(bytes);
    return constant(elements.type(), bytes);
  }

  /**
   * An array whose elements all equal a number.
   *
   * @param value the number, converted as stablehlo.convert does
   * @param dtype of the elements
   * @param shape sizes of the dimensions
   * @return its value
   */
  public Value splat(double value, DType dtype, long... shape) {
    return value(Core.tw_builder_splat(this, dtype.code(), shape, value));
  }

  /**
   * An array whose elements are all copies of one, bit for bit.
   *
   * @param element its bytes
   * @param dtype of the elements
   * @param shape sizes of the dimensions
   * @return its value
   */
  public Value fill(byte[] element, DType dtype, long... shape) {
    Checks.length("an element of " + dtype.text(), element.length, dtype.bytes());
    return value(Core.tw_builder_fill(this, dtype.code(), shape, element));
  }

  /**
   * Adds any registered op without regions.
   *
   * @param op "stablehlo.add", or just "add"
   * @param operands its operands
   * @param attributes of its schema: numbers, booleans, Strings, lists and arrays of integers
   * @return the first result
   */
  public Value add(String op, List<Value> operands, Map<String, ?> attributes) {
    return value(Core.tw_builder_add(this, op, numbers(operands), Attribute.pairs(attributes), MadeValues.places(1)));
  }

  /**
   * Adds any registered op.
   *
   * @param spec all that it has
   * @return its results
   */
  public List<Value> op(OpSpec spec) {
    int[] regions = spec.regions.stream().mapToInt(this::number).toArray();
    int[] results = MadeValues.places(spec.mostResults());
    Core.tw_builder_op(this, spec.pairs(numbers(spec.operands), regions), results);
    return MadeValues.of(this, results);
  }

  private int number(Region region) {
    if (region.builder != this) {
      throw new IllegalArgumentException("the region is another builder's");
    }
    return region.number;
  }

  /**
   * Builds a region: the body of a while, an if or a case, or what a reduce, a scatter or a sort does with
   * elements. What {@code body} adds stands in it. Its values are not seen from outside.
   *
   * @param arguments types of its arguments
   * @param body gets the arguments, and returns what the region gives back
   * @return the region, for {@link OpSpec#regions}
   */
  public Region region(List<ArrayType> arguments, Function<List<Value>, List<Value>> body) {
    int[] values = MadeValues.places(arguments.size());
    Core.tw_builder_begin_region(this, arguments.stream().map(ArrayType::pairs).toArray(Object[][]::new), values);
    List<Value> yields = body.apply(Arrays.stream(values).mapToObj(this::value).toList());
    return new Region(this, Core.tw_builder_end_region(this, numbers(yields)), yields.size());
  }

  /**
   * A region that combines two scalars by one op: what reduce, reduce_window, scatter and select_and_scatter
   * take.
   *
   * @param op "add" or "maximum"
   * @param dtype of the scalars
   * @return the region
   */
  public Region combiner(String op, DType dtype) {
    return new Region(this, Core.tw_builder_combiner(this, op, dtype.code()), 1);
  }

  // ---- conveniences ----

  /**
   * An op of one operand.
   *
   * @param op "tanh"
   * @param x the operand
   * @return its result
   */
  public Value unary(String op, Value x) {
    return value(Core.tw_builder_unary(this, op, number(x)));
  }

  /**
   * An op of two operands of equal shape, or one a scalar, which is then broadcast.
   *
   * @param op "add"
   * @param x the left operand
   * @param y the right operand
   * @return its result
   */
  public Value binary(String op, Value x, Value y) {
    return value(Core.tw_builder_binary(this, op, number(x), number(y)));
  }

  /**
   * Compares.
   *
   * @param direction "EQ", "NE", "GE", "GT", "LE" or "LT"
   * @param x the left operand
   * @param y the right operand
   * @return booleans
   */
  public Value compare(String direction, Value x, Value y) {
    return value(Core.tw_builder_compare(this, direction, number(x), number(y)));
  }

  /**
   * Converts the elements.
   *
   * @param x the operand
   * @param dtype of the result
   * @return the result
   */
  public Value convert(Value x, DType dtype) {
    return value(Core.tw_builder_convert(this, number(x), dtype.code()));
  }

  /**
   * A contraction of two operands in Einstein's notation.
   *
   * @param subscripts "bd,df-&gt;bf"
   * @param x the left operand
   * @param y the right operand
   * @return the result
   */
  public Value einsum(String subscripts, Value x, Value y) {
    return value(Core.tw_builder_einsum(this, subscripts, number(x), number(y)));
  }

  /**
   * Changes the order of the dimensions.
   *
   * @param x the operand
   * @param permutation for each dimension of the result that of the operand
   * @return the result
   */
  public Value transpose(Value x, long... permutation) {
    return value(Core.tw_builder_transpose(this, number(x), permutation));
  }

  /**
   * The same elements in another shape.
   *
   * @param x the operand
   * @param shape of the result
   * @return the result
   */
  public Value reshape(Value x, long... shape) {
    return value(Core.tw_builder_reshape(this, number(x), shape));
  }

  /**
   * Repeats elements.
   *
   * @param x the operand; dimensions of size 1 expand
   * @param shape of the result
   * @param dims for each dimension of the operand that of the result
   * @return the result
   */
  public Value broadcast(Value x, long[] shape, long... dims) {
    return value(Core.tw_builder_broadcast(this, number(x), shape, dims));
  }

  /**
   * The elements from {@code starts} to below {@code limits} of every dimension, each {@code steps}-th.
   *
   * @param x the operand
   * @param starts by dimension
   * @param limits by dimension
   * @param steps by dimension; null: all elements
   * @return the result
   */
  public Value slice(Value x, long[] starts, long[] limits, long[] steps) {
    long[] every = steps;
    if (every == null) {
      every = new long[starts.length];
      Arrays.fill(every, 1);
    }
    Checks.length("the list of limits", limits.length, starts.length);
    Checks.length("the list of steps", every.length, starts.length);
    return value(Core.tw_builder_slice(this, number(x), starts, limits, every));
  }

  /**
   * Arrays one behind the other.
   *
   * @param dim in which they stand so
   * @param values the arrays
   * @return the result
   */
  public Value concatenate(long dim, Value... values) {
    return value(Core.tw_builder_concatenate(this, numbers(List.of(values)), dim));
  }

  /**
   * Reduces dimensions away.
   *
   * @param kind "sum", "max", "min" or "prod"; of integers and booleans also "and", "or", "xor"
   * @param x the operand
   * @param dims that go
   * @return the result
   */
  public Value reduce(String kind, Value x, long... dims) {
    return value(Core.tw_builder_reduce(this, kind, number(x), dims));
  }

  // ---- custom calls, names and shardings ----

  /**
   * The custom calls that the host knows, as they are now.
   *
   * @param calls by target
   * @return this
   */
  public Builder customCalls(CustomCalls calls) {
    Core.tw_builder_custom_calls(this, calls);
    return this;
  }

  /**
   * A call of code that the program does not hold.
   *
   * @param target the name of the call
   * @param operands what it takes
   * @param results types of what it makes
   * @param attributes of any names
   * @return its results
   */
  public List<Value> customCall(
      String target, List<Value> operands, List<ArrayType> results, Map<String, ?> attributes) {
    int[] made = MadeValues.places(results.size());
    Object[][] types = results.stream().map(ArrayType::pairs).toArray(Object[][]::new);
    Core.tw_builder_custom_call(this, target, numbers(operands), types, Attribute.pairs(attributes), made);
    return MadeValues.of(this, made);
  }

  /**
   * Gives a value a name for texts, reports and plans.
   *
   * @param value of the builder
   * @param name letters, digits and the signs _ $ . - # and %
   * @return this
   */
  public Builder name(Value value, String name) {
    Core.tw_builder_name(this, number(value), name);
    return this;
  }

  /**
   * Says how a value is to lie: every plan of the graph applies it first.
   *
   * @param value of the builder
   * @param sharding over the one mesh of this builder
   * @return this
   */
  public Builder shard(Value value, Sharding sharding) {
    Core.tw_builder_shard(this, number(value), sharding);
    return this;
  }

  /**
   * Says how a result is to lie.
   *
   * @param i the result that was declared as this number
   * @param sharding over the one mesh of this builder
   * @return this
   */
  public Builder shardResult(int i, Sharding sharding) {
    Core.tw_builder_shard_result(this, i, sharding);
    return this;
  }

  /**
   * Keeps the halos of a sharding: one exchange brings them, elementwise ops keep them, and what reads around
   * a tile finds them there. Halos that wrap are refused.
   *
   * @param value of the builder
   * @param sharding over the one mesh of this builder, with a halo
   * @return the value again, laid out so
   */
  public Value keepHalo(Value value, Sharding sharding) {
    return value(Core.tw_builder_keep_halo(this, number(value), sharding));
  }

  // ---- the end ----

  /**
   * Throws the mistake that {@link #finish} would report, if there is one.
   *
   * @throws TilewrightException names the call
   */
  public void check() throws TilewrightException {
    Core.tw_builder_check(this);
  }

  /**
   * The graph. The builder is empty afterwards, whatever the outcome.
   *
   * @return a new graph, whose values have the numbers of the builder's
   * @throws TilewrightException names the first call that was wrong
   */
  public Graph finish() throws TilewrightException {
    return new Graph(Core.tw_builder_finish(this));
  }

  @Override
  String about() {
    return name;
  }
}
