// SPDX-License-Identifier: Apache-2.0
// Gives a program's custom_call its meaning: how it may be split, what it takes, and a kernel that computes a
// device's part.
import java.nio.FloatBuffer;
import org.tilewright.CustomCalls;
import org.tilewright.CustomCalls.Call;
import org.tilewright.CustomCalls.Tile;
import org.tilewright.DType;
import org.tilewright.Graph;
import org.tilewright.ImportOptions;
import org.tilewright.Mesh;
import org.tilewright.Program;
import org.tilewright.Tensor;
import org.tilewright.TilewrightException;

final class CustomCall {
  private static final String PROGRAM =
      """
      func.func @main(%x: tensor<10x6xf32>, %w: tensor<6x6xf32>, %scale: tensor<6xf32>) -> tensor<10x6xf32> {
        %h = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
           : (tensor<10x6xf32>, tensor<6x6xf32>) -> tensor<10x6xf32>
        %y = stablehlo.custom_call @my.rms_norm(%h, %scale) {epsilon = 1.0e-06 : f64}
           : (tensor<10x6xf32>, tensor<6xf32>) -> tensor<10x6xf32>
        return %y : tensor<10x6xf32>
      }
      """;

  /** Asked once, when the program is read: an error here has the call's position. */
  private static void check(Call call) {
    if (call.operands().size() != 2 || call.results().size() != 1 || call.operands().get(0).type().dtype() != DType.F32) {
      throw new IllegalArgumentException("takes an f32 array and a scale");
    }
    if (!call.attributes().containsKey("epsilon")) {
      throw new IllegalArgumentException("the attribute epsilon is missing");
    }
  }

  /** Called for every device with the rows that it holds; several devices at a time. */
  private static void rmsNorm(Call call) {
    Tile x = call.operands().get(0);
    FloatBuffer in = x.floats();
    FloatBuffer scale = call.operands().get(1).floats();
    FloatBuffer out = call.results().get(0).floats();
    double epsilon = (Double) call.attributes().get("epsilon");
    int rows = x.box().extent().get(0).intValue();
    int columns = x.box().extent().get(1).intValue();
    for (int row = 0; row < rows; ++row) {
      double squares = 0;
      for (int i = 0; i < columns; ++i) {
        double value = in.get(row * columns + i);
        squares += value * value;
      }
      float factor = (float) (1 / Math.sqrt(squares / columns + epsilon));
      for (int i = 0; i < columns; ++i) {
        out.put(row * columns + i, in.get(row * columns + i) * factor * scale.get(i));
      }
    }
    long first = x.box().offset().get(0);
    System.out.printf("rows %d to %d of %d%n", first, first + rows, x.whole().get(0));
  }

  public static void main(String[] arguments) throws TilewrightException {
    // Rows go their own ways; a row's columns stay together on every device.
    CustomCalls calls = new CustomCalls().add("my.rms_norm", "... *, * -> ... *", CustomCall::rmsNorm, CustomCall::check);
    Graph graph = Graph.read(PROGRAM, new ImportOptions().file("norm.mlir").customCalls(calls));
    Program spmd = graph.plan(Mesh.of("data", 3)).tile("x", 0, "data").propagate().lower();
    System.out.println(spmd.numCollectives() + " collectives");

    Tensor[] inputs = {
      Tensor.filled(DType.F32, "normal(0,1)", 0, 10, 6),
      Tensor.filled(DType.F32, "normal(0,1)", 1, 6, 6),
      Tensor.filled(DType.F32, "ones", 2, 6)
    };
    Tensor parts = spmd.executable().run(inputs).get(0);
    Tensor one = graph.unpartitioned().executable().run(inputs).get(0);
    boolean same = parts.compare(one, true).passes();
    System.out.println("three devices and one agree to the bit: " + (same ? "yes" : "no"));
    System.exit(same ? 0 : 1);
  }
}
