# SPDX-License-Identifier: Apache-2.0
# Misuse is an exception that says why: objects that are closed, wrong types, sizes, names and values.

closed(object) = (close(object); close(object); object) # again is fine
executable() = Executable(planned())
zeros32(dims...) = Tensor{Float32}(dims...)
moved(source, target) = redistribute("x=2", source, target)

"""What finishing a builder says that a function used."""
function built(body)
    b = Builder()
    x = argument!(b, "x", :f32, (2, 3))
    body(b, x)
    return finish!(b)
end

const CLOSED = [
    () -> axis_sizes(closed(mesh())), () -> num_devices(closed(mesh())), () -> Plan(mlp(), closed(mesh())),
    () -> nameof(closed(mlp())), () -> collect(ops(closed(mlp()))), () -> Plan(closed(mlp())),
    () -> tile!(closed(planned()), "x", 1, :data), () -> lower(closed(planned())), () -> copy(closed(planned())),
    () -> report(closed(lower(planned()))), () -> count(closed(lower(planned()))), () -> Executable(closed(lower(planned()))),
    () -> run(closed(executable()), inputs(mlp())...), () -> counters(closed(executable())),
    () -> run(executable(), closed(zeros32(8, 6)), inputs(mlp())[2:3]...), () -> closed(zeros32(2))[1],
    () -> (closed(zeros32(2))[1] = 1), () -> fill!(closed(zeros32(2)), "ones"), () -> array(closed(zeros32(2))),
    () -> progress(closed(Search(planned(), "a100-40g"))), () -> run!(closed(Search(planned(), "a100-40g"))),
    () -> mask(closed(Environment(planned(), "a100-40g"))), () -> step!(closed(Environment(planned(), "a100-40g")), 0),
    () -> argument!(closed(Builder()), "x", :f32, (2,)), () -> finish!(closed(Builder())),
    () -> (b = Builder(); finish!(b); unary!(b, "tanh", argument!(b, "x", :f32, (2,)))),
    () -> add!(closed(CustomCalls()), "a"), () -> wait(closed(start!(executable(), inputs(mlp())...))),
    () -> size(closed(Sharding(mesh(), "[{data}]", (4,)))), () -> num_devices(closed(moved("f32[4] [{x}]", "[{}]"))),
    () -> filled(:f32, (2,)) |> closed |> Tilewright.to_dlpack, () -> Tensor(:f32, (2,); context = closed(Context())),
]

