// SPDX-License-Identifier: Apache-2.0
package org.tilewright;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Arguments that this layer looks at itself, since the core cannot tell their lengths. */
final class Checks {
  private Checks() {}

  static void length(String what, long given, long expected) {
    if (given != expected) {
      throw new IllegalArgumentException(what + " has length " + given + ", not " + expected);
    }
  }

  /** Whether a number is that of one of {@code count} things, which count from 0. */
  static void number(String what, long number, long count) {
    if (number < 0 || number >= count) {
      throw new IndexOutOfBoundsException(none(what, number, count));
    }
  }

  /** The same where the library is asked, whose failure it then is. */
  static void numbered(String what, long number, long count) throws TilewrightException {
    if (number < 0 || number >= count) {
      throw new TilewrightException(
          Status.OUT_OF_RANGE, none(what, number, count), "TW-707", "", 0, 0, new String[0], null);
    }
  }

  private static String none(String what, long number, long count) {
    String numbers = count == 1 ? "there is 1, number 0" : "there are " + count + ", numbered 0 to " + (count - 1);
    return "there is no " + what + " " + number + ": " + (count == 0 ? "there is none" : numbers);
  }

  /** What was put into a buffer of the other order has its bytes the wrong way round for the library. */
  static void order(ByteBuffer buffer, long elementBytes) {
    ByteOrder order = buffer.order();
    if (elementBytes > 1 && buffer.isDirect() && buffer.hasRemaining() && !order.equals(ByteOrder.nativeOrder())) {
      throw new IllegalArgumentException(
          "the buffer is " + order + " and elements have the order of the machine, " + ByteOrder.nativeOrder()
              + ": call order(ByteOrder.nativeOrder()) before elements are put; slices, duplicates and read-only views begin as BIG_ENDIAN");
    }
  }

  static long[] rank(String what, long[] numbers, long rank) {
    if (numbers.length != rank) {
      throw new IllegalArgumentException(what + " has " + numbers.length + " numbers, the array " + rank + " dimensions");
    }
    return numbers;
  }
}
