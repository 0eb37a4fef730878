// SPDX-License-Identifier: Apache-2.0
package org.tilewright;

/** How a plan begins and propagates. */
public final class PlanOptions extends Options {
  /** The defaults. */
  public PlanOptions() {}

  /**
   * What propagation does where it has a choice.
   *
   * @param name "conservative", "shardy", "cheapest" or "explicit"
   * @return this
   */
  public PlanOptions policy(String name) {
    set("policy", name);
    return this;
  }

  /**
   * Leaves the annotations and loops of the module out.
   *
   * @return this
   */
  public PlanOptions ignoreAnnotations() {
    set("ignore_annotations", true);
    return this;
  }
}
