# SPDX-License-Identifier: Apache-2.0
# Graphs, plans and programs as structs, shardings, and graphs that are built.

@testset "graphs" begin
    graph = mlp()
    @test [op.name for op in ops(graph)][4:end] == ["stablehlo.dot_general", "stablehlo.tanh", "stablehlo.dot_general", "func.result"]
    for op in ops(graph)
        for (i, operand) in enumerate(op.operands)
            @test (op.number => i) in get_value(graph, operand).uses
        end
        @test all(get_value(graph, result).op == op.number for result in op.results)
    end
    x = argument_value(graph, 1)
    @test (find_value(graph, "x"), value_name(graph, x), symbol(graph, x)) == (x, "x", "%arg0")
    @test argument_value(graph, 9) === nothing && result_value(graph, 1) == find_value(graph, "y")
    @test string.(last.(arguments(graph))) == ["f32[8,6]", "f32[6,12]", "f32[12,6]"] && first(results(graph)[1]) == "y"
    @test ("lhs_contracting_dimensions" => [1]) in get_op(graph, 3).attributes
    @test length(collect(regions(graph))) == 1 && length(collect(values_of(graph))) == 6
    @test "stablehlo.dot_general" in op_names() && occursin("lhs_contracting", ops_info("stablehlo.dot_general"))
    @test occursin("\"values\"", info(graph; values = true)) && Tilewright.grid_rank(graph) == 0
    @test Tilewright.declared_mesh(graph) === nothing && donated_to(graph, 1) === nothing
end

@testset "builder" begin
    b = Builder("all")
    x = argument!(b, "x", :f32, (2, 3); donated = :somewhere)
    r = reshape!(b, transpose!(b, x, (2, 1)), (6,))
    wide = broadcast!(b, slice!(b, r, 1:2:6), (2, 3), (2,))
    picked = add_op!(b, "select", compare!(b, "LT", x, wide), x, wide)
    most = reduce!(b, "max", concatenate!(b, [picked, x], 1), (1,))
    i = add_op!(b, "iota"; iota_dimension = 0, result_dims = (3,), result_dtype = :i32)
    f32, i32 = ArrayType(:f32, ()), ArrayType(:i32, ())
    before = region!(b, [f32, f32, i32, i32]) do a, c, _, _
        compare!(b, "GT", a, c)
    end
    values, indices = op!(b, "sort", most, i; regions = [before], results = 2, attributes = (dimension = 0,), location = "here.py:7")
    name!(b, values, "sorted")
    result!(b, "values", values)
    result!(b, "indices", indices)
    Tilewright.check_built(b)
    graph = finish!(b)
    outputs = evaluate(graph, Float32[1 5 3; 4 2 6])
    @test outputs[1] == [6, 5, 4] && outputs[2] == [2, 1, 0]
    @test find_value(graph, "%sorted") == get_value(graph, values).number && donated_to(graph, 1) === :somewhere
    sort_op = only(op for op in ops(graph) if op.name == "stablehlo.sort")
    @test Tilewright.op_location(graph, sort_op.number) == "here.py:7" && length(sort_op.regions) == 1
    @test get_region(graph, first(sort_op.regions)).parent == sort_op.number
end

@testset "regions and constants" begin
    b = Builder("loop")
    scalar = ArrayType(:i32, ())
    condition = region!(i -> compare!(b, "LT", i, splat!(b, 10, :i32)), b, [scalar])
    body = region!(i -> binary!(b, "add", i, splat!(b, 1, :i32)), b, [scalar])
    result!(b, "last", op!(b, "while", splat!(b, 0, :i32); regions = [condition, body])[1])
    literal = constant!(b, Float32[1 2; 3 4])
    sum = op!(b, "reduce", literal, splat!(b, 0, :f32); regions = [combiner!(b, "add", :f32)], attributes = (dimensions = [0],))[1]
    result!(b, "sum", binary!(b, "multiply", sum, convert_to!(b, fill_with!(b, BF16(3), (2,)), :f32)))
    graph = finish!(b)
    outputs = evaluate(graph)
    @test outputs[1][] == 10 && outputs[2] == [12, 18]
    made_by = get_value(graph, literal).op
    @test Tilewright.constant(graph, made_by) == (Float32[1 2; 3 4], false)
