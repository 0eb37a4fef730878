// SPDX-License-Identifier: Apache-2.0
/**
 * tilewright partitions n-d array programs over meshes of devices, and runs the result.
 *
 * <pre>{@code
 * try (Mesh mesh = Mesh.parse("data=2,model=4");
 *     Graph graph = Graph.load(Path.of("mlp.mlir"));
 *     Plan plan = graph.plan(mesh)) {
 *   plan.tile("x", 0, "data").tile("w1", 1, "model").inferPropagate();
 *   System.out.println(plan.explain("w2"));
 *   List<Tensor> results = plan.lower().executable().run(x, w1, w2);
 * }
 * }</pre>
 */
package org.tilewright;
