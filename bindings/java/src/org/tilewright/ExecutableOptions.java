// SPDX-License-Identifier: Apache-2.0
package org.tilewright;

/** How a program is bound and run. */
public final class ExecutableOptions extends Options {
  private int observed;
  private boolean tiles;

  /** The defaults. */
  public ExecutableOptions() {}

  /**
   * The threads that it shares with other executables.
   *
   * @param shared null: the default context
   * @return this
   */
  public ExecutableOptions context(Context shared) {
    set("context", shared);
    return this;
  }

  /**
   * Threads of its own, the caller of a run being one of them.
   *
   * @param threads 0: those of the context
   * @return this
   */
  public ExecutableOptions workers(int threads) {
    set("workers", threads);
    return this;
  }

  /**
   * Refuses a program that needs more memory.
   *
   * @param bytes over all devices of this process; 0: no limit
   * @return this
   */
  public ExecutableOptions memoryLimit(long bytes) {
    set("memory_limit", bytes);
    return this;
  }

  /**
   * The processes that run it together.
   *
   * @param processes null: this one alone
   * @return this
   */
  public ExecutableOptions comm(Comm processes) {
    set("comm", processes);
    return this;
  }

  /**
   * With several processes, process 0 gets whole outputs.
   *
   * @return this
   */
  public ExecutableOptions wholeOutputs() {
    set("whole_outputs", true);
    return this;
  }

  /**
   * Notes the processor time of each step.
   *
   * @return this
   */
  public ExecutableOptions profile() {
    return observe(Constants.TW_OBSERVE_PROFILE);
  }

  /**
   * Notes every part of every step.
   *
   * @return this
   */
  public ExecutableOptions trace() {
    return observe(Constants.TW_OBSERVE_TRACE);
  }

  private ExecutableOptions observe(int what) {
    observed |= what;
    set("observe", observed);
    return this;
  }

  /**
   * Runs take and give tiles: of argument or result i, what the k-th of this process's n devices holds is
   * tensor i * n + k.
   *
   * @return this
   */
  public ExecutableOptions tiles() {
    tiles = true;
    set("tiles", true);
    return this;
  }

  boolean hasTiles() {
    return tiles;
  }

  /**
   * Runs may overwrite inputs that the program marks as donated.
   *
   * @return this
   */
  public ExecutableOptions donate() {
    set("donate", true);
    return this;
  }
}
