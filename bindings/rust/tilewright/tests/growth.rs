// SPDX-License-Identifier: Apache-2.0
//! Objects come and go without growth.
mod support;
use std::fs;
use std::sync::{Arc, Mutex};
use support::{inputs, mlp, planned};
use tilewright::*;

/// Bytes of this process.
fn resident() -> i64 {
    let pages = fs::read_to_string("/proc/self/statm").unwrap();
    pages.split_whitespace().nth(1).unwrap().parse::<i64>().unwrap() * 4096
}

/// By how many bytes the process grows while something is done so often, after a tenth of it.
fn grows(times: usize, mut work: impl FnMut()) -> i64 {
    (0..times / 10).for_each(|_| work());
    let before = resident();
    (0..times).for_each(|_| work());
    resident() - before
}

/// The tests of this file would measure each other.
static MEASURING: Mutex<()> = Mutex::new(());

fn one_of_each() {
    let mut b = Builder::new("small").unwrap();
    let x = b.argument("x", Dtype::F32, &[4]);
    let y = b.binary("add", x, x);
    b.result("y", y);
    let graph = b.finish().unwrap();
    let mesh = Mesh::parse("data=2").unwrap();
    let mut plan = graph.plan(&mesh).unwrap();
    plan.tile("x", 0, "data").unwrap().infer_propagate().unwrap();
    plan.on_action(|_, _| ()).unwrap();
    plan.apply("propagate", None).unwrap();
    plan.value_sharding(y).unwrap().tile(0).unwrap();
    assert!(plan.try_clone().unwrap().tile("nobody", 0, "data").is_err());
    let mut calls = CustomCalls::new().unwrap();
    calls.add(CustomCall::new("a").rule("i -> i").kernel(|_| Ok(()))).unwrap();
    let tensor = Tensor::from_vec(vec![1.0f32; 4], &[4]).unwrap();
    Borrowed::new(tensor.as_slice::<f32>().unwrap(), &[4]).unwrap();
}

#[test]
fn ten_thousand_cycles() {
    let _alone = MEASURING.lock().unwrap_or_else(|failed| failed.into_inner());
    let grown = grows(10_000, one_of_each);
    assert!(grown < 4 << 20, "{grown} bytes");
}

#[test]
fn executables_and_runs() {
    let _alone = MEASURING.lock().unwrap_or_else(|failed| failed.into_inner());
    let (graph, program) = (mlp(), planned().lower().unwrap());
    let arrays: Vec<_> = inputs(&graph).into_iter().map(Arc::new).collect();
    let grown = grows(300, || {
        let mut executable = Executable::new(&program, ExecutableOptions::default().workers(1)).unwrap();
        executable.run(&arrays).unwrap();
        let outputs = executable.new_outputs().unwrap();
        executable.start(arrays.clone(), outputs).unwrap().wait().unwrap();
        let outputs = executable.new_outputs().unwrap();
        drop(executable.start(arrays.clone(), outputs).unwrap()); // cancelled
    });
    assert!(grown < 4 << 20, "{grown} bytes");
}
