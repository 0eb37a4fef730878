// SPDX-License-Identifier: Apache-2.0
package org.tilewright;

/** Where a dimension is cut into tiles. */
public enum Split implements Coded {
  /** Tile t of n elements in T tiles is [t*n/T, (t+1)*n/T), rounded down. */
  BALANCED(Constants.TW_SPLIT_BALANCED),
  /** Tiles of n/T elements, rounded up; the last have fewer, or none. */
  CEIL(Constants.TW_SPLIT_CEIL),
  /** At given places, one more than there are tiles. */
  CUTS(Constants.TW_SPLIT_CUTS),
  /** Given intervals, which may overlap: a begin and an end for each tile. */
  SPANS(Constants.TW_SPLIT_SPANS);

  private static final Split[] ALL = values();

  private final int code;

  Split(int code) {
    this.code = code;
  }

  @Override
  public int code() {
    return code;
  }

  static Split of(int code) {
    return Struct.coded(ALL, code);
  }
}
