# SPDX-License-Identifier: Apache-2.0
# Reads a StableHLO program, applies a spec over a mesh, and says what every device holds, what must be sent,
# and why; runs
# nothing. Usage: 02_import_and_plan.jl MODEL.mlir MESH SPEC.txt VALUE
using Tilewright

if length(ARGS) != 4
    println(stderr, "usage: 02_import_and_plan.jl MODEL.mlir MESH SPEC.txt VALUE")
    exit(2)
end
model, mesh, spec, value = ARGS
try
    graph = load(model)
    println(nameof(graph), ": ", num_ops(graph), " ops, ", length(arguments(graph)), " arguments")
    plan = apply_file!(Plan(graph, mesh), spec)
    print('\n', explain(plan, value))
    program = lower(plan)
    print('\n', report(program))
    exit(Tilewright.num_failed_expectations(program) == 0 ? 0 : 1)
catch error
    error isa Tilewright.Error || rethrow()
    showerror(stderr, error) # position in our text, one line, the id, then notes
    exit(1)
end
