// SPDX-License-Identifier: Apache-2.0
package org.tilewright;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.CancellationException;

/** What the core calls: texts and exceptions. */
final class Upcalls {
  private Upcalls() {}

  static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /**
   * The exception of a failure. An error that a callback threw is no failure of the library: it goes on as it
   * is.
   */
  static Throwable failure(
      int status, String text, String id, String file, int line, int column, String[] notes, Throwable cause) {
    return cause instanceof Error
        ? cause
        : new TilewrightException(Status.of(status), text, id, file, line, column, notes, cause);
  }

  /** A line about what happens, from any thread. */
  static void log(System.Logger logger, int level, String area, String text) {
    System.Logger.Level[] levels = {
      System.Logger.Level.ERROR, System.Logger.Level.WARNING, System.Logger.Level.INFO, System.Logger.Level.DEBUG
    };
    logger.log(levels[Math.max(0, Math.min(level, levels.length - 1))], area + ": " + text);
  }

  /** One line about what a callback threw. */
  static String describe(Throwable thrown) {
    return thrown.toString().lines().findFirst().orElse(thrown.getClass().getName());
  }

  static int statusOf(Throwable thrown) {
    if (thrown instanceof TilewrightException failure) {
      return failure.status().code;
    }
    boolean cancelled = thrown instanceof InterruptedException || thrown instanceof CancellationException;
    return cancelled ? Constants.TW_CANCELLED : Constants.TW_INVALID_ARGUMENT;
  }
}
