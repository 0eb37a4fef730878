// SPDX-License-Identifier: Apache-2.0
package org.tilewright;

import java.util.function.DoublePredicate;

/** How the results of a run are compared. */
public final class CompareOptions extends Options {
  private DoublePredicate progress;

  /** The defaults. */
  public CompareOptions() {}

  /**
   * What is expected comes from another run, such as the evaluator's, so that no bits of floats are promised.
   *
   * @return this
   */
  public CompareOptions otherRun() {
    set("other_run", true);
    return this;
  }

  /**
   * Bounds the evaluation in double precision.
   *
   * @param limit after which it is given up; 0: 600
   * @return this
   */
  public CompareOptions seconds(double limit) {
    set("seconds", limit);
    return this;
  }

  /**
   * Is asked now and then while the evaluation runs, by the caller's thread.
   *
   * @param stops gets the seconds since it began; true gives it up
   * @return this
   */
  public CompareOptions progress(DoublePredicate stops) {
    progress = stops;
    return this;
  }

  DoublePredicate asked() {
    return progress;
  }
}
