// SPDX-License-Identifier: Apache-2.0
//! Redistributes a matrix over 4 devices of this process, from rows to columns: planned once, run as often as
//! wanted.
use tilewright::{Mesh, Redistribution, Result};

const N: usize = 12;
const DEVICES: usize = 4;

fn main() -> Result<()> {
    let plan = Redistribution::new(&Mesh::parse("x=4")?, "f32[12,12] [{x},{}]", "[{},{x}]")?;
    let mut mover = plan.redistributor()?;

    // Every device holds 3 rows of 12, and wants 3 columns. An element is its number in the whole matrix.
    let matrix: Vec<f32> = (0..N * N).map(|i| i as f32).collect();
    let rows: Vec<&[f32]> = matrix.chunks(3 * N).collect();
    let mut memory = [[0.0f32; N * 3]; DEVICES];
    let mut columns: Vec<&mut [f32]> = memory.iter_mut().map(|tile| &mut tile[..]).collect();
    mover.run(&rows, &mut columns)?;

    let received = plan.bytes_received(1).unwrap_or(0);
    let (least, steps) = (plan.bound()?.0, plan.num_steps());
    println!(
        "device 1 received {received} bytes in {steps} step; no plan takes fewer than {least}"
    );
    let right = |device: usize, row: usize, column: usize| (row * N + device * 3 + column) as f32;
    let wrong = (0..DEVICES)
        .flat_map(|d| (0..N).flat_map(move |row| (0..3).map(move |column| (d, row, column))))
        .filter(|&(d, row, column)| memory[d][row * 3 + column] != right(d, row, column))
        .count();
    println!("{wrong} elements wrong");
    std::process::exit(i32::from(wrong != 0));
}
