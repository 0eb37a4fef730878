// SPDX-License-Identifier: Apache-2.0
// Reads a StableHLO program, applies a spec over a mesh, and says what every device holds, what must be sent,
// and why; runs nothing. Usage: 02_import_and_plan.java MODEL.mlir MESH SPEC.txt VALUE
import java.io.IOException;
import java.nio.file.Path;
import org.tilewright.Graph;
import org.tilewright.Mesh;
import org.tilewright.Plan;
import org.tilewright.Program;
import org.tilewright.TilewrightException;

final class ImportAndPlan {
  public static void main(String[] arguments) throws IOException {
    if (arguments.length != 4) {
      System.err.println("usage: 02_import_and_plan.java MODEL.mlir MESH SPEC.txt VALUE");
      System.exit(2);
    }
    try (Mesh mesh = Mesh.parse(arguments[1]);
        Graph graph = Graph.load(Path.of(arguments[0]));
        Plan plan = graph.plan(mesh)) {
      System.out.printf("%s: %d ops, %d arguments%n", graph.name(), graph.numOps(), graph.arguments().size());
      plan.apply(Path.of(arguments[2]));
      System.out.print("\n" + plan.explain(arguments[3]));
      Program program = plan.lower();
      System.out.print("\n" + program.report(100));
      System.exit(program.numFailedExpectations() == 0 ? 0 : 1);
    } catch (TilewrightException error) {
      System.err.println(error.getMessage()); // position in our text, one line, the id, then notes
      System.exit(1);
    }
  }
}
