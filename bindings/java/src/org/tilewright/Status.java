// SPDX-License-Identifier: Apache-2.0
package org.tilewright;

/** What can be done about a failure. */
public enum Status {
  /** The input is wrong: fix it. */
  INVALID_ARGUMENT(Constants.TW_INVALID_ARGUMENT),
  /** A name that does not exist: the message lists the nearest. */
  NOT_FOUND(Constants.TW_NOT_FOUND),
  /** An index or size outside its limits. */
  OUT_OF_RANGE(Constants.TW_OUT_OF_RANGE),
  /** A call in the wrong order or state. */
  FAILED_PRECONDITION(Constants.TW_FAILED_PRECONDITION),
  /** Right input, but this build or version cannot do it. */
  UNIMPLEMENTED(Constants.TW_UNIMPLEMENTED),
  /** Out of memory, or over a stated limit. */
  RESOURCE_EXHAUSTED(Constants.TW_RESOURCE_EXHAUSTED),
  /** Somebody asked for it. */
  CANCELLED(Constants.TW_CANCELLED),
  /** A wait ended by its time limit. */
  DEADLINE_EXCEEDED(Constants.TW_DEADLINE_EXCEEDED),
  /** A library, device or peer that is not there. */
  UNAVAILABLE(Constants.TW_UNAVAILABLE),
  /** Another device or process failed first. */
  REMOTE(Constants.TW_REMOTE),
  /** A mistake of the library: please report it. */
  INTERNAL(Constants.TW_INTERNAL),
  /** A device that failed for good: what runs elsewhere goes on. */
  DEVICE_LOST(Constants.TW_DEVICE_LOST);

  final int code;

  Status(int code) {
    this.code = code;
  }

  /** An unknown number is that of a newer library. */
  static Status of(int code) {
    for (Status status : values()) {
      if (status.code == code) {
        return status;
      }
    }
    return INTERNAL;
  }

  /**
   * What messages call it.
   *
   * @return a name such as "invalid_argument"
   */
  public String text() {
    return Core.tw_status_name(code);
  }
}
