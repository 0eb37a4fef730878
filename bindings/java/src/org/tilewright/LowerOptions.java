// SPDX-License-Identifier: Apache-2.0
package org.tilewright;

/** How a plan is lowered. */
public final class LowerOptions extends Options {
  /** The defaults. */
  public LowerOptions() {}

  /**
   * Optimisations to leave out.
   *
   * @param names such as "fuse_moves"; the error about an unknown one lists all
   * @return this
   */
  public LowerOptions without(String... names) {
    set("without", names);
    return this;
  }

  /**
   * Gathers an argument for each use again, not once for all: that keeps the peak low.
   *
   * @return this
   */
  public LowerOptions gatherPerUse() {
    set("gather_per_use", true);
    return this;
  }

  /**
   * Combines small all_reduces.
   *
   * @param bytes of a combined one, at most; 0: none are combined
   * @return this
   */
  public LowerOptions bucketBytes(long bytes) {
    set("bucket_bytes", bytes);
    return this;
  }

  /**
   * Which devices are near each other, outermost level first.
   *
   * @param text "node=2", "node=2,socket=2" or "node=[[0,1,4,5],[2,3,6,7]]"
   * @return this
   */
  public LowerOptions levels(String text) {
    set("levels", text);
    return this;
  }

  /**
   * Levels change no bits: sums go straight, in the order of the devices.
   *
   * @return this
   */
  public LowerOptions keepSumOrder() {
    set("keep_sum_order", true);
    return this;
  }

  /**
   * Bounds what a planned collective may hold at once on a device, beside operand and result.
   *
   * @param bytes 0: no limit
   * @return this
   */
  public LowerOptions scratchBytes(long bytes) {
    set("scratch_bytes", bytes);
    return this;
  }

  /**
   * Bounds what a value takes on a device that moves before a loop, and lies there as long as it runs.
   *
   * @param bytes 0: no limit
   * @return this
   */
  public LowerOptions hoistLimit(long bytes) {
    set("hoist_limit", bytes);
    return this;
  }
}
