// SPDX-License-Identifier: Apache-2.0
package org.tilewright;

/** What the places along an axis are. */
public enum AxisKind implements Coded {
  /** Devices. */
  DEVICES(Constants.TW_AXIS_DEVICES),
  /** Steps, one after the other on one device. */
  SERIAL(Constants.TW_AXIS_SERIAL),
  /** Threads, at once and in the memory of one device. */
  THREADS(Constants.TW_AXIS_THREADS);

  private static final AxisKind[] ALL = values();

  private final int code;

  AxisKind(int code) {
    this.code = code;
  }

  @Override
  public int code() {
    return code;
  }

  static AxisKind of(int code) {
    return Struct.coded(ALL, code);
  }
}
