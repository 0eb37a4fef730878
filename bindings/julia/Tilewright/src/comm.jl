# SPDX-License-Identifier: Apache-2.0
# Several processes that run programs together, over MPI.

"""
    Comm(mpi_comm = C_NULL; library = nothing, deadline = 0)

Processes that run programs together. `mpi_comm` points at an MPI_Comm of the program; C_NULL: all processes.
Executables and
runs on it are made by all of them in the same order. The first failure on any is an error on all.
"""
function Comm(mpi_comm::Ptr = C_NULL; library = nothing, deadline = 0)
    texts = Texts()
    options = Ref(filled_struct(Lib.tw_mpi_options_t; library = address(texts, library), deadline = deadline))
    GC.@preserve texts return Comm(made(Lib.tw_comm_t, out -> Lib.tw_comm_create_mpi(mpi_comm, options, out)))
end

"""MPI_Init_thread and MPI_Finalize, for programs that use MPI only through this library."""
mpi_start(library = nothing) = check(Lib.tw_mpi_start(maybe(library)))
mpi_finish(library = nothing) = check(Lib.tw_mpi_finish(maybe(library)))

"""Which process this is, from 0, and how many there are."""
comm_rank(comm::Comm) = Int(Lib.tw_comm_rank(comm))
comm_size(comm::Comm) = Int(Lib.tw_comm_size(comm))

"""Checks that values are equal on all processes: agree(comm, "seed" => 7)."""
function agree(comm::Comm, facts::Pair...)
    texts = Texts()
    names = Cstring[address(texts, string(name)) for (name, _) in facts]
    values = Cstring[address(texts, string(value)) for (_, value) in facts]
    GC.@preserve texts alone(() -> check(Lib.tw_comm_agree(comm, names, values, length(names))), comm)
end

"""The value that process `root` has."""
function share(comm::Comm, value::Integer; root = 0)
    shared = Ref{Int64}(value)
    alone(() -> check(Lib.tw_comm_share(comm, root, shared)), comm)
    return Int(shared[])
end

"""On which hosts the devices of a plan's mesh will run, for the `levels` of `lower`."""
levels(comm::Comm, plan::Plan) =
    alone(() -> alone(() -> blob_text(out -> Lib.tw_comm_levels(comm, plan, out)), plan), comm)

"""Tells all others that this process gives up, and why."""
fail!(comm::Comm, message) = alone(() -> check(Lib.tw_comm_fail(comm, Lib.TW_CANCELLED, c_text(message))), comm)
