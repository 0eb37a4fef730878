// SPDX-License-Identifier: Apache-2.0
package org.tilewright;

/** Arguments that this layer looks at itself, since the core cannot tell their lengths. */
final class Checks {
  private Checks() {}

  static void length(String what, long given, long expected) {
    if (given != expected) {
      throw new IllegalArgumentException(what + " has length " + given + ", not " + expected);
    }
  }

  static long[] rank(String what, long[] numbers, long rank) {
    if (numbers.length != rank) {
      throw new IllegalArgumentException(what + " has " + numbers.length + " numbers, the array " + rank + " dimensions");
    }
    return numbers;
  }
}
