// SPDX-License-Identifier: Apache-2.0
package org.tilewright;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Hashtable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Named axes over devices, row-major: the first axis is the slowest. It never changes. */
public final class Mesh extends TilewrightObject {
  Mesh(long address) {
    super(address);
  }

  /**
   * A mesh from text.
   *
   * @param text "data=2,model=4"; "" is the mesh of one device
   * @return the mesh
   * @throws TilewrightException names the part that does not read as axes
   */
  public static Mesh parse(String text) throws TilewrightException {
    return new Mesh(Core.tw_mesh_parse(text));
  }

  /**
   * A mesh of axes in the order of the map, the slowest first, as of a {@link LinkedHashMap}.
   *
   * @param axes names with sizes
   * @return the mesh
   * @throws TilewrightException names the axis that is wrong
   * @throws IllegalArgumentException the map keeps no order, as Map.of and HashMap
   */
  public static Mesh of(Map<String, Integer> axes) throws TilewrightException {
    if (axes.size() > 1 && hasNoOrder(axes)) {
      throw new IllegalArgumentException(
          "Map.of, HashMap and their like keep no order of axes: give a LinkedHashMap, "
              + "Map.entry(\"data\", 2), Map.entry(\"model\", 4), or \"data\", 2, \"model\", 4");
    }
    return of(axes.entrySet());
  }

  /**
   * A mesh of any number of axes, the first the slowest: {@code Mesh.of(Map.entry("data", 2),
   * Map.entry("model", 4), Map.entry("pipe", 2))}.
   *
   * @param axes names with sizes
   * @return the mesh
   * @throws TilewrightException names the axis that is wrong
   */
  @SafeVarargs
  public static Mesh of(Map.Entry<String, Integer>... axes) throws TilewrightException {
    List<Map.Entry<String, Integer>> list = new ArrayList<>();
    for (Map.Entry<String, Integer> axis : axes) {
      list.add(axis);
    }
    return of(list);
  }

  private static Mesh of(Collection<Map.Entry<String, Integer>> axes) throws TilewrightException {
    String[] names = axes.stream().map(Map.Entry::getKey).toArray(String[]::new);
    long[] sizes = axes.stream().mapToLong(Map.Entry::getValue).toArray();
    return new Mesh(Core.tw_mesh_create(new Object[] {names, sizes}));
  }

  private static boolean hasNoOrder(Map<?, ?> map) {
    Class<?> type = map.getClass();
    return type == HashMap.class || map instanceof Hashtable || map instanceof ConcurrentHashMap
        || type.getName().startsWith("java.util.ImmutableCollections");
  }

  /**
   * A mesh of one axis.
   *
   * @param name of the axis
   * @param size how many devices
   * @return the mesh
   * @throws TilewrightException the name or the size is wrong
   */
  public static Mesh of(String name, long size) throws TilewrightException {
    return new Mesh(Core.tw_mesh_create(new Object[] {new String[] {name}, new long[] {size}}));
  }

  /**
   * A mesh of two axes, the first the slower.
   *
   * @param first name of the slower axis
   * @param firstSize its size
   * @param second name of the faster axis
   * @param secondSize its size
   * @return the mesh
   * @throws TilewrightException a name or a size is wrong
   */
  public static Mesh of(String first, long firstSize, String second, long secondSize) throws TilewrightException {
    Object[] axes = {new String[] {first, second}, new long[] {firstSize, secondSize}};
    return new Mesh(Core.tw_mesh_create(axes));
  }

  /**
   * A mesh of three axes, the first the slowest.
   *
   * @param first name of the slowest axis
   * @param firstSize its size
   * @param second name of the axis between
   * @param secondSize its size
   * @param third name of the fastest axis
   * @param thirdSize its size
   * @return the mesh
   * @throws TilewrightException a name or a size is wrong
   */
  public static Mesh of(String first, long firstSize, String second, long secondSize, String third, long thirdSize)
      throws TilewrightException {
    Object[] axes = {new String[] {first, second, third}, new long[] {firstSize, secondSize, thirdSize}};
    return new Mesh(Core.tw_mesh_create(axes));
  }

