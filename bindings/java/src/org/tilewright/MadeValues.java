// SPDX-License-Identifier: Apache-2.0
package org.tilewright;

import java.util.Arrays;
import java.util.List;

/** Values that a call of a builder writes. */
final class MadeValues {
  private MadeValues() {}

  /** Places for at most so many. */
  static int[] places(int count) {
    int[] numbers = new int[count];
    Arrays.fill(numbers, Constants.TW_NO_VALUE);
    return numbers;
  }

  /**
   * What was made of at most so many; after a mistake values that stand for nothing, so that callers need not
   * look.
   */
  static List<Builder.Value> of(Builder builder, int[] numbers) {
    List<Builder.Value> all = Arrays.stream(numbers).mapToObj(number -> new Builder.Value(builder, number)).toList();
    List<Builder.Value> made = all.stream().filter(value -> value.number() != Constants.TW_NO_VALUE).toList();
    return made.isEmpty() ? all : made;
  }
}
