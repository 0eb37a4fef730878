// SPDX-License-Identifier: Apache-2.0
package org.tilewright;

import java.util.List;

/**
 * A failure of a call of the library. {@link #getMessage()} is the position, the text and the id, then the
 * notes, one a line. Its cause is what a kernel, a rule or a check threw, where the call failed by that.
 */
public final class TilewrightException extends Exception {
  private static final long serialVersionUID = 1;

  /** What can be done about it. */
  private final Status status;

  /** What is wrong, in one line. */
  private final String text;

  /** A stable id, or "". */
  private final String id;

  /** Where in the caller's text, or "". */
  private final String file;

  /** From 1, or 0. */
  private final int line;

  /** From 1, or 0. */
  private final int column;

  /** Further lines. */
  private final String[] notes;

  TilewrightException(
      Status status, String text, String id, String file, int line, int column, String[] notes, Throwable cause) {
    super(message(text, id, file, line, column, notes), cause);
    this.status = status;
    this.text = text;
    this.id = id;
    this.file = file;
    this.line = line;
    this.column = column;
    this.notes = notes.clone();
  }

  private static String message(String text, String id, String file, int line, int column, String[] notes) {
    StringBuilder all = new StringBuilder();
    if (!file.isEmpty()) {
      all.append(file).append(':');
    }
    if (line > 0) {
      all.append(line).append(':').append(column).append(':');
    }
    all.append(all.length() > 0 ? " " : "").append(text);
    if (!id.isEmpty()) {
      all.append(" [").append(id).append(']');
    }
    for (String note : notes) {
      all.append('\n').append(note);
    }
    return all.toString();
  }

  /**
   * What can be done about it.
   *
   * @return the status
   */
  public Status status() {
    return status;
  }

  /**
   * What is wrong, in one line.
   *
   * @return the text
   */
  public String text() {
    return text;
  }

  /**
   * A stable id, "TW-104"; {@link Tilewright#diagnostics()} lists them.
   *
   * @return the id, or "" where there is none
   */
  public String id() {
    return id;
  }

  /**
   * Where in the caller's text.
   *
   * @return the name of the file, "" where it is about no text
   */
  public String file() {
    return file;
  }

  /**
   * The line in the caller's text.
   *
   * @return a number from 1, 0 where it is about no text
   */
  public int line() {
    return line;
  }

  /**
   * The column in the caller's text.
   *
   * @return a number from 1, 0 where it is about no text
   */
  public int column() {
    return column;
  }

  /**
   * The source line with a caret, nearest names, causes from the outermost to the innermost.
   *
   * @return one line each
   */
  public List<String> notes() {
    return List.of(notes);
  }
}
