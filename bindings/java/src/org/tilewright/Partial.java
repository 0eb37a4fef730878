// SPDX-License-Identifier: Apache-2.0
package org.tilewright;

/**
 * An axis, or a part of one, over which a value is partial: what the devices along it hold is still to be
 * combined.
 *
 * @param part the axis
 * @param reduction how they combine
 */
public record Partial(AxisPart part, Reduction reduction) {
  static Partial of(Struct partial) {
    return new Partial(
        AxisPart.of(partial.inner(Fields.Partial.PART)), Reduction.of(partial.integer(Fields.Partial.REDUCTION)));
  }

  Object[] pairs() {
    return new Object[] {"part", part.pairs(), "reduction", reduction.code()};
  }
}
