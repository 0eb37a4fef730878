// SPDX-License-Identifier: Apache-2.0
// A two-layer perceptron, built call by call, tiled over four devices by batch and by feature, run, and
// compared with one device.
import java.util.Locale;
import org.tilewright.Builder;
import org.tilewright.Comparison;
import org.tilewright.DType;
import org.tilewright.Graph;
import org.tilewright.Mesh;
import org.tilewright.Program;
import org.tilewright.Tensor;
import org.tilewright.TilewrightException;

final class MlpFourDevices {
  private static Graph built() throws TilewrightException {
    try (Builder b = new Builder("mlp")) {
      Builder.Value x = b.argument("x", DType.F32, 16, 256);
      Builder.Value w1 = b.argument("w1", DType.F32, 256, 1024);
      Builder.Value w2 = b.argument("w2", DType.F32, 1024, 256);
      Builder.Value h = b.unary("stablehlo.tanh", b.einsum("bd,df->bf", x, w1));
      return b.result("y", b.einsum("bf,fd->bd", h, w2)).finish();
    }
  }

  public static void main(String[] arguments) throws TilewrightException {
    Graph graph = built();

    // Two actions decide everything: the rows of w2 follow by inference, and their contraction becomes the
    // one collective.
    Mesh mesh = Mesh.of("data", 2, "model", 2);
    Program spmd = graph.plan(mesh).tile("x", 0, "data").tile("w1", 1, "model").inferPropagate().lower();
    System.out.printf(
        "%d all_reduce in all, %d bytes received by the busiest device%n", spmd.count("all_reduce"), spmd.bytesReceived());

    // Global arrays in, global arrays out, on four devices and on one.
    Tensor[] inputs = {
      Tensor.filled(DType.F32, "normal(0,1)", 0, 16, 256),
      Tensor.filled(DType.F32, "normal(0,0.06)", 1, 256, 1024),
      Tensor.filled(DType.F32, "normal(0,0.03)", 2, 1024, 256)
    };
    Tensor y4 = spmd.executable().run(inputs).get(0);
    Tensor y1 = graph.unpartitioned().executable().run(inputs).get(0);
    Comparison c = y4.compare(y1, false);
    System.out.printf(
        Locale.ROOT,
        "four devices and one: largest relative difference %.1e, %s%n",
        c.maxRel(),
        c.passes() ? "equal" : "DIFFERENT");
    System.exit(c.passes() ? 0 : 1);
  }
}
