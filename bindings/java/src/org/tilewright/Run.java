// SPDX-License-Identifier: Apache-2.0
package org.tilewright;

import java.util.List;

/** One run of an executable. Closing one that is not over cancels it. */
public final class Run extends TilewrightObject {
  private final List<Tensor> outputs;

  Run(long address, List<Tensor> outputs) {
    super(address);
    this.outputs = List.copyOf(outputs);
  }

  /**
   * Whether it is over. Waits for nothing.
   *
   * @return true if so; how it ended is what {@link #await()} then says at once
   * @throws TilewrightException never, unless the library fails
   */
  public boolean isOver() throws TilewrightException {
    int[] over = new int[1];
    Core.tw_run_test(this, over);
    return over[0] != 0;
  }

  /**
   * Works on the run until it is over.
   *
   * @return its outputs
   * @throws TilewrightException how it ended, where it did not succeed; the same again when asked again
   */
  public List<Tensor> await() throws TilewrightException {
    Core.tw_run_wait(this);
    return outputs;
  }

  /**
   * Ends the run on every device at its next instruction; outputs keep their bytes. May be called by any
   * thread.
   *
   * @throws TilewrightException never, unless the library fails
   */
  public void cancel() throws TilewrightException {
    Core.tw_run_cancel(this);
  }
}
