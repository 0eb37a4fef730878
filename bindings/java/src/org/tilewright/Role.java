// SPDX-License-Identifier: Apache-2.0
package org.tilewright;

/** What an array is for. */
public enum Role implements Coded {
  /** An argument. */
  PARAMETER(Constants.TW_ROLE_PARAMETER),
  /** An argument that only an update reads, as the moments of Adam. */
  STATE(Constants.TW_ROLE_STATE),
  /** Of the type of a parameter that is updated. */
  GRADIENT(Constants.TW_ROLE_GRADIENT),
  /** None of the others. */
  ACTIVATION(Constants.TW_ROLE_ACTIVATION),
  /** By an all_gather. */
  GATHERED(Constants.TW_ROLE_GATHERED),
  /** Of a collective that neither gathers nor adds. */
  BUFFER(Constants.TW_ROLE_BUFFER);

  private static final Role[] ALL = values();

  private final int code;

  Role(int code) {
    this.code = code;
  }

  @Override
  public int code() {
    return code;
  }

  static Role of(int code) {
    return Struct.coded(ALL, code);
  }
}
