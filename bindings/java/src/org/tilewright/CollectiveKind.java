// SPDX-License-Identifier: Apache-2.0
package org.tilewright;

/** What a collective does. */
public enum CollectiveKind implements Coded {
  /** Every device gets the tiles of the others. */
  ALL_GATHER(Constants.TW_COLLECTIVE_ALL_GATHER),
  /** Partial values are combined on every device. */
  ALL_REDUCE(Constants.TW_COLLECTIVE_ALL_REDUCE),
  /** Partial values are combined, each device gets a tile. */
  REDUCE_SCATTER(Constants.TW_COLLECTIVE_REDUCE_SCATTER),
  /** Tiles of one dimension become tiles of another. */
  ALL_TO_ALL(Constants.TW_COLLECTIVE_ALL_TO_ALL),
  /** Tiles go to other devices. */
  PERMUTE(Constants.TW_COLLECTIVE_PERMUTE),
  /** None of these: every device gets what it lacks from who holds it. */
  EXCHANGE(Constants.TW_COLLECTIVE_EXCHANGE);

  private static final CollectiveKind[] ALL = values();

  private final int code;

  CollectiveKind(int code) {
    this.code = code;
  }

  @Override
  public int code() {
    return code;
  }

  static CollectiveKind of(int code) {
    return Struct.coded(ALL, code);
  }
}
