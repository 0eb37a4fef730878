// SPDX-License-Identifier: Apache-2.0
package org.tilewright;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Redistributions over the same number of devices, bound to threads and scratch memory. One run at a time.
 */
public final class Redistributor extends TilewrightObject {
  /** Of a plan, which may be closed meanwhile: bytes of an element, and of the tiles before and after. */
  private record Sizes(long item, long[] before, long[] after) {
    static Sizes of(Redistribution plan) throws TilewrightException {
      long[] before = new long[plan.numDevices()];
      long[] after = new long[before.length];
      for (int device = 0; device < before.length; ++device) {
        before[device] = plan.tile(Redistribution.Side.BEFORE, device).elements() * plan.itemSize();
        after[device] = plan.tile(Redistribution.Side.AFTER, device).elements() * plan.itemSize();
      }
      return new Sizes(plan.itemSize(), before, after);
    }
  }

  private final List<Sizes> sizes = new ArrayList<>();
  private final boolean shares;

  /**
   * Binds plans.
   *
   * @param plans whose same-numbered steps run at once
   * @param options of the runs; null: the defaults
   * @throws TilewrightException the plans do not go together
   */
  public Redistributor(List<Redistribution> plans, RunOptions options) throws TilewrightException {
    super(Core.tw_redistributor_create(plans.toArray(Redistribution[]::new), Options.pairsOf(options)));
    this.shares = options != null && options.shares;
    for (Redistribution plan : plans) {
      sizes.add(Sizes.of(plan));
    }
  }

  /** How redistributions are run. */
  public static final class RunOptions extends Options {
    private boolean shares;

    /** The defaults. */
    public RunOptions() {}

    /**
     * The threads.
     *
     * @param threads the caller of a run being one of them; 0: one a core
     * @return this
     */
    public RunOptions workers(int threads) {
      set("workers", threads);
      return this;
    }

    /**
     * Source tiles may be overwritten.
     *
     * @return this
     */
    public RunOptions donate() {
      shares = true;
      set("donate", true);
      return this;
    }

    /**
     * Nobody writes to tiles once they are made, so that devices share equal ones.
     *
     * @return this
     */
    public RunOptions share() {
      shares = true;
      set("share", true);
      return this;
    }
  }

  /**
   * Where the target tile of a device lies.
   *
   * @param inSource whether it is the source tile of the device that is named, else its target tile
   * @param device counted in the order of the ids
   */
  public record Home(boolean inSource, int device) {}

  /**
   * Intermediate tiles over all devices and plans, allocated once.
   *
   * @return bytes
   */
  public long scratchBytes() {
    return Core.tw_redistributor_scratch_bytes(this);
  }

  /**
   * Where the target tile of a device lies. Without {@link RunOptions#share()} it is the device's own.
   *
   * @param plan its number
   * @param device counted in the order of the ids
   * @return the place
   * @throws TilewrightException there is no such plan or device
   */
  public Home home(int plan, int device) throws TilewrightException {
    int[] source = new int[1];
    long[] at = new long[1];
    Core.tw_redistributor_home(this, plan, device, source, at);
    return new Home(source[0] != 0, (int) at[0]);
  }

  /**
   * Moves tiles. Nothing is copied but what moves.
   *
   * @param sources a direct buffer for each plan and device (plan-major), all of whose bytes are the tile;
   *     null where a device holds nothing
   * @param targets the same for the tiles after
   * @throws TilewrightException tiles overlap
   * @throws IllegalArgumentException a buffer is on the heap, read-only, or has another size than its
   *     tile or another order than the machine
   */
  public void run(List<ByteBuffer> sources, List<ByteBuffer> targets) throws TilewrightException {
    ByteBuffer[] before = checked(sources, Redistribution.Side.BEFORE);
    Native.redistribute(this, before, checked(targets, Redistribution.Side.AFTER)); // tw_redistributor_run
  }

  private ByteBuffer[] checked(List<ByteBuffer> buffers, Redistribution.Side side) {
    int devices = sizes.get(0).before.length;
    Checks.length("the list of tiles " + side.name().toLowerCase(Locale.ROOT), buffers.size(), (long) sizes.size() * devices);
    ByteBuffer[] memories = new ByteBuffer[buffers.size()];
    for (int i = 0; i < memories.length; ++i) {
      Sizes plan = sizes.get(i / devices);
      long size = (side == Redistribution.Side.BEFORE ? plan.before : plan.after)[i % devices];
      ByteBuffer buffer = buffers.get(i);
      boolean needed = size > 0 && (side == Redistribution.Side.BEFORE || !shares);
      if (buffer == null && needed) {
        throw new IllegalArgumentException("device " + i % devices + " holds " + size + " bytes, but its buffer is null");
      }
      if (buffer != null) {
        memories[i] = buffer.slice();
        Checks.length("the buffer of device " + i % devices, memories[i].capacity(), size);
        Checks.order(buffer, plan.item);
      }
    }
    return memories;
  }

  @Override
  String about() {
    return sizes.size() == 1 ? "1 plan" : sizes.size() + " plans";
  }
}
