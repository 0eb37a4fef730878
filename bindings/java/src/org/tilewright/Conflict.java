// SPDX-License-Identifier: Apache-2.0
package org.tilewright;

import java.util.ArrayList;
import java.util.List;

/**
 * What propagation could not decide, or decided neighbours that do not agree.
 *
 * @param kind why
 * @param axis of the mesh
 * @param op where; for a value on which an action was, the op that makes it
 * @param value its first result; -1: it has none
 * @param text all of it in a line, for people
 * @param ways to decide it; of a disagreement the first is what the op does now
 */
public record Conflict(ConflictKind kind, String axis, int op, int value, String text, List<Way> ways) {
  /**
   * One way to decide it.
   *
   * @param kind of the loop
   * @param dim of the first result, or the first operand, that it tiles; -1: none
   * @param reduction of a loop that reduces
   * @param text "tile 0"
   * @param source the neighbour that offers it; -1: none
   * @param action from which that follows
   * @param bytes that the busiest device receives in the program with this decided; -1: not known
   * @param moreBytes than in the program as it stands; meaningless where {@code bytes} is -1
   */
  public record Way(
      LoopKind kind, int dim, Reduction reduction, String text, int source, int action, long bytes, long moreBytes) {
    private static Way of(Struct view) {
      return new Way(
          LoopKind.of(view.integer(Fields.WayView.KIND)),
          view.integer(Fields.WayView.DIM),
          Reduction.of(view.integer(Fields.WayView.REDUCTION)),
          view.text(Fields.WayView.TEXT),
          view.integer(Fields.WayView.SOURCE),
          view.integer(Fields.WayView.ACTION),
          view.number(Fields.WayView.BYTES),
          view.number(Fields.WayView.MORE_BYTES));
    }
  }

  /** The core's list, while it is read. */
  private static final class Conflicts extends TilewrightObject {
    Conflicts(long address) {
      super(address);
    }
  }

  /** Reads the list at an address, which ends here. */
  static List<Conflict> listOf(long address) throws TilewrightException {
    List<Conflict> list = new ArrayList<>();
    try (Conflicts conflicts = new Conflicts(address)) {
      for (long i = 0; i < Core.tw_conflicts_count(conflicts); ++i) {
        Struct view = new Struct(Core.tw_conflicts_view(conflicts, i));
        List<Way> ways = new ArrayList<>();
        for (long way = 0; way < view.number(Fields.ConflictView.NUM_WAYS); ++way) {
          ways.add(Way.of(new Struct(Core.tw_conflicts_way(conflicts, i, way))));
        }
        list.add(
            new Conflict(
                ConflictKind.of(view.integer(Fields.ConflictView.KIND)),
                view.text(Fields.ConflictView.AXIS),
                view.integer(Fields.ConflictView.OP),
                view.integer(Fields.ConflictView.VALUE),
                view.text(Fields.ConflictView.TEXT),
                List.copyOf(ways)));
      }
    }
    return list;
  }
}
