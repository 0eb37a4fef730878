// SPDX-License-Identifier: Apache-2.0
package org.tilewright;

import java.util.Arrays;
import java.util.List;

/**
 * A dimension of a sharding: the axes that tile it, and how.
 *
 * @param axes major to minor; none for a dimension that is whole
 * @param split where it is cut
 * @param unit elements that stay together, a divisor of the size; 0 is 1
 * @param cuts of {@link Split#CUTS}, in units, and {@link Split#SPANS}
 * @param haloBefore elements before every tile that a device holds too
 * @param haloAfter elements after every tile that a device holds too
 * @param border what stands around the array
 * @param open whether propagation may give it further axes
 * @param priority of what is attached to a builder: lower ones are propagated first
 */
public record DimSharding(
    List<AxisPart> axes,
    Split split,
    long unit,
    List<Long> cuts,
    long haloBefore,
    long haloAfter,
    Border border,
    boolean open,
    int priority) {
  /** A dimension that is whole. */
  public static final DimSharding WHOLE = over();

  /**
   * A dimension in balanced tiles over whole axes.
   *
   * @param axes major to minor
   * @return the dimension
   */
  public static DimSharding over(String... axes) {
    List<AxisPart> parts = Arrays.stream(axes).map(AxisPart::new).toList();
    return new DimSharding(parts, Split.BALANCED, 0, List.of(), 0, 0, Border.ZERO, false, 0);
  }

  static DimSharding of(Struct dim) {
    return new DimSharding(
        dim.structs(Fields.DimSharding.AXES, AxisPart::of),
        Split.of(dim.integer(Fields.DimSharding.SPLIT)),
        dim.number(Fields.DimSharding.UNIT),
        Struct.list(dim.longs(Fields.DimSharding.CUTS)),
        dim.number(Fields.DimSharding.HALO_BEFORE),
        dim.number(Fields.DimSharding.HALO_AFTER),
        Border.of(dim.integer(Fields.DimSharding.BORDER)),
        dim.flag(Fields.DimSharding.IS_OPEN),
        dim.integer(Fields.DimSharding.PRIORITY));
  }

  Object[] pairs() {
    return new Object[] {
      "axes", axes.stream().map(AxisPart::pairs).toArray(Object[][]::new),
      "split", split.code(),
      "unit", unit,
      "cuts", cuts.stream().mapToLong(Long::longValue).toArray(),
      "halo_before", haloBefore,
      "halo_after", haloAfter,
      "border", border.code(),
      "is_open", open ? 1 : 0,
      "priority", priority
    };
  }
}
