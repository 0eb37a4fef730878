// SPDX-License-Identifier: Apache-2.0
package org.tilewright;

/** What a loop over an axis does to its op. */
public enum LoopKind implements Coded {
  /** Tiles results. */
  TILE(Constants.TW_LOOP_TILE),
  /** Reduces: each turn makes a partial value. */
  REDUCE(Constants.TW_LOOP_REDUCE),
  /** Nothing: the op is kept whole on the axis on purpose. */
  WHOLE(Constants.TW_LOOP_WHOLE);

  private static final LoopKind[] ALL = values();

  private final int code;

  LoopKind(int code) {
    this.code = code;
  }

  @Override
  public int code() {
    return code;
  }

  static LoopKind of(int code) {
    return Struct.coded(ALL, code);
  }
}
