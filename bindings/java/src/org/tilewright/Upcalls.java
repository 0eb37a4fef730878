// SPDX-License-Identifier: Apache-2.0
package org.tilewright;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.CancellationException;
import java.util.regex.Pattern;

/** What the core calls: texts and exceptions. */
final class Upcalls {
  private static final Pattern OPTION = Pattern.compile("\\boptions->([a-z_]+)");
  private static final Pattern METHOD = Pattern.compile("\\btw_(builder|executable|graph|plan|program|search|tensor)_([a-z_]+)\\b");

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
        : new TilewrightException(
            Status.of(status), here(text), id, file, line, column, Arrays.stream(notes).map(Upcalls::here).toArray(String[]::new), cause);
  }

  /** A text of the library with the names that this package has for what C calls otherwise. */
  static String here(String text) {
    if (!text.contains("tw_") && !text.contains("->")) {
      return text;
    }
    String ours = text.replace("--allow-unknown, or allow_unknown of tw_import_options_t", "ImportOptions.allowUnknown");
    ours = OPTION.matcher(ours).replaceAll(name -> camel(name.group(1)));
    return METHOD.matcher(ours).replaceAll(
        name -> Character.toUpperCase(name.group(1).charAt(0)) + name.group(1).substring(1) + "."
            + (name.group(2).matches("begin_region|end_region") ? "region" : camel(name.group(2))));
  }

  /** A report of the library with the names of options that this package has. */
  static String report(String text) {
    return text.replace("(--all)", "(reportAll)").replace("--buckets", "LowerOptions.bucketBytes")
        .replace("--gathers per-use", "LowerOptions.gatherPerUse").replace("--trip-count", "EstimateOptions.tripCount")
        .replace(" (tw: --mesh)", "");
  }

  /** "cap_bytes" as "capBytes". */
  private static String camel(String name) {
    return Pattern.compile("_([a-z])").matcher(name).replaceAll(letter -> letter.group(1).toUpperCase(Locale.ROOT));
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
