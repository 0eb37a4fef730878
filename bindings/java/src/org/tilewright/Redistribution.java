// SPDX-License-Identifier: Apache-2.0
// Longer than 450 lines: all that a plan answers is a method of its class, with its comment.
package org.tilewright;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A plan that moves an array from one sharding to another. It never changes. Devices are counted in the order
 * of their ids.
 */
public final class Redistribution extends TilewrightObject {
  private static final Pattern ELEMENT_TYPE = Pattern.compile("\\s*([A-Za-z]\\w*(?:<\\w+>)?)\\s*\\[.*", Pattern.DOTALL);
  private static final Pattern DTYPE = Pattern.compile("\"dtype\": *\"([^\"]*)\"");

  private final DType dtype;

  Redistribution(long address, DType dtype) {
    super(address);
    this.dtype = dtype;
  }

  /** The array before a redistribution, or after it. */
  public enum Side {
    /** As it lies before. */
    BEFORE,
    /** As it lies after. */
    AFTER
  }

  /**
   * The bytes that a device must receive in any plan.
   *
   * @param most over all devices
   * @param mean over all devices
   */
  public record Bound(long most, double mean) {}

  /**
   * The best plan on one mesh.
   *
   * @param mesh the mesh
   * @param source "f32[1024,1024] [{x},{}]"
   * @param target "[{},{x}]"
   * @return the plan
   * @throws TilewrightException a type or the pair is wrong
   */
  public static Redistribution plan(Mesh mesh, String source, String target) throws TilewrightException {
    return plan(mesh, source, null, target, null);
  }

  /**
   * The best plan from one mesh to another.
   *
   * @param sourceMesh the mesh before
   * @param source "f32[1024,1024] [{x},{}]"
   * @param targetMesh the mesh after; null: the same
   * @param target "[{},{x}]"
   * @param options null: the defaults
   * @return the plan
   * @throws TilewrightException a type or the pair is wrong, or no plan fits the budget
   */
  public static Redistribution plan(
      Mesh sourceMesh, String source, Mesh targetMesh, String target, RedistributionOptions options)
      throws TilewrightException {
    DType unnamed = options == null ? DType.F32 : options.dtype();
    return new Redistribution(
        Core.tw_redistribution_plan(sourceMesh, source, targetMesh, target, Options.pairsOf(options)),
        named(source, named(target, unnamed)));
  }

  /**
   * The best plan between layouts that are at hand, such as those of the state of two programs.
   *
   * @param source the layout before
   * @param target the layout after, of the same array
   * @param dtype of the elements
   * @param options null: the defaults
   * @return the plan
   * @throws TilewrightException the pair is wrong, or no plan fits the budget
   */
  public static Redistribution between(
      Sharding source, Sharding target, DType dtype, RedistributionOptions options) throws TilewrightException {
    return new Redistribution(
        Core.tw_redistribution_between(source, target, dtype.code(), Options.pairsOf(options)), dtype);
  }

  /** The element type that a text begins with, else another. */
  private static DType named(String text, DType unnamed) {
    Matcher matcher = ELEMENT_TYPE.matcher(text);
    return matcher.matches() ? DType.named(matcher.group(1)) : unnamed;
  }

  /**
   * A plan from what {@link #save()} made, checked.
   *
   * @param bytes of the plan
   * @return the plan
   * @throws TilewrightException the bytes are no plan, or a wrong one
   */
  public static Redistribution load(byte[] bytes) throws TilewrightException {
    Redistribution untyped = new Redistribution(Core.tw_redistribution_load(bytes), null);
    try (untyped) {
      Matcher matcher = DTYPE.matcher(untyped.info(false));
      if (!matcher.find()) {
        throw new IllegalStateException("the plan does not say its element type");
      }
      return new Redistribution(Core.tw_redistribution_load(bytes), DType.named(matcher.group(1)));
    }
  }

  /**
   * The plan as bytes, for this API version.
   *
   * @return for {@link #load}
   * @throws TilewrightException there is no memory
   */
  public byte[] save() throws TilewrightException {
    return Core.tw_redistribution_save(this);
  }

  /**
   * A file that shows the array before and after, and who sends what.
   *
   * @param name of the array; null or "": none
   * @param options null: the defaults
   * @return its bytes
   * @throws TilewrightException an option has no such value
   */
  public byte[] picture(String name, PictureOptions options) throws TilewrightException {
    return Core.tw_redistribution_picture(this, name, Options.pairsOf(options));
  }

