// SPDX-License-Identifier: Apache-2.0
// Redistributes a matrix over 4 devices of this process, from rows to columns: planned once, run as often as
// wanted.
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.tilewright.Mesh;
import org.tilewright.Redistribution;
import org.tilewright.Redistributor;
import org.tilewright.TilewrightException;

final class Redistribute {
  private static final int N = 12;
  private static final int DEVICES = 4;

  public static void main(String[] arguments) throws TilewrightException {
    Redistribution plan = Redistribution.plan(Mesh.of("x", DEVICES), "f32[12,12] [{x},{}]", "[{},{x}]");
    Redistributor mover = new Redistributor(List.of(plan), new Redistributor.RunOptions());

    // Every device holds 3 rows of 12, and wants 3 columns. An element is its number in the whole matrix.
    List<ByteBuffer> rows = new ArrayList<>();
    List<ByteBuffer> columns = new ArrayList<>();
    for (int d = 0; d < DEVICES; ++d) {
      rows.add(ByteBuffer.allocateDirect(4 * 3 * N).order(ByteOrder.nativeOrder()));
      columns.add(ByteBuffer.allocateDirect(4 * N * 3).order(ByteOrder.nativeOrder()));
      for (int i = 0; i < 3 * N; ++i) {
        rows.get(d).asFloatBuffer().put(i, d * 3 * N + i);
      }
    }
    mover.run(rows, columns);

    System.out.printf(
        "device 1 received %d bytes in %d step; no plan takes fewer than %d%n",
        plan.bytesReceived(1), plan.numSteps(), plan.bound().most());
    int wrong = 0;
    for (int d = 0; d < DEVICES; ++d) {
      for (int row = 0; row < N; ++row) {
        for (int column = 0; column < 3; ++column) {
          wrong += columns.get(d).asFloatBuffer().get(row * 3 + column) != row * N + d * 3 + column ? 1 : 0;
        }
      }
    }
    System.out.println(wrong + " elements wrong");
    System.exit(wrong == 0 ? 0 : 1);
  }
}
