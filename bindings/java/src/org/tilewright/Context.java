// SPDX-License-Identifier: Apache-2.0
package org.tilewright;

/** What executables share: threads, and where messages go. */
public final class Context extends TilewrightObject {
  /**
   * Threads start with the first run.
   *
   * @param workers the caller of a run being one of them; 0: one a core
   * @throws TilewrightException there are fewer than 0
   */
  public Context(int workers) throws TilewrightException {
    this(workers, null);
  }

  /**
   * Threads start with the first run.
   *
   * @param workers the caller of a run being one of them; 0: one a core
   * @param logger is told of what happens, by any thread; what it throws is lost. Null: standard error, as
   *     far as the environment variable TW_LOG asks
   * @throws TilewrightException there are fewer than 0
   */
  public Context(int workers, System.Logger logger) throws TilewrightException {
    super(Native.context(workers, logger)); // tw_context_create
  }
}
