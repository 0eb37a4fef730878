// SPDX-License-Identifier: Apache-2.0
package org.tilewright;

import java.util.List;

/** How one array of known shape lies over one mesh. It never changes. */
public final class Sharding extends TilewrightObject {
  Sharding(long address) {
    super(address);
  }

  /**
   * A sharding from text.
   *
   * @param mesh the mesh
   * @param text "[{data}, {}, {model:(1)2}:ceil] +sum:x"
   * @param shape of the array
   * @return the sharding
   * @throws TilewrightException names the character, the dimension, sizes and axes
   */
  public static Sharding parse(Mesh mesh, String text, long... shape) throws TilewrightException {
    return new Sharding(Core.tw_sharding_parse(mesh, text, shape));
  }

  /**
   * A sharding from its dimensions. An axis stands at most once in all of it.
   *
   * @param mesh the mesh
   * @param shape of the array
   * @param dims one for each dimension
   * @param partials axes over which the array is partial
   * @return the sharding
   * @throws TilewrightException names the dimension, sizes and axes
   */
  public static Sharding of(Mesh mesh, long[] shape, List<DimSharding> dims, List<Partial> partials)
      throws TilewrightException {
    Checks.rank("the list of dimensions", new long[dims.size()], shape.length);
    Object[][] dimPairs = dims.stream().map(DimSharding::pairs).toArray(Object[][]::new);
    Object[][] partialPairs = partials.stream().map(Partial::pairs).toArray(Object[][]::new);
    return new Sharding(Core.tw_sharding_create(mesh, shape, dimPairs, partialPairs));
  }

  /**
   * The mesh, whose axes are cut where the sharding names parts of one.
   *
   * @return a new object
   * @throws TilewrightException there is no memory
   */
  public Mesh mesh() throws TilewrightException {
    return new Mesh(Core.tw_sharding_mesh(this));
  }

  /**
   * The shape of the whole array.
   *
   * @return a new array
   */
  public long[] shape() {
    return Core.tw_sharding_dims(this);
  }

  /**
   * One dimension.
   *
   * @param dim its number
   * @return the axes that tile it, and how
   * @throws TilewrightException there is none
   */
  public DimSharding dim(int dim) throws TilewrightException {
    Checks.numbered("dimension", dim, shape().length);
    return DimSharding.of(new Struct(Core.tw_sharding_dim(this, dim)));
  }

  /**
   * All dimensions.
   *
   * @return in their order
   * @throws TilewrightException there is no memory
   */
  public List<DimSharding> dims() throws TilewrightException {
    DimSharding[] dims = new DimSharding[shape().length];
    for (int i = 0; i < dims.length; ++i) {
      dims[i] = dim(i);
    }
    return List.of(dims);
  }

  /**
   * The axes over which the array is partial.
   *
   * @return none for an array whose values are complete
   * @throws TilewrightException there is no memory
   */
  public List<Partial> partials() throws TilewrightException {
    Partial[] partials = new Partial[(int) Core.tw_sharding_num_partials(this)];
    for (int i = 0; i < partials.length; ++i) {
      partials[i] = Partial.of(new Struct(Core.tw_sharding_partial(this, i)));
    }
    return List.of(partials);
  }

  /**
   * The text that {@link #parse} reads.
   *
   * @return "[{data}, {}]"
   * @throws TilewrightException there is no memory
   */
  public String text() throws TilewrightException {
    return Core.tw_sharding_text(this);
  }

  /**
   * A file that shows the tiles and who holds them.
   *
   * @param name of the array; null or "": none
   * @param dtype of its elements; null: not known
   * @param options null: the defaults
   * @return its bytes
   * @throws TilewrightException an option has no such value
   */
  public byte[] picture(String name, DType dtype, PictureOptions options) throws TilewrightException {
    String type = dtype == null ? null : dtype.text();
    return Core.tw_sharding_picture(this, name, type, Options.pairsOf(options));
  }

  /**
   * Whether every device holds all of the array, and nothing is partial.
   *
   * @return true for an array that is not sharded
   */
  public boolean isWhole() {
    return Core.tw_sharding_is_whole(this) != 0;
  }

  /**
   * The tiles of a dimension.
   *
   * @param dim its number
   * @return the product of its axes
   * @throws IndexOutOfBoundsException there is no such dimension
   */
  public long numTiles(int dim) {
    Checks.number("dimension", dim, shape().length);
    return Core.tw_sharding_num_tiles(this, dim);
  }

  /**
   * What stands at a position of the mesh holds, halos included.
   *
   * @param position row-major
   * @return offset and extent
   * @throws TilewrightException there is no such position
   */
  public Box tile(long position) throws TilewrightException {
    long[] offset = new long[shape().length];
    long[] extent = new long[offset.length];
    Core.tw_sharding_tile(this, position, offset, extent);
    return Box.of(offset, extent);
  }

  /**
   * The largest tile in every dimension: the shape of memory that is large enough on every device.
   *
   * @return a shape
   * @throws TilewrightException there is no memory
   */
  public long[] localShape() throws TilewrightException {
    long[] shape = new long[shape().length];
    Core.tw_sharding_local_dims(this, shape);
    return shape;
  }

  /**
   * Whether the other is a sharding of the same mesh, shape, tiles and partial axes. Closed ones equal
   * themselves only.
   */
  @Override
  public boolean equals(Object other) {
    return other == this
        || other instanceof Sharding sharding
            && !isClosed()
            && !sharding.isClosed()
            && Core.tw_sharding_equal(this, sharding) != 0;
  }

  @Override
  public int hashCode() {
    return isClosed() ? 0 : java.util.Arrays.hashCode(shape());
  }

  @Override
  String about() {
    try {
      return text();
    } catch (TilewrightException error) {
      return error.text();
    }
  }
}
