// SPDX-License-Identifier: Apache-2.0
package org.tilewright;

import java.util.Arrays;

/** How a redistribution is planned. */
public final class RedistributionOptions extends Options {
  private DType dtype = DType.F32;

  /** The defaults. */
  public RedistributionOptions() {}

  /**
   * What a link costs: a step takes alpha + peers * message + bytes / bandwidth.
   *
   * @param alphaUs of a step, in microseconds
   * @param messageUs of a message, in microseconds
   * @param gbPerS 10^9 bytes a second
   */
  public record Link(double alphaUs, double messageUs, double gbPerS) {
    private Object[] pairs() {
      return new Object[] {"alpha_us", alphaUs, "message_us", messageUs, "gb_per_s", gbPerS};
    }
  }

  /**
   * The method.
   *
   * @param name "auto", "direct", "level", "relay", "scalar" or "vector"
   * @return this
   */
  public RedistributionOptions method(String name) {
    set("method", name);
    return this;
  }

  /**
   * The way to go, instead of a method: checked and priced.
   *
   * @param lines "allgather 0", "alltoall 0 1", "dynslice 0 x", "allpermute", or the types between them
   * @return this
   */
  public RedistributionOptions steps(String... lines) {
    set("steps", String.join("\n", lines));
    return this;
  }

  /**
   * Devices of the mesh before that are gone, with what they held: see {@link Redistribution#missing()}.
   *
   * @param ids of the devices
   * @return this
   */
  public RedistributionOptions lost(long... ids) {
    set("lost", ids);
    return this;
  }

  /**
   * Which devices are near each other, outermost level first.
   *
   * @param text "node=2,socket=2"
   * @return this
   */
  public RedistributionOptions levels(String text) {
    set("levels", text);
    return this;
  }

  /**
   * The element type of types that name none.
   *
   * @param dtype without it F32
   * @return this
   */
  public RedistributionOptions dtype(DType dtype) {
    this.dtype = dtype;
    set("dtype", dtype.code());
    return this;
  }

  DType dtype() {
    return dtype;
  }

  /**
   * Bounds the intermediate tiles that a device may hold at once.
   *
   * @param bytes 0: no limit; negative: none
   * @return this
   */
  public RedistributionOptions scratchBytes(long bytes) {
    set("scratch_bytes", bytes);
    return this;
  }

  /**
   * Bounds the tile of any buffer.
   *
   * @param bytes 0: the larger of source and target tile
   * @return this
   */
  public RedistributionOptions heightBytes(long bytes) {
    set("height_bytes", bytes);
    return this;
  }

  /**
   * The links.
   *
   * @param links one a level, outermost first, then that inside the innermost groups
   * @return this
   */
  public RedistributionOptions links(Link... links) {
    set("links", Arrays.stream(links).map(Link::pairs).toArray(Object[][]::new));
    return this;
  }

  /**
   * What a copy on a device costs.
   *
   * @param gbPerS 10^9 bytes a second; 0: as on this machine
   * @return this
   */
  public RedistributionOptions copyGbPerS(double gbPerS) {
    set("copy_gb_per_s", gbPerS);
    return this;
  }
}
