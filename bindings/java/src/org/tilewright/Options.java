// SPDX-License-Identifier: Apache-2.0
package org.tilewright;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Options by the names that the headers have for them. What is not set has its default. */
abstract class Options {
  private final Map<String, Object> values = new LinkedHashMap<>();

  /** Numbers, Strings, arrays of them, arrays of options, objects of the library; null for the default. */
  final void set(String name, Object value) {
    values.put(name, value);
  }

  final void set(String name, boolean value) {
    values.put(name, value ? 1 : 0);
  }

  /** Name, value, name, value, .. as the core reads them. */
  final Object[] pairs() {
    return values.entrySet().stream().flatMap(entry -> Stream.of(entry.getKey(), entry.getValue())).toArray();
  }

  /** What is set: "cap_bytes=100, donate=1". */
  @Override
  public String toString() {
    String set = values.entrySet().stream().map(entry -> entry.getKey() + "=" + shown(entry.getValue())).collect(Collectors.joining(", "));
    return getClass().getSimpleName() + "(" + set + ")";
  }

  private static String shown(Object value) {
    return value instanceof Object[] objects ? Arrays.deepToString(objects) : String.valueOf(value);
  }

  /** The pairs of options that may be null for the defaults. */
  static Object[] pairsOf(Options options) {
    return options == null ? new Object[0] : options.pairs();
  }
}
