// SPDX-License-Identifier: Apache-2.0
package org.tilewright;

/** Threads that executables share. */
public final class Context extends TilewrightObject {
  /**
   * Threads start with the first run.
   *
   * @param workers the caller of a run being one of them; 0: one a core
   * @throws TilewrightException there are fewer than 0
   */
  public Context(int workers) throws TilewrightException {
    super(Core.tw_context_create(new Object[] {"workers", workers}));
  }
}
