// SPDX-License-Identifier: Apache-2.0
package org.tilewright.tests;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.tilewright.Builder;
import org.tilewright.DType;
import org.tilewright.Graph;
import org.tilewright.Mesh;
import org.tilewright.Plan;
import org.tilewright.Tensor;
import org.tilewright.TilewrightException;

/** What the tests share: a small program, and buffers. */
final class Support {
  private Support() {}

  static final Path ROOT = Path.of(System.getenv("TW_SOURCE_ROOT"));

  /** y = tanh(x w1) w2. */
  static Graph mlp(long batch, long features, long hidden) throws TilewrightException {
    try (Builder b = new Builder("mlp")) {
      Builder.Value x = b.argument("x", DType.F32, batch, features);
      Builder.Value w1 = b.argument("w1", DType.F32, features, hidden);
      Builder.Value w2 = b.argument("w2", DType.F32, hidden, features);
      Builder.Value h = b.unary("tanh", b.einsum("bd,df->bf", x, w1));
      return b.result("y", b.einsum("bf,fd->bd", h, w2)).finish();
    }
  }

  static Graph mlp() throws TilewrightException {
    return mlp(8, 6, 12);
  }

  static Plan planned(Graph graph) throws TilewrightException {
    return graph.plan(Mesh.parse("data=2,model=2")).tile("x", 0, "data").tile("w1", 1, "model").inferPropagate();
  }

  static Plan planned() throws TilewrightException {
    return planned(mlp());
  }

  static Tensor[] inputs(Graph graph) throws TilewrightException {
    List<Tensor> inputs = new ArrayList<>();
    for (Graph.Argument argument : graph.arguments()) {
      inputs.add(Tensor.filled(argument.type().dtype(), "default", inputs.size(), argument.type().shape()));
    }
    return inputs.toArray(Tensor[]::new);
  }

  /** A direct buffer of floats, aligned. */
  static ByteBuffer direct(float... values) {
    ByteBuffer buffer = ByteBuffer.allocateDirect(4 * values.length).order(ByteOrder.nativeOrder());
    buffer.asFloatBuffer().put(values);
    return buffer;
  }

  /** Bytes of this process. */
  static long resident() throws java.io.IOException {
    String[] pages = java.nio.file.Files.readString(Path.of("/proc/self/statm")).split(" ");
    return Long.parseLong(pages[1]) * 4096;
  }
}
