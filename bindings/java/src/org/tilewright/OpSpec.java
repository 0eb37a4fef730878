// SPDX-License-Identifier: Apache-2.0
package org.tilewright;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** An op with all that it can have, for {@link Builder#op(OpSpec)}. */
public final class OpSpec extends Options {
  private final Map<String, Object> attributes = new LinkedHashMap<>();
  private int mostResults = 16;
  List<Builder.Value> operands = List.of();
  List<Builder.Region> regions = List.of();

  /**
   * An op without operands.
   *
   * @param name "stablehlo.while", or just "while"
   */
  public OpSpec(String name) {
    set("name", name);
  }

  /**
   * The operands.
   *
   * @param values of the builder
   * @return this
   */
  public OpSpec operands(Builder.Value... values) {
    operands = List.of(values);
    return this;
  }

  /**
   * The regions, each given to one op.
   *
   * @param ended in the order of the op
   * @return this
   */
  public OpSpec regions(Builder.Region... ended) {
    regions = List.of(ended);
    return this;
  }

  /**
   * An attribute.
   *
   * @param name of its schema
   * @param value a number, a boolean, a String, a DType, or a list or array of integers
   * @return this
   */
  public OpSpec attribute(String name, Object value) {
    attributes.put(name, value);
    return this;
  }

  /**
   * The types of the results, where they do not follow.
   *
   * @param types one for each result
   * @return this
   */
  public OpSpec results(ArrayType... types) {
    set("result_types", Arrays.stream(types).map(ArrayType::pairs).toArray(Object[][]::new));
    mostResults = Math.max(mostResults, types.length);
    return this;
  }

  /**
   * Where the op comes from.
   *
   * @param place "model.py:12"
   * @return this
   */
  public OpSpec location(String place) {
    set("location", place);
    return this;
  }

  /**
   * No op has more results than it has operands, stated types or values that a region gives back, but for
   * few.
   */
  int mostResults() {
    return Math.max(mostResults, operands.size() + regions.stream().mapToInt(Builder.Region::yields).sum());
  }

  Object[] pairs(int[] operandNumbers, int[] regionNumbers) {
    set("operands", operandNumbers);
    set("regions", regionNumbers);
    set("attrs", Attribute.pairs(attributes));
    return pairs();
  }
}