  /**
   * The ids of the devices of both meshes.
   *
   * @return in the order in which devices are counted
   */
  public List<Long> deviceIds() {
    return Struct.listOf(numDevices(), device -> Core.tw_redistribution_device_id(this, device));
  }

  /**
   * The devices of both meshes.
   *
   * @return how many
   */
  public int numDevices() {
    return (int) Core.tw_redistribution_num_devices(this);
  }

  /**
   * Dimensions of the array.
   *
   * @return at least 1
   */
  public int rank() {
    return (int) Core.tw_redistribution_rank(this);
  }

  /**
   * The type of the elements.
   *
   * @return never null
   */
  public DType dtype() {
    return dtype;
  }

  /**
   * The size of an element.
   *
   * @return bytes
   */
  public long itemSize() {
    return Core.tw_redistribution_item_size(this);
  }

  /**
   * The tile of a device, halos included.
   *
   * @param side before or after
   * @param device counted in the order of the ids
   * @return offset and extent
   * @throws TilewrightException there is no such device
   */
  public Box tile(Side side, int device) throws TilewrightException {
    long[] offset = new long[rank()];
    long[] extent = new long[rank()];
    Core.tw_redistribution_tile(this, side.ordinal(), device, offset, extent);
    return Box.of(offset, extent);
  }

  /**
   * The element of the array for which coordinates in tiles of a side stand.
   *
   * @param side before or after
   * @param coordinates by dimension
   * @return empty: a halo lies around the array there
   */
  public Optional<List<Long>> element(Side side, long... coordinates) {
    long[] index = new long[rank()];
    Checks.rank("the list of coordinates", coordinates, index.length);
    boolean found = Core.tw_redistribution_element(this, side.ordinal(), coordinates, index) == 1;
    return found ? Optional.of(Struct.list(index)) : Optional.empty();
  }

  /**
   * A part of the target tile of a device that no other device has.
   *
   * @param device counted in the order of the ids
   * @param box in the array
   */
  public record Missing(int device, Box box) {}

  /**
   * Where devices are lost: what no other device has. What these parts hold after a run means nothing.
   *
   * @return in the order of the devices
   * @throws TilewrightException there is no memory
   */
  public List<Missing> missing() throws TilewrightException {
    List<Missing> all = new ArrayList<>();
    long count = Core.tw_redistribution_num_missing(this);
    for (long part = 0; part < count; ++part) {
      long[] device = new long[1];
      long[] offset = new long[rank()];
      long[] extent = new long[rank()];
      Core.tw_redistribution_missing(this, part, device, offset, extent);
      all.add(new Missing((int) device[0], Box.of(offset, extent)));
    }
    return all;
  }

  /**
   * Whether partial values are combined on the way.
   *
   * @return true if so
   */
  public boolean combines() {
    return Core.tw_redistribution_combines(this) != 0;
  }

  /**
   * The steps.
   *
   * @return how many
   */
  public int numSteps() {
    return (int) Core.tw_redistribution_num_steps(this);
  }

  /**
   * The method.
   *
   * @return "direct", "level", ..
   */
  public String method() {
    return Core.tw_redistribution_method(this);
  }

  /**
   * What a device receives over all steps.
   *
   * @param device counted in the order of the ids
   * @return bytes
   * @throws IndexOutOfBoundsException there is no such device
   */
  public long bytesReceived(int device) {
    Checks.number("device", device, numDevices());
    return Core.tw_redistribution_bytes_received(this, device);
  }

  /**
   * What a device must receive at least in any plan.
   *
   * @return bytes
   * @throws TilewrightException there is no memory
   */
  public Bound bound() throws TilewrightException {
    long[] most = new long[1];
    double[] mean = new double[1];
    Core.tw_redistribution_bound(this, most, mean);
    return new Bound(most[0], mean[0]);
  }

  /**
   * Intermediate tiles that a device holds at once.
   *
   * @return bytes
   */
  public long scratchBytes() {
    return Core.tw_redistribution_scratch_bytes(this);
  }

  /**
   * The largest tile of any buffer.
   *
   * @return bytes
   */
  public long heightBytes() {
    return Core.tw_redistribution_height_bytes(this);
  }

  /**
   * Whether no plan of the method costs less, with a proof.
   *
   * @return true if so
   */
  public boolean isExact() {
    return Core.tw_redistribution_exact(this) != 0;
  }

  /**
   * Equal plans have equal hashes, whoever made them.
   *
   * @return the hash of the library, to compare across processes
   */
  public long planHash() {
    return Core.tw_redistribution_hash(this);
  }

