// SPDX-License-Identifier: Apache-2.0
package org.tilewright;

/** Of an environment. */
public final class EnvironmentOptions extends Options {
  /** The defaults. */
  public EnvironmentOptions() {}

  /**
   * Bounds what a device may need.
   *
   * @param bytes 0: what the system's devices have
   * @return this
   */
  public EnvironmentOptions capBytes(long bytes) {
    set("cap_bytes", bytes);
    return this;
  }

  /**
   * What to decide about.
   *
   * @param names of axes, {@code "data,model"}; null: all of devices
   * @return this
   */
  public EnvironmentOptions axes(String names) {
    set("axes", names);
    return this;
  }

  /**
   * Cuts no argument in tiles of more than one size.
   *
   * @return this
   */
  public EnvironmentOptions evenOnly() {
    set("even_only", 1);
    return this;
  }

  /**
   * How plans are lowered.
   *
   * @param options as they are now
   * @return this
   */
  public EnvironmentOptions lower(LowerOptions options) {
    set("lower", options.pairs());
    return this;
  }
}
