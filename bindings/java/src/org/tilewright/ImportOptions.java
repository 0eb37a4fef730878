// SPDX-License-Identifier: Apache-2.0
package org.tilewright;

import java.util.List;

/** How a program is read. */
public final class ImportOptions extends Options {
  private String mesh;

  /** The defaults. */
  public ImportOptions() {}

  /**
   * The name in positions of errors.
   *
   * @param name such as "step.mlir"
   * @return this
   */
  public ImportOptions file(String name) {
    set("file", name);
    return this;
  }

  /**
   * The function to read; without it "main", else the only public one.
   *
   * @param name of the function
   * @return this
   */
  public ImportOptions entry(String name) {
    set("entry", name);
    return this;
  }

  /**
   * Names of the arguments.
   *
   * @param names in order; "" keeps the name that the program gives
   * @return this
   */
  public ImportOptions names(List<String> names) {
    set("names", String.join("\n", names));
    return this;
  }

  /**
   * The name of the names in positions of errors.
   *
   * @param name of a file
   * @return this
   */
  public ImportOptions namesFile(String name) {
    set("names_file", name);
    return this;
  }

  /**
   * What is known of custom calls, as it is now.
   *
   * @param calls by target
   * @return this
   */
  public ImportOptions customCalls(CustomCalls calls) {
    set("custom_calls", calls);
    return this;
  }

  /**
   * Takes unknown ops as custom calls: such a program can be planned, not run.
   *
   * @return this
   */
  public ImportOptions allowUnknown() {
    set("allow_unknown", true);
    return this;
  }

  /**
   * The mesh to plan on, where {@link Graph#plan} is given none: a grid of the shard dialect takes the names
   * of its axes.
   *
   * @param mesh "rows=2,columns=4"
   * @return this
   */
  public ImportOptions mesh(String mesh) {
    this.mesh = mesh;
    set("mesh", mesh);
    return this;
  }

  String mesh() {
    return mesh;
  }
}
