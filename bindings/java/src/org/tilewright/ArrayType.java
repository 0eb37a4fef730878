// SPDX-License-Identifier: Apache-2.0
package org.tilewright;

import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Collectors;

/** The type of an array: its elements and its shape. {@link #toString()} writes it "f32[16,256]". */
public final class ArrayType {
  private final DType dtype;
  private final long[] shape;

  private ArrayType(DType dtype, long[] shape) {
    this.dtype = Objects.requireNonNull(dtype);
    this.shape = shape.clone();
  }

  /**
   * A type.
   *
   * @param dtype of the elements
   * @param shape sizes of the dimensions; none for a scalar
   * @return the type
   */
  public static ArrayType of(DType dtype, long... shape) {
    return new ArrayType(dtype, shape);
  }

  /**
   * The type of the elements.
   *
   * @return never null
   */
  public DType dtype() {
    return dtype;
  }

  /**
   * The sizes of the dimensions.
   *
   * @return a new array
   */
  public long[] shape() {
    return shape.clone();
  }

  /**
   * The number of dimensions.
   *
   * @return 0 for a scalar
   */
  public int rank() {
    return shape.length;
  }

  /**
   * The number of elements.
   *
   * @return 1 for a scalar
   */
  public long elements() {
    return Arrays.stream(shape).reduce(1, Math::multiplyExact);
  }

  /**
   * The size of an array of this type.
   *
   * @return bytes
   */
  public long bytes() {
    return Math.multiplyExact(elements(), dtype.bytes());
  }

  Object[] pairs() {
    return new Object[] {"dtype", dtype.code(), "dims", shape};
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ArrayType type && dtype == type.dtype && Arrays.equals(shape, type.shape);
  }

  @Override
  public int hashCode() {
    return 31 * dtype.hashCode() + Arrays.hashCode(shape);
  }

  @Override
  public String toString() {
    return dtype.text() + Arrays.stream(shape).mapToObj(Long::toString).collect(Collectors.joining(",", "[", "]"));
  }
}
