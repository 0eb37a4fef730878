# SPDX-License-Identifier: Apache-2.0
"""Redistributes a matrix over 4 devices of this process, from rows to columns: planned once, run as often as wanted."""

import array
import sys

import tilewright as tw

N, DEVICES = 12, 4
plan = tw.redistribute("f32[12,12] [{x},{}]", "[{},{x}]", "x=4")
mover = plan.redistributor()

# Every device holds 3 rows of 12, and wants 3 columns. An element is its number in the whole matrix.
rows = [array.array("f", range(d * 3 * N, (d + 1) * 3 * N)) for d in range(DEVICES)]
columns = plan.new_tiles("f32")
mover.run(rows, columns)

least, mean = plan.bound
print(f"device 1 received {plan.bytes_received(1)} bytes in {plan.num_steps} step; no plan takes fewer than {least}")
wrong = sum(
    value != row * N + d * 3 + column
    for d, tile in enumerate(columns)
    for row, values in enumerate(tile.tolist())
    for column, value in enumerate(values)
)
print(f"{wrong} elements wrong")
sys.exit(wrong != 0)
