# SPDX-License-Identifier: Apache-2.0
# Redistributes a matrix over 4 devices of this process, from rows to columns: planned once, run as often as
# wanted.
using Tilewright

const N, DEVICES = 12, 4
plan = redistribute("x=4", "f32[12,12] [{x},{}]", "[{},{x}]")
mover = Redistributor(plan)

# Every device holds 3 rows of 12, and wants 3 columns. An element is its number in the whole matrix, row by
# row.
number(row, column) = Float32((row - 1) * N + column - 1)
rows = [Tensor([number(row, column) for row in 3d+1:3d+3, column in 1:N]) for d in 0:DEVICES-1]
columns = [Tensor{Float32}(N, 3) for _ in 1:DEVICES]
run!(columns, mover, rows)

least, _ = bound(plan)
println(
    "device 1 received ", bytes_received(plan, 1), " bytes in ", Tilewright.num_steps(plan), " step; no plan takes fewer than ",
    least,
)
wrong = sum(columns[d+1][row, column] != number(row, 3d + column) for d in 0:DEVICES-1, row in 1:N, column in 1:3)
println(wrong, " elements wrong")
exit(wrong == 0 ? 0 : 1)
