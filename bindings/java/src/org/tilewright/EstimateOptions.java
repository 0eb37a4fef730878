// SPDX-License-Identifier: Apache-2.0
package org.tilewright;

/** Of an estimate. */
public final class EstimateOptions extends Options {
  /** The defaults. */
  public EstimateOptions() {}

  /**
   * Bounds what a device may need.
   *
   * @param bytes 0: what the system's devices have, without their reserve
   * @return this
   */
  public EstimateOptions capBytes(long bytes) {
    set("cap_bytes", bytes);
    return this;
  }

  /**
   * How often loops turn that data end.
   *
   * @param turns 0: the system's guess
   * @return this
   */
  public EstimateOptions tripCount(long turns) {
    set("trip_count", turns);
    return this;
  }

  /**
   * Lets results be written over donated arguments.
   *
   * @return this
   */
  public EstimateOptions donate() {
    set("donate", true);
    return this;
  }
}
