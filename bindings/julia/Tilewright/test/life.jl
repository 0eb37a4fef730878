# SPDX-License-Identifier: Apache-2.0
# Objects come and go without growth, in any order, and threads take turns.

"""Bytes of this process."""
resident() = parse(Int, split(read("/proc/self/statm", String))[2]) * 4096

"""By how many bytes the process grows while something is done so often, after a third as often before."""
function grows(work, times)
    cycles(work, div(times, 3), div(times, 12))
    before = resident()
    cycles(work, times, div(times, 12))
    return resident() - before
end

# The collector does not know how large the library's objects are, so it is called now and then.
function cycles(work, times, every)
    for i in 1:times
        work()
        i % every == 0 && collected()
    end
    collected()
end

# What has a finalizer goes with the collection after the one that finds it.
collected() = foreach(_ -> GC.gc(), 1:3)

function one_of_each()
    b = Builder("small")
    x = argument!(b, "x", :f32, (4,))
    result!(b, "y", binary!(b, "add", x, x))
    graph = finish!(b)
    plan = Plan(graph, Mesh(data = 2))
    tile!(plan, "x", 1, :data)
    on_action!((_...) -> nothing, plan)
    apply!(plan, "propagate")
    tile(value_sharding(plan, x), 0)
    thrown(() -> tile!(copy(plan), "nobody", 1, :data))
    add!(CustomCalls(), "a"; rule = "i -> i", kernel = call -> nothing)
    memory = Float32[1, 2, 3, 4]
    tensor = Tensor(memory)
    array(tensor)[1] = 2
end

@testset "ten thousand cycles" begin
    @test grows(one_of_each, 10_000) < 4 << 20
end

@testset "executables" begin
    program, arrays = lower(planned()), inputs(mlp())
    work() = begin
        executable = Executable(program; workers = 1)
        run(executable, arrays...)
        wait(start!(executable, arrays...))
        start!(executable, arrays...) # cancelled
        close(executable)
    end
    @test grows(work, 300) < 4 << 20
end

@testset "any order" begin
    graph = mlp()
    arrays = inputs(graph)
    expected, = evaluate(graph, arrays...)
    plan = planned(graph)
    program = lower(plan)
    executable = Executable(program)
    sharding = argument_sharding(program, 1)
    foreach(close, (graph, plan))
    @test sharding_text(sharding) == "[{data}, {}]"
    close(program)
    @test first(axis_sizes(Mesh(sharding))) == (:data => 2)
    @test isopen(sharding) && !isopen(program)
    @test compare(run!([Tensor{Float32}(8, 6)], executable, arrays...)[1], expected).passes
end

@testset "closing while in use" begin
    plan = Plan(mlp(), mesh())
    told = []
    on_action!((plan, _...) -> push!(told, thrown(() -> close(plan))), plan)
    apply!(plan, "propagate")
    @test told[1] isa Tilewright.Error && occursin("in use", told[1].text) && isopen(plan)
end

# Threads: `julia -t 2` has them; with one, tasks take their place.
@testset "threads take turns" begin
    plan, executable = planned(), Executable(planned())
    graph = mlp()
    arrays = inputs(graph)
    expected, = evaluate(graph, arrays...)
    wrong = Threads.Atomic{Int}(0)
    Threads.@threads for i in 1:64
        own = copy(plan)
        error = thrown(() -> tile!(own, "nobody$i", 1, :data))
        ok = error isa Tilewright.Error && occursin("nobody$i", error.text)
        infer_propagate!(plan)
        ok &= sharding_text(plan, "w2") == "[{model}, {}]"
        ok &= compare(run(executable, arrays...)[1], expected).passes
        ok || Threads.atomic_add!(wrong, 1)
    end
    @test wrong[] == 0
    @test counters(executable).runs == 64
end

@testset "cancelled" begin
    graph = mlp(512, 512, 2048)
    executable = Executable(planned(graph))
    arrays = inputs(graph)
    started = start!(executable, arrays...)
    cancel!(started)
    error = thrown(() -> wait(started))
    @test error === nothing || error.status === :cancelled
    @test is_over(started)
    @test size(run(executable, arrays...)[1]) == (512, 512)
end
