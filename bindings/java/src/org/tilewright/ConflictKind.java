// SPDX-License-Identifier: Apache-2.0
package org.tilewright;

/** Why an axis was not given to an op, or a value moves. */
public enum ConflictKind implements Coded {
  /** Neighbours offer different things, equally near. */
  TIE(Constants.TW_CONFLICT_TIE),
  /** Not every operand is tiled; propagation that infers would go on. */
  GATE(Constants.TW_CONFLICT_GATE),
  /** A reshape would cut inside blocks that stay together. */
  UNEVEN(Constants.TW_CONFLICT_UNEVEN),
  /** A tile inside a reshaped dimension would not be contiguous. */
  STRIDED(Constants.TW_CONFLICT_STRIDED),
  /** Decided, and a neighbour is tiled another way: the value between them moves. */
  MISMATCH(Constants.TW_CONFLICT_MISMATCH),
  /** What a neighbour offers must stay whole in the op. */
  ILLEGAL(Constants.TW_CONFLICT_ILLEGAL);

  private static final ConflictKind[] ALL = values();

  private final int code;

  ConflictKind(int code) {
    this.code = code;
  }

  @Override
  public int code() {
    return code;
  }

  static ConflictKind of(int code) {
    return Struct.coded(ALL, code);
  }
}
