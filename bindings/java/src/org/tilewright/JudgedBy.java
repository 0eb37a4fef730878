// SPDX-License-Identifier: Apache-2.0
package org.tilewright;

/** The rule that decided a comparison. */
public enum JudgedBy implements Coded {
  /** Every element has the same bits; any NaN equals any other. */
  BITS(Constants.TW_JUDGED_BY_BITS),
  /** The largest relative difference is at most the tolerance. */
  TOLERANCE(Constants.TW_JUDGED_BY_TOLERANCE),
  /** It is no more than 4 times as far from the program in double precision as what was expected. */
  DOUBLE(Constants.TW_JUDGED_BY_DOUBLE);

  private static final JudgedBy[] ALL = values();

  private final int code;

  JudgedBy(int code) {
    this.code = code;
  }

  @Override
  public int code() {
    return code;
  }

  static JudgedBy of(int code) {
    return Struct.coded(ALL, code);
  }
}
