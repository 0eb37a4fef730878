// SPDX-License-Identifier: Apache-2.0
package org.tilewright;

import java.lang.ref.Cleaner;

/**
 * Holds one reference to an object of the library, given up by {@link #close()}, at the end of a
 * try-with-resources, or when nobody reaches the object any more. Objects keep what they are made of alive,
 * so they may be closed in any order.
 *
 * <p>Using a closed object throws IllegalStateException, and so does closing or changing one that another
 * thread uses.
 */
public abstract class TilewrightObject implements AutoCloseable {
  static final Cleaner CLEANER = Cleaner.create();

  /** Of the core's record. */
  final long address;

  TilewrightObject(long address) {
    this.address = address;
    CLEANER.register(this, new End(address));
  }

  /** Ends the core's record. It must not know the object. */
  private record End(long address) implements Runnable {
    @Override
    public void run() {
      Native.free(address);
    }
  }

  /** Gives the object up. Closing again does nothing. */
  @Override
  public void close() {
    Native.close(this);
  }

  /**
   * Whether {@link #close()} was called.
   *
   * @return true for an object that nothing can be done with
   */
  public final boolean isClosed() {
    return Native.isClosed(this);
  }

  /** What {@link #toString()} says of an object that is open. */
  String about() {
    return "";
  }

  @Override
  public String toString() {
    String about = isClosed() ? "closed" : about();
    return getClass().getSimpleName() + (about.isEmpty() ? "" : "(" + about + ")");
  }
}