end

@testset "shardings" begin
    over = Mesh("data=2,model=4")
    part = AxisPart(:model, 2, 2)
    @test string(part) == "model:(2)2" && string(AxisPart(:model)) == "model"
    dims = [DimSharding(:data; split = :ceil, halo_before = 1, border = :wrap), DimSharding(part)]
    sharding = Sharding(over, dims, (5, 8); partials = [Partial(AxisPart(:model, 1, 2), :sum)])
    @test size(sharding) == (5, 8) && num_tiles(sharding, 1) == 2 && !is_whole(sharding) && local_size(sharding) == (4, 4)
    @test dim_sharding(sharding, 2).axes == [part] && partials(sharding)[1].reduction === :sum
    @test Sharding(over, sharding_text(sharding), (5, 8)) == sharding != Sharding(over, "[{}, {}]", (5, 8))
    @test tile(over, "[{data}, {}]", (5, 8), 7) == Tile([3:5, 1:8])
    @test device_id(with_devices(over, 7:-1:0), 0) == 7 && device_id(over, 8) === nothing && num_positions(over) == 8
    @test axis_kind(over, 1) === :devices && axis_part(Mesh(sharding), 2).size == 2
    b = Builder("annotated")
    x = argument!(b, "x", :f32, (8, 6))
    rows = Sharding(mesh(), [DimSharding(:data), DimSharding()], (8, 6))
    shard!(b, x, rows)
    y = unary!(b, "tanh", x)
    result!(b, "y", y)
    shard_result!(b, 1, rows)
    graph = finish!(b)
    @test value_sharding(Plan(graph), y) == rows && axis_sizes(Tilewright.declared_mesh(graph)) == axis_sizes(mesh())
    @test sharding_text(Plan(graph; ignore_annotations = true), "x") == "[{}, {}]"
end

@testset "values that keep halos" begin
    over = Mesh(a = 3)
    b = Builder("stencil")
    x = argument!(b, "x", :f32, (13,))
    n = unary!(b, "negate", keep_halo!(b, x, Sharding(over, "[{a}:halo=[2,2]]", (13,))))
    inside = Sharding(over, "[{a}:cuts=[0,4,7,11]]", (11,))
    left, right = [shard!(b, slice!(b, n, range), inside) for range in (1:11, 3:13)]
    result!(b, "y", binary!(b, "add", left, right))
    program = lower(Plan(finish!(b)))
    @test count(program) == 1 && bytes_received(program) == 16 # two elements from each side
    memory = Float32[i^2 for i in 1:13]
    @test run(Executable(program), memory)[1] == [-memory[i] - memory[i+2] for i in 1:11]
    for (text, status) in ("[{a}]" => :invalid_argument, "[{a}:halo=[1,1]:wrap]" => :unimplemented)
        b = Builder("wrong")
        keep_halo!(b, argument!(b, "x", :f32, (13,)), Sharding(over, text, (13,)))
        @test thrown(() -> finish!(b)).status === status
    end
end

# A halo that ends where the array does: made of a struct, read back, told to a program, and found in it.
@testset "halos without a border" begin
    over = Mesh(a = 3)
    around(border) = Sharding(over, [DimSharding(:a; halo_before = 2, halo_after = 2, border)], (13,))
    ends, zeros_around = around(:none), around(:zero)
    @test sharding_text(ends) == "[{a}:spans=[0,6,2,10,6,13]]" # around 0..4, 4..8 and 8..13, counted from 0
    @test tile(ends, 2) == Tile([7:13]) && tile(zeros_around, 2) == Tile([7:15]) && ends != zeros_around
    b = Builder("keeps")
    result!(b, "y", keep_halo!(b, argument!(b, "x", :f32, (13,)), ends))
    program = lower(Plan(finish!(b), over))
    laid_out = [local_sharding(program, i) for i in 0:length(locals(program))-1]
    kept = filter(sharding -> dim_sharding(sharding, 1).border === :none, laid_out)
    @test !isempty(kept) && all(==(ends), kept)
    dim = dim_sharding(Sharding(over, sharding_text(ends), (13,)), 1)
    @test (dim.split, dim.halo_before, dim.halo_after, dim.border) == (:balanced, 2, 2, :none)
