// SPDX-License-Identifier: Apache-2.0
package org.tilewright;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A dense row-major array in host memory. Direct ByteBuffers are tensors, and tensors are direct ByteBuffers,
 * without a copy. Writing elements while a run reads them is the caller's mistake.
 */
public final class Tensor extends TilewrightObject {
  private static final int MOST_SHOWN = 8; // elements, by toString()

  Tensor(long address) {
    super(address);
  }

  /**
   * A tensor of zeros.
   *
   * @param dtype of the elements
   * @param shape sizes of the dimensions
   * @return a new tensor
   * @throws TilewrightException a size is negative, or there is no memory
   */
  public static Tensor zeros(DType dtype, long... shape) throws TilewrightException {
    return zeros(null, ArrayType.of(dtype, shape));
  }

  /**
   * A tensor of zeros with memory of a context.
   *
   * @param context null: the default one
   * @param type of the array
   * @return a new tensor
   * @throws TilewrightException a size is negative, or there is no memory
   */
  public static Tensor zeros(Context context, ArrayType type) throws TilewrightException {
    return new Tensor(Core.tw_tensor_create(context, type.dtype().code(), type.shape()));
  }

  /**
   * A new tensor filled with a pattern; see {@link #fill}.
   *
   * @param dtype of the elements
   * @param pattern such as "normal(0,1)"
   * @param stream numbers the tensors of one seed
   * @param shape sizes of the dimensions
   * @return a new tensor
   * @throws TilewrightException the pattern or the shape is wrong
   */
  public static Tensor filled(DType dtype, String pattern, long stream, long... shape) throws TilewrightException {
    return zeros(dtype, shape).fill(pattern, 0, stream);
  }

  /**
   * A tensor over the memory of a direct buffer, from its position to its limit, which stay as they are.
   * Nothing is copied; the tensor keeps the buffer alive. A read-only buffer makes a tensor that cannot be
   * written to.
   *
   * @param buffer direct, as ByteBuffer.allocateDirect makes it, with elements in the order of the machine
   * @param dtype of the elements
   * @param shape sizes of the dimensions, which take all of the buffer
   * @return a new tensor
   * @throws TilewrightException the type or the shape is wrong
   * @throws IllegalArgumentException the buffer is on the heap, has another size or another order
   *     than the machine, or is not aligned
   */
  public static Tensor of(ByteBuffer buffer, DType dtype, long... shape) throws TilewrightException {
    for (long size : shape) {
      if (size < 0) {
        throw new IllegalArgumentException("a dimension of size " + size);
      }
    }
    ByteBuffer part = buffer.slice();
    Checks.length("the buffer in bytes", part.capacity(), ArrayType.of(dtype, shape).bytes());
    Checks.order(buffer, dtype.bytes());
    return new Tensor(Native.wrap(part, dtype.code(), shape));
  }

  /**
   * A tensor with a copy of numbers.
   *
   * @param values row-major
   * @param shape sizes of the dimensions
   * @return a new tensor of F32
   * @throws TilewrightException there is no memory
   */
  public static Tensor of(float[] values, long... shape) throws TilewrightException {
    Checks.length("the array", values.length, ArrayType.of(DType.F32, shape).elements());
    Tensor tensor = zeros(DType.F32, shape);
    tensor.floats().put(values);
    return tensor;
  }

  /**
   * A tensor with a copy of numbers.
   *
   * @param values row-major
   * @param shape sizes of the dimensions
   * @return a new tensor of F64
   * @throws TilewrightException there is no memory
   */
  public static Tensor of(double[] values, long... shape) throws TilewrightException {
    Checks.length("the array", values.length, ArrayType.of(DType.F64, shape).elements());
    Tensor tensor = zeros(DType.F64, shape);
    tensor.buffer().asDoubleBuffer().put(values);
    return tensor;
  }

