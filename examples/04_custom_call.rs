// SPDX-License-Identifier: Apache-2.0
//! Gives a program's custom_call its meaning: how it may be split, what it takes, and a kernel that computes
//! a device's part.
use tilewright::{
    Attribute, Call, CustomCall, CustomCalls, Dtype, Graph, Mesh, Program, Result, Tensor,
};

const PROGRAM: &str = "\
func.func @main(%x: tensor<10x6xf32>, %w: tensor<6x6xf32>, %scale: tensor<6xf32>) -> tensor<10x6xf32> {
  %h = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
     : (tensor<10x6xf32>, tensor<6x6xf32>) -> tensor<10x6xf32>
  %y = stablehlo.custom_call @my.rms_norm(%h, %scale) {epsilon = 1.0e-06 : f64}
     : (tensor<10x6xf32>, tensor<6xf32>) -> tensor<10x6xf32>
  return %y : tensor<10x6xf32>
}
";

fn epsilon(call: &Call<'_>) -> Result<f64> {
    let value = call
        .attribute("epsilon")
        .as_ref()
        .and_then(Attribute::as_real);
    Ok(value.ok_or("the attribute epsilon is missing")?)
}

/// Asked once, when the program is read: an error here has the call's position.
fn check(call: &Call<'_>) -> Result<()> {
    if call.operands.len() != 2 || call.results.len() != 1 || call.operands[0].dtype != Dtype::F32 {
        return Err("takes an f32 array and a scale".into());
    }
    epsilon(call).map(drop)
}

/// Called for every device with the rows that it holds; several devices at a time.
fn rms_norm(call: &mut Call<'_>) -> Result<()> {
    let (x, scale, epsilon) = (
        call.operands[0],
        call.operands[1].as_slice::<f32>()?,
        epsilon(call)?,
    );
    let columns = scale.len();
    let rows = x.as_slice::<f32>()?.chunks(columns);
    for (row, out) in rows.zip(call.results[0].as_mut_slice::<f32>()?.chunks_mut(columns)) {
        let squares: f64 = row.iter().map(|&v| f64::from(v) * f64::from(v)).sum();
        let factor = (1.0 / (squares / columns as f64 + epsilon).sqrt()) as f32;
        for ((out, v), s) in out.iter_mut().zip(row).zip(scale) {
            *out = v * factor * s;
        }
    }
    println!(
        "rows {} to {} of {}",
        x.offset[0],
        x.offset[0] + x.extent[0],
        x.whole[0]
    );
    Ok(())
}

fn main() -> Result<()> {
    // Rows go their own ways; a row's columns stay together on every device.
    let mut calls = CustomCalls::new()?;
    calls.add(
        CustomCall::new("my.rms_norm")
            .rule("... *, * -> ... *")
            .check(check)
            .kernel(rms_norm),
    )?;
    let graph = Graph::import()
        .file("norm.mlir")
        .custom_calls(&calls)
        .parse(PROGRAM)?;

    let mut plan = graph.plan(&Mesh::new(&[("data", 3)])?)?;
    plan.tile("x", 0, "data")?.propagate()?;
    let spmd = plan.lower()?;
    println!("{} collectives", spmd.num_collectives());

    let inputs = [
        Tensor::filled(Dtype::F32, &[10, 6], "normal(0,1)", 0, 0)?,
        Tensor::filled(Dtype::F32, &[6, 6], "normal(0,1)", 0, 1)?,
        Tensor::filled(Dtype::F32, &[6], "ones", 0, 2)?,
    ];
    let parts = spmd.executable()?.run(&inputs)?;
    let one = Program::unpartitioned(&graph)?.executable()?.run(&inputs)?;
    let same = parts[0].compare_exactly(&one[0])?.passes;
    println!(
        "three devices and one agree to the bit: {}",
        if same { "yes" } else { "no" }
    );
    std::process::exit(i32::from(!same));
}
