// SPDX-License-Identifier: Apache-2.0
//! What the tests share: a small program and its inputs.
#![allow(dead_code)] // no test uses all of it
use tilewright::{Builder, Dtype, Graph, Mesh, Plan, Result, Tensor};

/// y = tanh(x w1) w2.
pub fn mlp_of(batch: i64, features: i64, hidden: i64) -> Graph {
    let mut b = Builder::new("mlp").unwrap();
    let x = b.argument("x", Dtype::F32, &[batch, features]);
    let w1 = b.argument("w1", Dtype::F32, &[features, hidden]);
    let w2 = b.argument("w2", Dtype::F32, &[hidden, features]);
    let product = b.einsum("bd,df->bf", x, w1);
    let h = b.unary("tanh", product);
    let y = b.einsum("bf,fd->bd", h, w2);
    b.result("y", y);
    b.finish().unwrap()
}

pub fn mlp() -> Graph {
    mlp_of(8, 6, 12)
}

pub fn inputs(graph: &Graph) -> Vec<Tensor> {
    let filled = |(i, a): (usize, tilewright::Parameter<'_>)| {
        Tensor::filled(a.dtype, a.dims, "default", 0, i as u64).unwrap()
    };
    graph.arguments().enumerate().map(filled).collect()
}

pub fn mesh() -> Mesh {
    Mesh::new(&[("data", 2), ("model", 2)]).unwrap()
}

pub fn decided(graph: &Graph) -> Result<Plan> {
    let mut plan = graph.plan(&mesh())?;
    plan.tile("x", 0, "data")?.tile("w1", 1, "model")?.infer_propagate()?;
    Ok(plan)
}

pub fn planned() -> Plan {
    decided(&mlp()).unwrap()
}
