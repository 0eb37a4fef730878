# SPDX-License-Identifier: Apache-2.0
# Julia that the library calls: kernels, rules, checks, actions and progress, and what they throw.

const SCALE = """func.func @main(%x: tensor<10x6xf32>, %scale: tensor<6xf32>) -> tensor<10x6xf32> {
  %y = stablehlo.custom_call @my.scale(%x, %scale) {power = 2.0e+00 : f64, on = true, dims = array<i64: 1, 2>}
    : (tensor<10x6xf32>, tensor<6xf32>) -> tensor<10x6xf32>
  return %y : tensor<10x6xf32>
}"""

function scale(call)
    x, by = call.operands[1].array, call.operands[2].array
    call.results[1].array .= x .* permutedims(by) .* get(call, "power", 1.0)
end

function run_scaled(; rule = "... *, * -> ... *", kernel = scale, check = nothing)
    calls = CustomCalls()
    add!(calls, "my.scale"; rule = rule, kernel = kernel, check = check)
    graph = loads(SCALE; file = "scale.mlir", custom_calls = calls)
    close(calls)
    plan = Plan(graph, Mesh(data = 3))
    tile!(plan, "x", 1, :data)
    return run(infer_propagate!(plan), ones(Float32, 10, 6), Float32[0:5;])[1]
end

const SCALED = Float32[2j for _ in 1:10, j in 0:5]

@testset "kernels" begin
    @test run_scaled() == SCALED
    seen = []
    noting(call) = (push!(seen, (call.results[1].ranges[1], call.results[1].whole)); scale(call))
    @test run_scaled(; kernel = noting) == SCALED
    @test sort(seen; by = first) == [(1:3, (10, 6)), (4:6, (10, 6)), (7:10, (10, 6))]
    asked(call) = (@assert call.operands[1].array === nothing; "... *, * -> ... *")
    @test run_scaled(; rule = asked) == SCALED
    checked(call) = begin
        @assert call.target == "my.scale" && call.attributes["on"] === true && call.attributes["dims"] == [1, 2]
        @assert get(call, "nothing", 7) == 7
    end
    @test run_scaled(; check = checked) == SCALED
    GC.gc()
    @test run_scaled() == SCALED
end

@testset "kernels that keep what they saw" begin
    kept, calls = [], []
    keeps(call) = (scale(call); push!(calls, call); push!(kept, call.operands[2].array, view(call.results[1].array, :, 2)))
    @test run_scaled(; kernel = keeps) == SCALED
    GC.gc() # the executable is gone
    @test all(run_scaled() == SCALED for _ in 1:3)
    for i in 1:2:length(kept)
        @test kept[i] == 0:5 && all(==(2), kept[i+1])
        kept[i+1] .= 7 # goes nowhere
    end
    @test all(get(call, "power", 0) == 2 && get(call, "nothing", 7) == 7 for call in calls)
    vectors = loads("""func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %y = stablehlo.custom_call @v(%x) : (tensor<4xf32>) -> tensor<4xf32>
      return %y : tensor<4xf32>
    }"""; custom_calls = add!(call -> resize!(call.results[1].array, 3), CustomCalls(), "v"; rule = "i -> i"))
    @test occursin("3 elements, it has 4", thrown(() -> run(Plan(vectors), zeros(Float32, 4))).text)
end

@testset "exceptions" begin
    fails(_) = throw(DomainError(7, "the table has 7 rows"))
    for options in ((kernel = fails,), (rule = fails,), (check = fails,))
        error = thrown(() -> run_scaled(; options...))
        @test error isa Tilewright.Error && error.cause isa DomainError && occursin("7 rows", error.text)
    end
    late(_) = throw(Tilewright.Error(:unavailable, "no table"))
    error = thrown(() -> run_scaled(; check = late))
    @test error.status === :unavailable && error.file == "scale.mlir" && error.line == 2
    @test thrown(() -> run_scaled(; rule = _ -> 7)).status === :invalid_argument
    @test thrown(() -> run_scaled(; kernel = nothing)).status === :unimplemented
    @test thrown(() -> run_scaled(; kernel = call -> call.results[1].array[11, 1] = 1)).cause isa BoundsError
    @test run_scaled() == SCALED
    calls = add!(call -> nothing, CustomCalls(), "b"; rule = "i -> i")
    @test thrown(() -> add!(calls, "b")).status === :invalid_argument
    graph = loads(SCALE; custom_calls = add!(scale, CustomCalls(), "my.scale"; rule = "... *, * -> ... *"))
    @test thrown(() -> Executable(Plan(graph); workers = 2)).status === :invalid_argument
