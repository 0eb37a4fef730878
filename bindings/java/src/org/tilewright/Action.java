// SPDX-License-Identifier: Apache-2.0
package org.tilewright;

/**
 * A step that a plan applied: a line of a spec, an annotation of the module, a call such as {@link
 * Plan#tile}.
 *
 * @param text as written
 * @param file "" where it stands in no text
 * @param line from 1; 0: it stands in no line
 * @param column from 1
 */
public record Action(String text, String file, int line, int column) {
  static Action of(Struct view) {
    return new Action(
        view.text(Fields.ActionView.TEXT),
        view.text(Fields.ActionView.FILE),
        view.integer(Fields.ActionView.LINE),
        view.integer(Fields.ActionView.COLUMN));
  }
}
