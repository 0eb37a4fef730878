// SPDX-License-Identifier: Apache-2.0
package org.tilewright;

/** How partial values combine. */
public enum Reduction implements Coded {
  /** They do not: pieces beside each other. */
  NONE(Constants.TW_REDUCTION_NONE),
  /** By a sum. */
  SUM(Constants.TW_REDUCTION_SUM),
  /** By the maximum. */
  MAX(Constants.TW_REDUCTION_MAX),
  /** By the minimum. */
  MIN(Constants.TW_REDUCTION_MIN),
  /** By a product. */
  PROD(Constants.TW_REDUCTION_PROD),
  /** By a logical or bitwise and. */
  AND(Constants.TW_REDUCTION_AND),
  /** By a logical or bitwise or. */
  OR(Constants.TW_REDUCTION_OR),
  /** By an exclusive or. */
  XOR(Constants.TW_REDUCTION_XOR),
  /** All but one are zero bits; that one is taken. */
  PICK(Constants.TW_REDUCTION_PICK),
  /** By the region of the op that makes them. */
  REGION(Constants.TW_REDUCTION_REGION);

  private static final Reduction[] ALL = values();

  private final int code;

  Reduction(int code) {
    this.code = code;
  }

  @Override
  public int code() {
    return code;
  }

  static Reduction of(int code) {
    return Struct.coded(ALL, code);
  }
}
