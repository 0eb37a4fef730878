// SPDX-License-Identifier: Apache-2.0
package org.tilewright;

/** What decides how long a step takes. */
public enum Bound implements Coded {
  /** Its operations. */
  COMPUTE(Constants.TW_BOUND_COMPUTE),
  /** What it reads and writes. */
  MEMORY(Constants.TW_BOUND_MEMORY),
  /** What moves between devices. */
  LINK(Constants.TW_BOUND_LINK);

  private static final Bound[] ALL = values();

  private final int code;

  Bound(int code) {
    this.code = code;
  }

  @Override
  public int code() {
    return code;
  }

  static Bound of(int code) {
    return Struct.coded(ALL, code);
  }
}
