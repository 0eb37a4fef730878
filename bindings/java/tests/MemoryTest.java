// SPDX-License-Identifier: Apache-2.0
package org.tilewright.tests;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.tilewright.tests.Support.direct;
import static org.tilewright.tests.Support.inputs;
import static org.tilewright.tests.Support.mlp;
import static org.tilewright.tests.Support.planned;

import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.tilewright.ArrayType;
import org.tilewright.DType;
import org.tilewright.Executable;
import org.tilewright.Tensor;
import org.tilewright.TilewrightException;

/** Tensors over direct buffers, and direct buffers over tensors: the same memory. */
final class MemoryTest {
  /** Where the first byte of a direct buffer lies, as a tensor over it says. */
  private static long addressOf(ByteBuffer buffer) throws TilewrightException {
    return Tensor.of(buffer, DType.U8, buffer.remaining()).address();
  }

  @Test
  void bothWaysWithoutACopy() throws TilewrightException {
    ByteBuffer given = direct(1, 2, 3, 4, 5, 6);
    Tensor tensor = Tensor.of(given, DType.F32, 2, 3);
    assertEquals(addressOf(given), tensor.address());
    assertEquals(addressOf(given), addressOf(tensor.buffer()));
    given.putFloat(4, 7);
    assertArrayEquals(new float[] {1, 7, 3, 4, 5, 6}, tensor.toFloats());
    tensor.fill("ones", 0, 0);
    assertEquals(1, given.getFloat(20));
    Tensor owned = Tensor.zeros(DType.F32, 3);
    assertEquals(owned.address(), addressOf(owned.buffer()));
    assertEquals(owned.address() + 4, addressOf(owned.buffer(4, 8)));
  }

  @Test
  void numbersOfEveryType() throws TilewrightException {
    assertArrayEquals(new double[] {0.1, -2}, Tensor.of(new double[] {0.1, -2}, 2).toDoubles());
    assertEquals("Tensor(i32[2]: [3, -4])", Tensor.of(new int[] {3, -4}, 2).toString());
    assertArrayEquals(new double[] {1L << 40, -7}, Tensor.of(new long[] {1L << 40, -7}, 1, 2).toDoubles());
    assertThrows(IllegalArgumentException.class, () -> Tensor.of(new long[] {1}, 2));
    for (DType dtype : DType.values()) {
      if (dtype != DType.TOKEN && dtype != DType.C64 && dtype != DType.C128) {
        assertArrayEquals(new float[] {1, 1, 1}, Tensor.filled(dtype, "ones", 0, 3).toFloats(), dtype.text());
      }
    }
    assertEquals("Tensor(bf16[3]: [0.0, 1.0, 2.0])", Tensor.filled(DType.BF16, "iota", 0, 3).toString());
    assertThrows(IllegalStateException.class, Tensor.zeros(DType.C64, 1)::toDoubles);
    ByteBuffer complex = Tensor.filled(DType.C64, "iota", 0, 4).buffer();
    assertEquals(3, complex.getFloat(3 * 8)); // elements count, not their two parts
    assertEquals(0, complex.getFloat(3 * 8 + 4));
  }

  @Test
  void runsReadAndWriteTheBuffersThemselves() throws TilewrightException {
    Executable executable = planned().lower().executable();
    Tensor[] inputs = inputs(mlp());
    ByteBuffer x = ByteBuffer.allocateDirect(8 * 6 * 4).order(ByteOrder.nativeOrder());
    x.put(inputs[0].buffer()).rewind();
    ByteBuffer y = ByteBuffer.allocateDirect(8 * 6 * 4).order(ByteOrder.nativeOrder());
    Tensor given = Tensor.of(x, DType.F32, 8, 6);
    Tensor made = Tensor.of(y, DType.F32, 8, 6);
    executable.run(List.of(given, inputs[1], inputs[2]), List.of(made));
    float[] expected = executable.run(inputs).get(0).toFloats();
    float[] found = new float[48];
    y.asFloatBuffer().get(found);
    assertArrayEquals(expected, found);
    x.putFloat(0, 3);
    executable.run(List.of(given, inputs[1], inputs[2]), List.of(made));
    assertFalse(expected[0] == y.getFloat(0));
  }

