// SPDX-License-Identifier: Apache-2.0
package org.tilewright;

import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** The values of a struct's fields, as the core returns them; Fields tells where each stands. */
record Struct(Object... values) {
  long number(int at) {
    return (Long) values[at];
  }

  /** Also the handles that are numbers, with -1 for none. */
  int integer(int at) {
    return (int) number(at);
  }

  boolean flag(int at) {
    return number(at) != 0;
  }

  double real(int at) {
    return (Double) values[at];
  }

  String text(int at) {
    return (String) values[at];
  }

  long[] longs(int at) {
    return (long[]) values[at];
  }

  List<Integer> integers(int at) {
    return list((int[]) values[at]);
  }

  Struct inner(int at) {
    return new Struct((Object[]) values[at]);
  }

  <T> List<T> structs(int at, Function<Struct, T> make) {
    return Arrays.stream((Object[]) values[at]).map(fields -> make.apply(new Struct((Object[]) fields))).toList();
  }

  static List<Integer> list(int[] numbers) {
    return Arrays.stream(numbers).boxed().toList();
  }

  static List<Long> list(long[] numbers) {
    return Arrays.stream(numbers).boxed().toList();
  }

  /** The numbers from {@code first} on. */
  static List<Integer> range(int first, int count) {
    return IntStream.range(first, first + count).boxed().toList();
  }

  /** What {@code make} gives for 0 to below {@code count}. */
  static <T> List<T> listOf(long count, IntFunction<T> make) {
    return IntStream.range(0, Math.toIntExact(count)).mapToObj(make).toList();
  }

  /** The constant of an enum that has the code of a number. */
  static <E extends Coded> E coded(E[] values, int code) {
    for (E value : values) {
      if (value.code() == code) {
        return value;
      }
    }
    throw new IllegalStateException("the library has a " + values[0].getClass().getSimpleName() + " that is unknown here: " + code);
  }
}