const WRONG = [
    :invalid_argument => [
        () -> Mesh("a b"), () -> Mesh(a = 0), () -> Mesh(a = -1), () -> Mesh("a\0=2"), () -> with_devices(mesh(), [0, 0, 1, 2]),
        () -> Sharding(mesh(), [DimSharding()], (4, 4)), () -> DimSharding(:data; split = :halves) |> d -> Sharding(mesh(), [d], (4,)),
        () -> Tensor(:f33, (2,)), () -> Tensor(:f32, (-2,)), () -> Tensor(["text"]), () -> Tensor(rand(Float32, 2, 3); share = true),
        () -> fill!(zeros32(2), "pattern"), () -> fill!(zeros32(2), "on\0es"),
        () -> fill_part!(zeros32(2, 2), (4,), Tile([1:2]), "ones"), () -> compare(zeros32(2), zeros32(3)),
        () -> compare(zeros32(2), Tensor{Float64}(2)), () -> loads("no program"), () -> loads(UInt8[0xff, 0xfe, 0x00]),
        () -> evaluate(mlp()), () -> Tilewright.constant(mlp(), 0), () -> Plan(mlp(), mesh(); policy = "mine"),
        () -> built((b, x) -> result!(b, "y", einsum!(b, "ij,jk->ik", x, x))), () -> built((b, x) -> reshape!(b, x, (7,))),
        () -> built((b, x) -> result!(b, "y", argument!(Builder(), "z", :f32, (1,)))),
        () -> built((b, x) -> op!(b, "reduce", x, x; regions = [combiner!(Builder(), "add", :f32)])),
        () -> built((b, x) -> op!(b, "tanh", x; results = 2)), () -> built((b, x) -> add_op!(b, "add", x)),
        () -> built((b, x) -> add_op!(b, "iota"; iota_dimension = nothing)), () -> built((b, x) -> name!(b, x, "a\0b")),
        () -> run(executable(), inputs(mlp())[1:2]...), () -> run(executable(), zeros32(6, 8), inputs(mlp())[2:3]...),
        () -> run(executable(), Tensor{Float64}(8, 6), inputs(mlp())[2:3]...),
        () -> run!([zeros32(1)], executable(), inputs(mlp())...), () -> run!([], executable(), inputs(mlp())...),
        () -> run!([zeros(Float32, 8, 6)], executable(), inputs(mlp())...), () -> emit(planned(), "nothing"),
        () -> compare(lower(planned()), [zeros32(1)], []), () -> add!(CustomCalls(), ""), () -> moved("nonsense", "[{}]"),
        () -> moved("f32[4] [{x}]", "f32[5] [{}]"), () -> tile(moved("f32[4] [{x}]", "[{}]"), :left, 0),
        () -> Tilewright.element(moved("f32[4] [{x}]", "[{}]"), :source, (1, 1)), () -> Redistribution(UInt8[1, 2]),
        () -> run!([], Redistributor(moved("f32[4] [{x}]", "[{}]")), []), () -> Redistributor(),
        () -> run!([zeros32(4), zeros32(4)], Redistributor(moved("f32[4] [{x}]", "[{}]")), [zeros32(2), zeros32(3)]),
        () -> run!([zeros32(4), zeros32(4)], Redistributor(moved("f32[4] [{x}]", "[{}]")), [zeros32(2), nothing]),
        () -> run!([zeros32(4), zeros32(4)], Redistributor(moved("f32[4] [{x}]", "[{}]")), [Tensor{Float64}(2), zeros32(2)]),
        () -> run!([zeros(Float32, 2, 2), nothing], Redistributor(moved("f32[2,2] [{x},{}]", "[{},{x}]")), [nothing, nothing]),
    ],
    :not_found => [
        () -> tile!(planned(), "nobody", 1, :data), () -> tile!(planned(), "x", 1, :nobody), () -> sharding_text(planned(), "nobody"),
        () -> lower(planned(); without = ["nothing"]), () -> find_value(mlp(), "nobody"), () -> load("/nowhere/at/all.mlir"),
        () -> apply_file!(planned(), "/nowhere/at/all.txt"), () -> apply!(planned(), "nonsense"), () -> ops_info("nothing"),
        () -> search(planned(), "a100-41g"), () -> Sharding(mesh(), "[{nobody}]", (4,)), () -> tile(mesh(), "[{nobody}]", (8,), 0),
    ],
    :out_of_range => [
        () -> tile!(planned(), "x", 9, :data), () -> tile!(planned(), "x", 0, :data), () -> tile!(planned(), "x", -1, :data),
        () -> get_op(mlp(), 10^6), () -> get_op(mlp(), -1), () -> get_value(mlp(), 10^6), () -> get_region(mlp(), 9),
        () -> explain_collective(lower(planned()), 99), () -> axis_kind(mesh(), 9), () -> axis_part(mesh(), 9),
        () -> argument_sharding(planned(), 9), () -> result_sharding(planned(), 0), () -> peak_bytes(executable(), 9),
        () -> tile(Sharding(mesh(), "[{data}]", (4,)), 99), () -> dim_sharding(Sharding(mesh(), "[{data}]", (4,)), 2),
        () -> bytes_received(moved("f32[4] [{x}]", "[{}]"), 9), () -> tile(mesh(), "[{data}]", (8,), 99),
    ],
    :failed_precondition => [() -> trace(executable()), () -> profile(executable())],
    :resource_exhausted => [() -> Executable(planned(); memory_limit = 1), () -> zeros32(2^40)],
]

@testset "misuse" begin
    for call in CLOSED
        error = thrown(call)
        @test error isa Tilewright.Error && error.status === :failed_precondition
    end
    for (status, calls) in WRONG, (i, call) in enumerate(calls)
        error = thrown(call)
        said = error isa Tilewright.Error && error.status === status
        said || println("$status $i: ", error)
        @test said
    end
    @test length(CLOSED) + sum(length(calls) for (_, calls) in WRONG) >= 60
    @test_throws MethodError Plan(mesh(), mesh())
    @test_throws MethodError unary!(Builder(), "tanh", 7)
    @test_throws BoundsError zeros32(2, 3)[3, 1]
    @test_throws BoundsError zeros32(2, 3)[1, 4] = 1
end

@testset "what an error says" begin
    error = thrown(() -> loads("func.func @main(%x: tensor<4xf32) {"; file = "a.mlir"))
    @test (error.status, error.id, error.file, error.line, error.column) == (:invalid_argument, "TW-101", "a.mlir", 1, 33)
    @test any(occursin("^", note) for note in error.notes)
    @test startswith(sprint(showerror, error), "a.mlir:1:33: expected '>'")
    @test any(d.id == "TW-101" && !isempty(d.advice) for d in diagnostics())
end