end

@testset "actions" begin
    told = []
    plan = Plan(mlp(), Mesh(data = 2))
    on_action!((plan, action, file, line) -> push!(told, (file, line, sharding_text(plan, "x"))), plan)
    apply!(plan, "tile(arg=x, dim=0, axis=data)\npropagate\n"; file = "spec.txt")
    @test told == [("spec.txt", 1, "[{data}, {}]"), ("spec.txt", 2, "[{data}, {}]")]
    on_action!(nothing, plan)
    apply!(plan, "propagate")
    @test length(told) == 2
    on_action!((_...) -> error("enough"), plan)
    @test thrown(() -> apply!(plan, "propagate; propagate")) == ErrorException("enough")
    refused, plan = [], Plan(mlp(), Mesh(data = 2))
    on_action!((plan, _...) -> push!(refused, thrown(() -> tile!(plan, "x", 2, :data))), plan)
    apply!(plan, "propagate")
    @test refused[1].status === :failed_precondition
end

"""Layers of tanh(x w), each with a sum for propagation to find."""
function layers(count)
    b = Builder("layers")
    x = argument!(b, "x", :f32, (16, 16))
    for i in 1:count
        x = unary!(b, "tanh", einsum!(b, "bd,df->bf", x, argument!(b, "w$i", :f32, (16, 16))))
    end
    result!(b, "y", x)
    return finish!(b)
end

@testset "long calls" begin
    plan = tile!(Plan(layers(200), Mesh(a = 2)), "x", 1, :a)
    before = emit(plan)
    program = lower(plan)
    for call in (() -> infer_propagate!(plan), () -> apply!(plan, "propagate"), () -> lower(plan), () -> Executable(program))
        @test thrown(() -> watch(call, _ -> true; interval = 1e-9)).status === :cancelled
    end
    @test thrown(() -> watch(() -> infer_propagate!(plan), _ -> error("enough"); interval = 1e-9)) == ErrorException("enough")
    @test emit(plan) == before
    told, inner = Float64[], Float64[]
    noting(seconds) = (push!(told, seconds); false)
    start = stamp(plan)
    text = watch(noting; interval = 1e-9) do
        watch(() -> infer_propagate!(plan), seconds -> (push!(inner, seconds); false); interval = 1e-9)
        @test isempty(told) && !isempty(inner) # the inner one is asked alone
        undo!(plan, start)
        sharding_text(infer_propagate!(plan), "y")
    end
    @test text == "[{a}, {}]" && length(told) > 1 && issorted(told) && told[1] >= 0
    @test thrown(() -> watch(() -> error("mine"), _ -> false)) == ErrorException("mine")
    @test thrown(() -> watch(() -> nothing, _ -> false; interval = -1)).status === :invalid_argument
    # Tasks that wait while they watch take turns, each in its thread.
    given_up = [@async thrown(() -> watch(() -> (yield(); infer_propagate!(copy(plan))), _ -> (yield(); i == 2); interval = 1e-9)) for i in 1:3]
    @test map(task -> (error = fetch(task)) === nothing ? :done : error.status, given_up) == [:done, :cancelled, :done]
end

@testset "progress" begin
    graph = mlp()
    program, arrays = lower(planned(graph)), inputs(graph)
    comparisons, note = compare(program, run(Executable(program), arrays...), evaluate(graph, arrays...); inputs = arrays)
    @test comparisons[1].passes && isempty(note)
    large = mlp(512, 512, 2048) # seconds in double precision
    program, arrays = lower(planned(large)), inputs(large)
    results, wrong = run(Executable(program), arrays...), [Tensor{Float32}(512, 512)]
    asked = Ref(0)
    comparisons, note = compare(program, results, wrong; inputs = arrays, progress = _ -> (asked[] += 1; true))
    @test !comparisons[1].passes && comparisons[1].from_double === nothing && asked[] == 1 && occursin("given up", note)
    @test thrown(() -> compare(program, results, wrong; inputs = arrays, progress = _ -> error("enough"))) == ErrorException("enough")
end
