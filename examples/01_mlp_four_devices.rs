// SPDX-License-Identifier: Apache-2.0
//! A two-layer perceptron, built call by call, tiled over four devices by batch and by feature, run, and
//! compared with one device.
use tilewright::{Builder, Dtype, Mesh, Program, Result, Tensor};

fn main() -> Result<()> {
    // Errors are sticky: the one at finish covers all of these calls.
    let mut b = Builder::new("mlp")?;
    let x = b.argument("x", Dtype::F32, &[16, 256]);
    let w1 = b.argument("w1", Dtype::F32, &[256, 1024]);
    let w2 = b.argument("w2", Dtype::F32, &[1024, 256]);
    let product = b.einsum("bd,df->bf", x, w1);
    let h = b.unary("stablehlo.tanh", product);
    let y = b.einsum("bf,fd->bd", h, w2);
    b.result("y", y);
    let graph = b.finish()?;

    // Two actions decide everything: the rows of w2 follow by inference, and their contraction becomes the
    // one collective.
    let mesh = Mesh::new(&[("data", 2), ("model", 2)])?;
    let mut plan = graph.plan(&mesh)?;
    plan.tile("x", 0, "data")?
        .tile("w1", 1, "model")?
        .infer_propagate()?;
    let spmd = plan.lower()?;
    println!(
        "{} all_reduce in all, {} bytes received by the busiest device",
        spmd.count("all_reduce")?,
        spmd.bytes_received()
    );

    // Global arrays in, global arrays out, on four devices and on one.
    let inputs = [
        Tensor::filled(Dtype::F32, &[16, 256], "normal(0,1)", 0, 0)?,
        Tensor::filled(Dtype::F32, &[256, 1024], "normal(0,0.06)", 0, 1)?,
        Tensor::filled(Dtype::F32, &[1024, 256], "normal(0,0.03)", 0, 2)?,
    ];
    let y4 = spmd.executable()?.run(&inputs)?;
    let y1 = Program::unpartitioned(&graph)?.executable()?.run(&inputs)?;
    let c = y4[0].compare(&y1[0])?;
    let judged = if c.passes { "equal" } else { "DIFFERENT" };
    println!(
        "four devices and one: largest relative difference {}, {judged}",
        scientific(c.max_rel)
    );
    std::process::exit(if c.passes { 0 } else { 1 });
}

/// As C's %.1e writes it.
fn scientific(value: f64) -> String {
    let text = format!("{value:.1e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    format!(
        "{digits}e{}{:02}",
        if exponent < 0 { '-' } else { '+' },
        exponent.abs()
    )
}
