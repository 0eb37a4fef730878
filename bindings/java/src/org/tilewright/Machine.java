// SPDX-License-Identifier: Apache-2.0
package org.tilewright;

import java.nio.charset.StandardCharsets;

/**
 * What C calls a system: what the devices of a machine compute and hold, and how they reach each other. It
 * never changes.
 */
public final class Machine extends TilewrightObject {
  private Machine(long address) {
    super(address);
  }

  /**
   * A machine by name or from a file.
   *
   * @param nameOrFile of one that comes with the library, "a100-80g", or a file
   * @return the machine
   * @throws TilewrightException there is neither, or the file is wrong, with line and column
   */
  public static Machine load(String nameOrFile) throws TilewrightException {
    return new Machine(Core.tw_system_load(nameOrFile));
  }

  /**
   * A machine from the text of such a file.
   *
   * @param text of the file
   * @param file what errors and reports call it; null: none
   * @return the machine
   * @throws TilewrightException the text is wrong, with line and column
   */
  public static Machine parse(String text, String file) throws TilewrightException {
    return new Machine(Core.tw_system_parse(text.getBytes(StandardCharsets.UTF_8), file));
  }

  /**
   * How it was loaded.
   *
   * @return the name or the file
   */
  public String name() {
    return Core.tw_system_name(this);
  }

  @Override
  String about() {
    return name();
  }
}
