// SPDX-License-Identifier: Apache-2.0
package org.tilewright;

/** A constant of the C headers. */
public interface Coded {
  /**
   * Its number there.
   *
   * @return the value of the constant
   */
  int code();
}