  /**
   * A tensor with a copy of numbers.
   *
   * @param values row-major
   * @param shape sizes of the dimensions
   * @return a new tensor of S32
   * @throws TilewrightException there is no memory
   */
  public static Tensor of(int[] values, long... shape) throws TilewrightException {
    Checks.length("the array", values.length, ArrayType.of(DType.S32, shape).elements());
    Tensor tensor = zeros(DType.S32, shape);
    tensor.buffer().asIntBuffer().put(values);
    return tensor;
  }

  /**
   * A tensor with a copy of numbers.
   *
   * @param values row-major
   * @param shape sizes of the dimensions
   * @return a new tensor of S64
   * @throws TilewrightException there is no memory
   */
  public static Tensor of(long[] values, long... shape) throws TilewrightException {
    Checks.length("the array", values.length, ArrayType.of(DType.S64, shape).elements());
    Tensor tensor = zeros(DType.S64, shape);
    tensor.buffer().asLongBuffer().put(values);
    return tensor;
  }

  /**
   * The type of the elements.
   *
   * @return never null
   */
  public DType dtype() {
    return DType.of(Core.tw_tensor_dtype(this));
  }

  /**
   * The sizes of the dimensions.
   *
   * @return a new array
   */
  public long[] shape() {
    return Core.tw_tensor_dims(this);
  }

  /**
   * Type and shape.
   *
   * @return the type of the array
   */
  public ArrayType type() {
    return ArrayType.of(dtype(), shape());
  }

  /**
   * The size of the elements.
   *
   * @return bytes
   */
  public long bytes() {
    return Core.tw_tensor_bytes(this);
  }

  /**
   * Where the elements lie.
   *
   * @return an address
   */
  public long address() {
    return Native.address(this);
  }

  /**
   * Whether nobody may write to it.
   *
   * @return true for a tensor over a read-only buffer
   */
  public boolean isReadOnly() {
    return Native.readOnly(this);
  }

  /**
   * The elements, in the order of the machine. Nothing is copied. The buffer keeps the memory alive, also
   * after the tensor was closed.
   *
   * @return a direct buffer of {@link #bytes()} bytes
   * @throws IllegalArgumentException the tensor is too large for one buffer: see {@link #buffer(long, int)}
   */
  public ByteBuffer buffer() {
    long bytes = bytes();
    if (bytes > Integer.MAX_VALUE) {
      throw new IllegalArgumentException("the tensor has " + bytes + " bytes, a ByteBuffer at most 2^31 - 1: take parts of it");
    }
    return buffer(0, (int) bytes);
  }

  /**
   * A part of the elements.
   *
   * @param from the first byte
   * @param count bytes of the buffer
   * @return a direct buffer in the order of the machine
   */
  public ByteBuffer buffer(long from, int count) {
    if (from < 0 || count < 0 || from + count > bytes()) {
      throw new IndexOutOfBoundsException(count + " bytes from " + from + " on of a tensor of " + bytes());
    }
    ByteBuffer buffer = Native.window(this, from, count);
    CLEANER.register(buffer, new Release(Native.retainTensor(this))); // slices and duplicates of a buffer keep it alive
    return (isReadOnly() ? buffer.asReadOnlyBuffer() : buffer).order(ByteOrder.nativeOrder());
  }

  /** Gives up a buffer's reference to the memory. It must not know the buffer. */
  private record Release(long tensor) implements Runnable {
    @Override
    public void run() {
      Native.releaseTensor(tensor);
    }
  }

  /**
   * The elements of a tensor of F32.
   *
   * @return a buffer over the same memory
   * @throws IllegalStateException the elements are of another type
   */
  public FloatBuffer floats() {
    if (dtype() != DType.F32) {
      throw new IllegalStateException("the elements are " + dtype().text() + ", not f32");
    }
    return buffer().asFloatBuffer();
  }

