// SPDX-License-Identifier: Apache-2.0
package org.tilewright;

/**
 * An axis, or a part of it: of the places of {@code axis}, cut into parts from major to minor, the part of
 * {@code size} places behind parts of {@code before} places together. Written "model:(2)4".
 *
 * @param axis its name
 * @param before 1 for the most major part, and for a whole axis
 * @param size of the part; given as 0: all that is left
 */
public record AxisPart(String axis, long before, long size) {
  /**
   * A whole axis.
   *
   * @param axis its name
   */
  public AxisPart(String axis) {
    this(axis, 1, 0);
  }

  static AxisPart of(Struct part) {
    return new AxisPart(
        part.text(Fields.AxisPart.AXIS), part.number(Fields.AxisPart.BEFORE), part.number(Fields.AxisPart.SIZE));
  }

  Object[] pairs() {
    return new Object[] {"axis", axis, "before", before, "size", size};
  }
}
