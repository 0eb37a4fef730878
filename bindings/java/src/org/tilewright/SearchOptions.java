// SPDX-License-Identifier: Apache-2.0
package org.tilewright;

/** Of a search. */
public final class SearchOptions extends Options {
  private long cap;

  /** The defaults. */
  public SearchOptions() {}

  /**
   * Bounds what a device may need.
   *
   * @param bytes 0: what the system's devices have
   * @return this
   */
  public SearchOptions capBytes(long bytes) {
    cap = bytes;
    set("cap_bytes", bytes);
    return this;
  }

  long capBytes() {
    return cap;
  }

  /**
   * Bounds how many plans are priced.
   *
   * @param plans and as many again each time that what was found does not fit; 0: 1000, or no limit where
   *     seconds are given
   * @return this
   */
  public SearchOptions episodes(long plans) {
    set("episodes", plans);
    return this;
  }

  /**
   * Bounds the time. What is found then depends on the machine.
   *
   * @param most 0: no limit
   * @return this
   */
  public SearchOptions seconds(double most) {
    set("seconds", most);
    return this;
  }

  /**
   * Of what is drawn.
   *
   * @param number any
   * @return this
   */
  public SearchOptions seed(long number) {
    set("seed", number);
    return this;
  }

  /**
   * The threads. Results do not depend on it.
   *
   * @param threads the caller of run being one of them; 0: one a core
   * @return this
   */
  public SearchOptions threads(int threads) {
    set("threads", threads);
    return this;
  }

  /**
   * What to decide about.
   *
   * @param names of axes, {@code "data,model"}; null: all of devices
   * @return this
   */
  public SearchOptions axes(String names) {
    set("axes", names);
    return this;
  }

  /**
   * Cuts no argument in tiles of more than one size.
   *
   * @return this
   */
  public SearchOptions evenOnly() {
    set("even_only", 1);
    return this;
  }

  /**
   * Keeps answers in a folder, for who asks the same again of a program that differs in names alone.
   *
   * @param folder made where it is not there; null: none
   * @return this
   */
  public SearchOptions cache(String folder) {
    set("cache", folder);
    return this;
  }

  /**
   * Raises the bound behind the search as far as can be proven.
   *
   * @return this
   */
  public SearchOptions exact() {
    set("exact", 1);
    return this;
  }

  /**
   * Ends the search once no plan can be cheaper by more than this part of the cost.
   *
   * @param part 0.02 is 2 %; 0: it is not asked for
   * @return this
   */
  public SearchOptions gap(double part) {
    set("gap", part);
    return this;
  }

  /**
   * How plans are lowered.
   *
   * @param options as they are now
   * @return this
   */
  public SearchOptions lower(LowerOptions options) {
    set("lower", options.pairs());
    return this;
  }
}