  /**
   * The same axes on other devices.
   *
   * @param deviceIds the id of the device at each position, positions being row-major
   * @return a new mesh
   * @throws TilewrightException too many or too few ids, or one of them twice
   */
  public Mesh withDevices(long... deviceIds) throws TilewrightException {
    return new Mesh(Core.tw_mesh_with_devices(this, deviceIds));
  }

  /**
   * The axes.
   *
   * @return names with sizes, the slowest first
   */
  public Map<String, Long> axes() {
    Map<String, Long> axes = new LinkedHashMap<>();
    for (long i = 0; i < Core.tw_mesh_num_axes(this); ++i) {
      axes.put(Core.tw_mesh_axis_name(this, i), Core.tw_mesh_axis_size(this, i));
    }
    return axes;
  }

  /** The names of all axes. */
  List<String> axisNames() {
    return Struct.listOf(Core.tw_mesh_num_axes(this), i -> Core.tw_mesh_axis_name(this, i));
  }

  /** Those of some names whose bits are set. */
  static List<String> axesOf(long bits, List<String> names) {
    return IntStream.range(0, names.size()).filter(i -> (bits >>> i & 1) != 0).mapToObj(names::get).toList();
  }

  /**
   * What the places along an axis are.
   *
   * @param axis its number
   * @return never null
   */
  public AxisKind axisKind(int axis) {
    int code = Core.tw_mesh_axis_kind(this, axis);
    if (code < 0) {
      throw new IndexOutOfBoundsException("the mesh has no axis " + axis);
    }
    return AxisKind.of(code);
  }

  /**
   * Of which axis an axis of a plan's mesh is a part.
   *
   * @param axis its number
   * @return the part, which may be the whole axis
   * @throws TilewrightException there is no such axis
   */
  public AxisPart axisPart(int axis) throws TilewrightException {
    return AxisPart.of(new Struct(Core.tw_mesh_axis_part(this, axis)));
  }

  /**
   * The number of devices.
   *
   * @return the product of the axes of devices
   */
  public long numDevices() {
    return Core.tw_mesh_num_devices(this);
  }

  /**
   * Places of all axes together: the devices, times the steps and threads of serial and threads axes.
   *
   * @return the product of all axes
   */
  public long numPositions() {
    return Core.tw_mesh_num_positions(this);
  }

  /**
   * The device at a position.
   *
   * @param position row-major
   * @return its id
   * @throws IndexOutOfBoundsException there is no such position
   */
  public long deviceId(long position) {
    Checks.number("position", position, numPositions());
    return Core.tw_mesh_device_id(this, position);
  }

  /**
   * The part of an array that a device holds.
   *
   * @param sharding "[{data}, {}]"
   * @param device its id
   * @param shape of the array
   * @return offset and extent
   * @throws TilewrightException the sharding is wrong, or there is no such device
   */
  public Box box(String sharding, long device, long... shape) throws TilewrightException {
    long[] offset = new long[shape.length];
    long[] extent = new long[shape.length];
    Core.tw_mesh_box(this, sharding, shape, device, offset, extent);
    return Box.of(offset, extent);
  }

  /** The same axes in the same order, over the same devices. */
  @Override
  public boolean equals(Object other) {
    return this == other
        || other instanceof Mesh mesh && !isClosed() && !mesh.isClosed() && about().equals(mesh.about())
            && kinds().equals(mesh.kinds()) && deviceIds().equals(mesh.deviceIds());
  }

  @Override
  public int hashCode() {
    return isClosed() ? 0 : about().hashCode();
  }

  private List<AxisKind> kinds() {
    return Struct.listOf(Core.tw_mesh_num_axes(this), this::axisKind);
  }

  private List<Long> deviceIds() {
    return Struct.listOf(numPositions(), this::deviceId);
  }

  @Override
  String about() {
    return axes().entrySet().stream().map(axis -> axis.getKey() + "=" + axis.getValue()).collect(Collectors.joining(","));
  }
}