  /**
   * All about the plan.
   *
   * @param check whether to replay it too
   * @return JSON as {@code tw redistribute --json} prints it
   * @throws TilewrightException the check found a mistake
   */
  public String info(boolean check) throws TilewrightException {
    return Core.tw_redistribution_json(this, check ? 1 : 0);
  }

  /**
   * The same for people.
   *
   * @param check whether to replay it too
   * @param width of tables in columns; 0: no limit
   * @return text
   * @throws TilewrightException the check found a mistake
   */
  public String report(boolean check, int width) throws TilewrightException {
    return Core.tw_redistribution_report(this, check ? 1 : 0, width);
  }

  /**
   * Plans none of which is both faster and smaller than another.
   *
   * @return JSON
   * @throws TilewrightException there is no memory
   */
  public String pareto() throws TilewrightException {
    return Core.tw_redistribution_pareto(this);
  }

  /**
   * Replays the plan with code that no planner uses.
   *
   * @return this
   * @throws TilewrightException names what is wrong
   */
  public Redistribution check() throws TilewrightException {
    Core.tw_redistribution_check(this);
    return this;
  }

  /**
   * Moves tiles, once. {@link Redistributor} moves them many times.
   *
   * @param tiles one for each device, before: of the plan's element type, in the tile's shape or flat in one
   *     dimension; one of U8 is taken for the bytes of such elements
   * @return new tensors, one for each device, after
   * @throws TilewrightException the library fails
   * @throws IllegalArgumentException a tile has another type or shape than the plan's
   */
  public List<Tensor> run(List<Tensor> tiles) throws TilewrightException {
    Checks.length("the list of tiles before", tiles.size(), numDevices());
    List<ByteBuffer> sources = new ArrayList<>();
    for (int device = 0; device < tiles.size(); ++device) {
      sources.add(checked(tiles.get(device), device));
    }
    List<Tensor> after = newTiles();
    try (Redistributor mover = new Redistributor(List.of(this), new Redistributor.RunOptions().workers(1))) {
      mover.run(sources, after.stream().map(Tensor::buffer).toList());
    }
    return after;
  }

  /** The memory of a tile before, which may be null where the device holds nothing. */
  private ByteBuffer checked(Tensor tile, int device) throws TilewrightException {
    if (tile == null) {
      return null;
    }
    ArrayType given = tile.type();
    ArrayType wanted = ArrayType.of(dtype, tile(Side.BEFORE, device).shape());
    boolean raw = given.dtype() == DType.U8 && dtype != DType.U8;
    if (!raw && wanted.elements() > 0) {
      String about = "the tile of device " + device + " is ";
      if (given.dtype() != dtype) {
        String does = combines() ? ", the plan combines " : ", the plan moves ";
        throw new IllegalArgumentException(about + given.dtype().text() + does + dtype.text());
      }
      if (!given.equals(wanted) && !(given.rank() == 1 && given.elements() == wanted.elements())) {
        throw new IllegalArgumentException(
            about + Arrays.toString(given.shape()) + ", the plan wants " + Arrays.toString(wanted.shape()));
      }
    }
    return tile.buffer();
  }

  /**
   * Zero-filled tensors for the tiles after.
   *
   * @return one for each device
   * @throws TilewrightException there is no memory
   */
  public List<Tensor> newTiles() throws TilewrightException {
    List<Tensor> tiles = new ArrayList<>();
    for (int device = 0; device < numDevices(); ++device) {
      tiles.add(Tensor.zeros(dtype, tile(Side.AFTER, device).shape()));
    }
    return tiles;
  }

  /**
   * The same, said with its element type.
   *
   * @param type the plan's
   * @return one for each device
   * @throws TilewrightException there is no memory
   * @throws IllegalArgumentException the plan is of another type
   */
  public List<Tensor> newTiles(DType type) throws TilewrightException {
    if (type != dtype) {
      throw new IllegalArgumentException("the plan is of " + dtype.text() + ", not of " + type.text());
    }
    return newTiles();
  }

  /** Equal plans do the same. */
  @Override
  public boolean equals(Object other) {
    return this == other
        || other instanceof Redistribution plan && !isClosed() && !plan.isClosed() && planHash() == plan.planHash();
  }

  @Override
  public int hashCode() {
    return isClosed() ? 0 : Long.hashCode(planHash());
  }

  @Override
  String about() {
    return method() + ", " + numSteps() + (numSteps() == 1 ? " step on " : " steps on ") + numDevices() + " devices";
  }
}
