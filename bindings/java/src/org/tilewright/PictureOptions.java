// SPDX-License-Identifier: Apache-2.0
package org.tilewright;

/** How a picture is drawn. */
public final class PictureOptions extends Options {
  /** The defaults: SVG, which is light or dark as the screen of its reader. */
  public PictureOptions() {}

  /**
   * What file it is.
   *
   * @param form "svg", "png", or "text" for a terminal
   * @return this
   */
  public PictureOptions form(String form) {
    set("form", form);
    return this;
  }

  /**
   * For whose eyes.
   *
   * @param theme "auto", "light", "dark", or "page": SVG inside HTML, where text has the colour of the text
   *     around it
   * @return this
   */
  public PictureOptions theme(String theme) {
    set("theme", theme);
    return this;
  }

  /**
   * The size of PNG.
   *
   * @param scale pixels for each of the picture's own; 0: 2
   * @return this
   */
  public PictureOptions scale(double scale) {
    set("scale", scale);
    return this;
  }

  /**
   * Leaves out the words around the tiles.
   *
   * @return this
   */
  public PictureOptions bare() {
    set("bare", true);
    return this;
  }
}
