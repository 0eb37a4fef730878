// SPDX-License-Identifier: Apache-2.0
package org.tilewright;

/**
 * Calls that {@link Tilewright#watch} watches.
 *
 * @param <T> what they give
 * @param <E> what they throw
 */
@FunctionalInterface
public interface Watched<T, E extends Exception> {
  /**
   * Makes the calls.
   *
   * @return what watch returns
   * @throws E as watch then does
   */
  T run() throws E;
}