end

@testset "plans" begin
    plan = planned()
    before = stamp(plan)
    @test any(occursin("w1", action.text) for action in actions(plan))
    model = only(l for l in loops(plan, 5) if l.axis === :model)
    @test (model.kind, model.reduction, model.operand_dims, model.result_dims) == (:reduce, :sum, [2, 1], [nothing])
    @test sharding_text(argument_sharding(plan, 2)) == "[{}, {model}]" && num_devices(Mesh(plan)) == 4
    @test isempty(conflicts(plan)) && is_whole(value_sharding(plan, 5)) == false
    atomic!(plan, "y", :model)
    undo!(plan, before)
    @test Tilewright.num_conflicts(plan) == 0 && occursin("w1", explain(plan, "w2", :model))
    for form in forms()
        printed = form.of_plan ? emit(plan, form.name) : emit(lower(plan), form.name)
        @test !isempty(printed)
        bytes = form.of_plan ? emit_bytes(plan, form.name) : emit_bytes(lower(plan), form.name)
        @test (bytes[1:2] == b"ML") == form.binary
        @test all(!isempty(emit_after(plan, pass; form = form.name)) for pass in form.passes)
    end
    @test Tilewright.find_form("loops").name == "loops" && Tilewright.find_form("nothing") === nothing
    twice = Plan(mlp(), mesh())
    tile!(twice, "x", 2, :data)
    tile!(twice, "w1", 2, :data)
    infer_propagate!(twice)
    found = [conflicts(twice); disagreements(twice)]
    @test !isempty(found) && all(c -> c.axis === :data && !isempty(c.text), found)
    costed = [conflicts(lower(twice)); disagreements(lower(twice))]
    @test any(way.bytes !== nothing for c in costed for way in c.ways)
end

@testset "programs" begin
    program = lower(planned())
    @test (num_devices(program), count(program), count(program, :all_reduce)) == (4, 1, 1)
    collective = only(collectives(program))
    @test (collective.kind, collective.reduction, collective.axes) == (:all_reduce, :sum, [:model])
    instr = instrs(program)[collective.instr+1]
    @test instr.kind === :collective && instr.collective == 0
    @test locals(program)[first(instr.results)+1].instr == collective.instr
    @test isempty(partials(local_sharding(program, first(instr.results))))
    @test !isempty(partials(local_sharding(program, instr.operands[1])))
    @test count(i -> i.kind === :compute, instrs(program)) == 3 && instrs(program)[1].index == 1
    @test sharding_text(result_sharding(program, 1)) == "[{data}, {}]" && length(actions(program)) > 1
    @test peak_bytes(program) > 0 && !result_exact(program, 1) && occursin("w1", explain_collective(program, 0))
    @test startswith(info(program), "{") && occursin("all_reduce", report(program)) && num_devices(Mesh(program)) == 4
    @test any(length(c.bytes_by_level) == 2 for c in collectives(lower(planned(); levels = "node=2")))
end

@testset "estimates" begin
    program = lower(planned())
    system = parse_system(
        "[device] flops.f32=1e9 hbm_bytes=1e6 hbm_bw=1e8 launch_s=1e-3\n[axis *] bw=1e5 lat=1e-3\n"; file = "small.conf",
    )
    @test nameof(system) == "small.conf" && occursin("small.conf", repr(system))
    found = estimate(program, system)
    all_of = totals(found)
    @test all_of.fits && all_of.peak_bytes <= all_of.cap_bytes && all_of.overlapped_s <= all_of.serial_s
    seconds(bound) = sum(s.seconds * s.times for s in steps(found) if s.bound === bound; init = 0.0)
    @test seconds(:compute) ≈ all_of.compute_s && seconds(:memory) ≈ all_of.memory_s && seconds(:link) ≈ all_of.communication_s
    @test all_of.compute_s + all_of.memory_s + all_of.communication_s ≈ all_of.serial_s
    @test first.(axis_seconds(found)) == [:data, :model] && sum(last, axis_seconds(found)) ≈ all_of.communication_s
    one = only(collectives(found))
    @test (one.kind, one.axes) == (:all_reduce, [:model]) && one.seconds * one.times ≈ all_of.communication_s
    step = steps(found)[one.step+1]
    @test step.what == "all_reduce over model" && step.instr == only(collectives(program)).instr
    most = places(found)[all_of.peak_place+1].bytes
    @test most == maximum(p.bytes for p in places(found)) == sum(h.bytes for h in held(found))
    @test any(h.role === :parameter && h.local_value < length(locals(program)) for h in held(found))
    @test occursin("\"fits\": true", info(found)) && occursin("traceEvents", trace(found))
    whole = Tilewright.page(program; estimate = found, trace = "{\"traceEvents\":[]}")
    @test occursin("id=\"facts\"", whole) && length(Tilewright.page(program)) < length(whole)
    @test_throws Tilewright.Error Tilewright.page(program; trace = "no trace")
    tight = estimate(program, "h100-sxm"; cap_bytes = 1)
    @test !totals(tight).fits && occursin("DOES NOT FIT", report(tight))
    @test_throws Tilewright.Error System("a100-41g")
    @test_throws Tilewright.Error parse_system("[device]\nflops.f33=1\n")
