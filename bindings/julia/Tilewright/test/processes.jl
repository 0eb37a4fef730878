# SPDX-License-Identifier: Apache-2.0
# One of several processes that run a program together, over the MPI library that is named.
include("support.jl")
using Tilewright: Comm, agree, comm_rank, comm_size, fail!, levels, mpi_finish, mpi_start, share

const LIBRARY = ARGS[1]
world() = Comm(; library = LIBRARY, deadline = 120)

mpi_start(LIBRARY)
@testset "processes" begin
    @testset "runs" begin
        comm = world()
        rank = comm_rank(comm)
        @test comm_size(comm) > 1 && 0 <= rank < comm_size(comm)
        agree(comm, "seed" => 7, "file" => "x.mlir")
        @test share(comm, 40 + rank; root = 1) == 41
        @test levels(comm, planned()) == "" # all on one host
        graph = mlp()
        program, arrays = lower(planned(graph)), inputs(graph)
        executable = Executable(program; comm = comm, whole_outputs = true, workers = 1)
        @test Tilewright.num_devices(executable) < 4
        for _ in 1:3
            y, = run(executable, arrays...)
            rank == 0 && @test y == run(Executable(program), arrays...)[1]
        end
        foreach(close, (executable, comm))
    end
    @testset "facts that differ" begin
        comm = world()
        refused = thrown(() -> agree(comm, "seed" => comm_rank(comm)))
        @test refused.status === :invalid_argument && occursin("seed", refused.text)
        close(comm)
    end
    @testset "one gives up" begin
        comm = world()
        if comm_rank(comm) == 1
            fail!(comm, "the disk is full")
            @test thrown(() -> share(comm, 0; root = 1)) isa Tilewright.Error
        else
            told = thrown(() -> share(comm, 0; root = 1))
            @test told.status === :remote && occursin("the disk is full", told.text)
        end
        close(comm)
    end
end
mpi_finish(LIBRARY)
println("ok")