  @Test
  void buffersKeepMemoryAlive() throws Exception {
    ByteBuffer slice;
    FloatBuffer floats;
    try (Tensor tensor = Tensor.filled(DType.F32, "iota", 0, 1_000_000)) {
      slice = tensor.buffer().position(8).slice().order(ByteOrder.nativeOrder());
      floats = tensor.floats();
    }
    for (int i = 0; i < 5; ++i) {
      System.gc();
      Thread.sleep(10);
      Tensor.filled(DType.F32, "ones", 0, 1_000_000).close();
    }
    assertEquals(2, slice.getFloat(0));
    assertEquals(999_999, floats.get(999_999));
  }

  @Test
  void tensorsKeepBuffersAlive() throws Exception {
    ByteBuffer buffer = direct(1, 2, 3);
    WeakReference<ByteBuffer> weak = new WeakReference<>(buffer);
    Tensor tensor = Tensor.of(buffer, DType.F32, 3);
    buffer = null;
    System.gc();
    assertArrayEquals(new float[] {1, 2, 3}, tensor.toFloats());
    tensor.close();
    for (int i = 0; i < 100 && weak.get() != null; ++i) {
      System.gc();
      Thread.sleep(10);
    }
    assertEquals(null, weak.get());
  }

  @Test
  void partsOfABuffer() throws TilewrightException {
    ByteBuffer whole = direct(1, 2, 3, 4, 5, 6);
    whole.position(8).limit(16);
    Tensor part = Tensor.of(whole, DType.F32, 2);
    assertArrayEquals(new float[] {3, 4}, part.toFloats());
    assertEquals(8, whole.position());
  }

  @Test
  void readOnlyBuffers() throws Exception {
    ByteBuffer given = direct(1, 2, 3);
    Tensor tensor = Tensor.of(given.asReadOnlyBuffer().order(ByteOrder.nativeOrder()), DType.F32, 3);
    assertTrue(tensor.isReadOnly() && tensor.buffer().isReadOnly());
    assertEquals(addressOf(given), tensor.address());
    assertThrows(TilewrightException.class, () -> tensor.fill("ones", 0, 0));
    Path file = Files.createTempFile("weights", ".bin");
    try {
      Files.write(file, new byte[16]);
      try (FileChannel channel = FileChannel.open(file)) {
        ByteBuffer mapped = channel.map(FileChannel.MapMode.READ_ONLY, 0, 16);
        assertArrayEquals(new float[4], Tensor.of(mapped.order(ByteOrder.nativeOrder()), DType.F32, 4).toFloats());
      }
    } finally {
      Files.delete(file);
    }
    Executable executable = planned().lower().executable();
    Tensor[] inputs = inputs(mlp());
    ByteBuffer unwritable = ByteBuffer.allocateDirect(8 * 6 * 4).asReadOnlyBuffer().order(ByteOrder.nativeOrder());
    Tensor output = Tensor.of(unwritable, DType.F32, 8, 6);
    assertThrows(TilewrightException.class, () -> executable.run(List.of(inputs), List.of(output)));
  }

  @Test
  void emptyAndScalar() throws TilewrightException {
    Tensor empty = Tensor.of(ByteBuffer.allocateDirect(0), DType.F32, 0, 3);
    assertEquals(0, empty.buffer().capacity());
    assertEquals(0, Tensor.zeros(DType.F32, 0).toFloats().length);
    assertFalse(empty.isReadOnly());
    Tensor scalar = Tensor.of(new float[] {7});
    assertEquals("Tensor(f32[]: [7.0])", scalar.toString());
    assertEquals(ArrayType.of(DType.F32), scalar.type());
  }

  @Test
  void elementsOfEveryType() throws TilewrightException {
    for (DType dtype : DType.values()) {
      assertNotNull(dtype.text());
      if (dtype != DType.TOKEN) {
        assertEquals(1, dtype.decode(dtype.encode(1)), dtype.text());
        assertEquals(dtype.bytes(), Tensor.zeros(dtype, 1).bytes());
      }
    }
    assertEquals("complex<f32>", DType.C64.text());
    ByteBuffer codes = ByteBuffer.allocateDirect(4).order(ByteOrder.nativeOrder());
    codes.putShort(0, (short) 0x3f80);
    assertEquals(1, DType.BF16.decode(codes.get(0), codes.get(1)));
  }

  @Test
  void parts() throws TilewrightException {
    Tensor part = Tensor.zeros(DType.F32, 2).fillPart(new long[] {6}, new long[] {3}, "iota", 0, 0);
    assertArrayEquals(new float[] {3, 4}, part.toFloats());
  }
}