end

@testset "searches" begin
    plan = Plan(mlp(), mesh())
    found = search(plan, "a100-40g"; episodes = 100, seed = 7, threads = 1)
    made = apply!(Plan(mlp(), mesh()), spec(found))
    @test all(sharding_text(Plan(found), value) == sharding_text(made, value) for value in ("x", "w1", "w2", "y"))
    @test occursin("\"cost_ms\"", report(found)) && progress(found).episodes > 0 && occursin("mlp", repr(found))
    @test spec(found) == spec(search(plan, "a100-40g"; episodes = 100, seed = 7, threads = 2))
    per_use = search(plan, "a100-40g"; episodes = 20, gather_per_use = true, without = ["fuse_moves"])
    @test occursin("per-use", report(per_use)) && sharding_text(plan, "x") == "[{}, {}]"
    @test occursin("\"status\": \"gap\"", report(search(plan, "a100-40g"; episodes = 50, gap = 0.9)))
    mktempdir() do folder
        kept = [search(plan, "a100-40g"; episodes = 20, cache = folder, exact = true) for _ in 1:2]
        @test [occursin("\"cached\": true", report(one)) for one in kept] == [false, true] && spec(kept[1]) == spec(kept[2])
    end
    waits = Search(plan, "a100-40g")
    @test progress(waits) == (cost_s = 0, bound_s = 0, peak_bytes = 0, episodes = 0) && thrown(() -> spec(waits)).status === :failed_precondition
    cancel!(waits)
    @test occursin("\"cancelled\"", report(run!(waits))) && thrown(() -> run!(waits)).status === :failed_precondition
end

@testset "environments" begin
    environment = Environment(Plan(mlp(), mesh()), "a100-40g")
    first, seen = price(environment), observe(environment)
    legal() = findfirst(mask(environment)[1:end-1]) - 1
    taken = [legal()]
    rewards = [step!(environment, taken[1]).reward]
    push!(taken, legal())
    push!(rewards, step!(environment, taken[2]).reward)
    @test sum(rewards) ≈ log(first.cost_s / price(environment).cost_s) && actions(environment) == taken
    @test thrown(() -> step!(environment, taken[1])).status === :failed_precondition
    other = copy(environment)
    @test observe(other) == observe(environment) != seen && occursin("mlp", repr(other))
    @test step!(environment, num_actions(environment) - 1) == (reward = 0, done = true) && !any(mask(environment))
    made = apply!(Plan(mlp(), mesh()), spec(environment))
    @test all(sharding_text(Plan(environment), value) == sharding_text(made, value) for value in ("x", "w1", "w2", "y"))
    restore!(environment)
    @test price(environment) == first && observe(environment) == seen
    restore!(environment, taken)
    undo!(environment, 2)
    @test isempty(actions(environment)) && occursin("\"conflicts\"", report(other))
    @test thrown(() -> observe!(Float32[0], environment)).status === :invalid_argument
    tight = Environment(Plan(mlp(), mesh()), "a100-40g"; cap_bytes = 100, axes = "model", even_only = true)
    @test !price(tight).fits && num_actions(tight) < num_actions(other)
end