  /**
   * A copy of the elements as floats: of narrower ones, as of BF16, the same numbers, of others the nearest.
   *
   * @return row-major
   * @throws IllegalStateException the elements are complex or no numbers
   */
  public float[] toFloats() {
    if (dtype() == DType.F32) {
      FloatBuffer floats = floats();
      float[] values = new float[floats.remaining()];
      floats.get(values);
      return values;
    }
    double[] doubles = toDoubles();
    float[] values = new float[doubles.length];
    for (int i = 0; i < values.length; ++i) {
      values[i] = (float) doubles[i];
    }
    return values;
  }

  /**
   * A copy of the elements as doubles, whatever numbers they are.
   *
   * @return row-major
   * @throws IllegalStateException the elements are complex or no numbers
   */
  public double[] toDoubles() {
    DType dtype = dtype();
    if (dtype == DType.C64 || dtype == DType.C128) {
      throw new IllegalStateException("the elements are " + dtype.text() + ", and a double holds one part of one: see buffer()");
    }
    ByteBuffer buffer = buffer();
    double[] values = new double[Math.toIntExact(type().elements())];
    if (dtype == DType.F64) {
      buffer.asDoubleBuffer().get(values);
      return values;
    }
    Map<Integer, Double> known = new HashMap<>(); // of elements with few bits, which come again and again
    byte[] element = new byte[dtype.bytes()];
    for (int i = 0; i < values.length; ++i) {
      buffer.get(element);
      if (element.length > 2) {
        values[i] = decoded(dtype, element);
        continue;
      }
      int bits = element.length == 2 ? element[0] & 0xff | (element[1] & 0xff) << 8 : element[0];
      Double value = known.get(bits);
      if (value == null) {
        value = decoded(dtype, element);
        known.put(bits, value);
      }
      values[i] = value;
    }
    return values;
  }

  private static double decoded(DType dtype, byte[] element) {
    try {
      return dtype.decode(element);
    } catch (TilewrightException failure) {
      throw new IllegalStateException(failure.getMessage(), failure);
    }
  }

  /**
   * Fills with a pattern: "zeros", "ones", "iota", "uniform(lo,hi)", "normal(mean,std)", "randint(lo,hi)" or
   * "default".
   *
   * @param pattern the pattern
   * @param seed of random numbers
   * @param stream numbers the tensors of one seed
   * @return this
   * @throws TilewrightException the pattern is wrong, or the tensor is read-only
   */
  public Tensor fill(String pattern, long seed, long stream) throws TilewrightException {
    Core.tw_tensor_fill(this, pattern, seed, stream);
    return this;
  }

  /**
   * Fills with a part of an array that is filled so.
   *
   * @param whole the shape of that array
   * @param offset where the part begins
   * @param pattern the pattern
   * @param seed of random numbers
   * @param stream numbers the arrays of one seed
   * @return this
   * @throws TilewrightException the pattern or the part is wrong
   */
  public Tensor fillPart(long[] whole, long[] offset, String pattern, long seed, long stream)
      throws TilewrightException {
    int rank = shape().length;
    Core.tw_tensor_fill_part(
        this, Checks.rank("the shape", whole, rank), Checks.rank("the offset", offset, rank), pattern, seed, stream);
    return this;
  }

  /**
   * How this compares with what was expected.
   *
   * @param expected of the same type
   * @param exact whether bits decide, also for floats
   * @return the comparison
   * @throws TilewrightException the types differ
   */
  public Comparison compare(Tensor expected, boolean exact) throws TilewrightException {
    return Comparison.of(new Struct(Core.tw_tensor_compare(this, expected, exact ? 1 : 0)));
  }

  @Override
  String about() {
    ArrayType type = type();
    boolean shown = type.elements() > 0 && type.elements() <= MOST_SHOWN;
    if (!shown || type.dtype() == DType.C64 || type.dtype() == DType.C128 || type.dtype() == DType.TOKEN) {
      return type.toString();
    }
    boolean whole = type.dtype().text().matches("u?i[0-9]+");
    return type + ": " + Arrays.stream(toDoubles())
        .mapToObj(value -> whole ? Long.toString((long) value) : Double.toString(value)).collect(Collectors.joining(", ", "[", "]"));
  }
}
