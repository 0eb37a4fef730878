// SPDX-License-Identifier: Apache-2.0
package org.tilewright;

/** What stands around an array where a tile has a halo there. */
public enum Border implements Coded {
  /** Zeros. */
  ZERO(Constants.TW_BORDER_ZERO),
  /** What lies at the other end of the array. */
  WRAP(Constants.TW_BORDER_WRAP),
  /** Nothing: a halo ends where the array does, as it does in programs. */
  NONE(Constants.TW_BORDER_NONE);

  private static final Border[] ALL = values();

  private final int code;

  Border(int code) {
    this.code = code;
  }

  @Override
  public int code() {
    return code;
  }

  static Border of(int code) {
    return Struct.coded(ALL, code);
  }
}