@testset "executables" begin
    graph = mlp()
    program, arrays = lower(planned(graph)), inputs(graph)
    expected, = evaluate(graph, arrays...)
    context = Context(workers = 2)
    executable = Executable(program; context = context, profile = true, trace = true)
    @test compare(run(executable, arrays...)[1], expected).passes
    @test counters(executable).runs == 1 && num_devices(executable) == 4 && Tilewright.workers(executable) == 2
    @test Tilewright.arena_bytes(executable) > 0 && peak_bytes(executable, 0) > 0
    @test all(startswith("{"), (flight(executable), trace(executable), profile(executable)))
    @test occursin("\"steps\":0", Tilewright.on_host(executable))
    tiled = Executable(program; tiles = true)
    parts = Tensor[]
    for (i, (_, type)) in enumerate(arguments(graph)), device in 0:3
        place = argument_tile(tiled, i, device)
        push!(parts, fill_part!(Tensor(:f32, size(place)), type.size, place, "default"; stream = i))
    end
    places = [result_tile(tiled, 1, device) for device in 0:3]
    outputs = run!([Tensor(:f32, size(place)) for place in places], tiled, parts...)
    @test all(output ≈ expected[place.ranges...] for (place, output) in zip(places, outputs))
    b = Builder("step")
    x = argument!(b, "x", :f32, (64,); donated = 1)
    result!(b, "y", binary!(b, "add", x, x))
    step = finish!(b)
    donating = Executable(unpartitioned(step); donate = true)
    memory = Tensor(ones(Float32, 64))
    @test donated_to(donating, 1) == donated_to(step, 1) == 1
    run!([memory], donating, memory)
    @test all(memory .== 2)
end

@testset "redistributions" begin
    plan = redistribute("x=2", "i32[4] [{x}]", "[{}]")
    @test tile(plan, :target, 1) == Tile([1:4]) && (num_devices(plan), device_id(plan, 1), device_id(plan, 2)) == (2, 1, nothing)
    @test (ndims(plan), Tilewright.item_size(plan), bytes_received(plan, 0), bound(plan)[1]) == (1, 4, 8, 8)
    @test Tilewright.is_exact(plan) && !Tilewright.combines(plan) && Tilewright.height_bytes(plan) > 0
    Tilewright.check_plan(plan)
    again = Redistribution(Tilewright.save(plan))
    @test again == plan && hash(again) == hash(plan) && Tilewright.scratch_bytes(again) == Tilewright.scratch_bytes(plan)
    @test startswith(info(plan; check = true), "{") && startswith(Tilewright.pareto(plan), "[") && !isempty(report(plan))
    @test Tilewright.element(plan, :target, (4,)) == (4,)
    @test Tilewright.element(redistribute("x=2", "i32[4] [{x}]", "[{x}:halo=[1,1]]"), :target, (0,)) === nothing
    targets = run!([zeros(Int32, 4), zeros(Int32, 4)], Redistributor(plan), [Int32[1, 2], Int32[3, 4]])
    @test targets == [[1, 2, 3, 4], [1, 2, 3, 4]]
    sharing = Redistributor(plan; share = true, workers = 1)
    own = home(sharing, 1, 1) == (:target, 1)
    targets = run!([zeros(Int32, 4), own ? zeros(Int32, 4) : nothing], sharing, [Int32[1, 2], Int32[3, 4]])
    @test targets[1] == [1, 2, 3, 4] && Tilewright.scratch_bytes(sharing) >= 0
    left = redistribute("x=2", "i32[4] [{x}]", "[{}]"; lost = [1])
    @test first.(missing_parts(left)) == [0, 1] && isempty(missing_parts(plan))
    direct = redistribute(Mesh(x = 2), "i32[4] [{x}]", "[{}]"; target_mesh = Mesh(x = 2), method = "direct", links = [Link(1, 1, 10)])
    @test Tilewright.method(direct) === :direct && Tilewright.num_steps(direct) == 1
end

@testset "the library" begin
    @test Tilewright.api_version() >= 200 && !isempty(Tilewright.library_version()) && startswith(Tilewright.build_info(), "{")
    for object in (mesh(), mlp(), planned(), lower(planned()), Executable(planned()), Builder(), zeros32(2))
        @test !isempty(repr(object))
        isopen(object) && close(object)
        @test occursin(r"closed|finished", repr(object))
    end
end
