// SPDX-License-Identifier: Apache-2.0
package org.tilewright;

import java.util.Arrays;
import java.util.List;

/**
 * A part of an array: {@code extent} elements from {@code offset} on in every dimension. Extents may be 0;
 * with halos a part may begin below 0 and end behind the array.
 *
 * @param offset where it begins, by dimension
 * @param extent its sizes, by dimension
 */
public record Box(List<Long> offset, List<Long> extent) {
  static Box of(long[] offset, long[] extent) {
    return new Box(Struct.list(offset), Struct.list(extent));
  }

  /**
   * The sizes as a shape.
   *
   * @return a new array
   */
  public long[] shape() {
    return extent.stream().mapToLong(Long::longValue).toArray();
  }

  /**
   * The number of elements.
   *
   * @return 0 where there is nothing
   */
  public long elements() {
    return Arrays.stream(shape()).reduce(1, Math::multiplyExact);
  }
}
