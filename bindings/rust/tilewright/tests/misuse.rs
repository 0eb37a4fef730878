// SPDX-License-Identifier: Apache-2.0
//! Misuse is an error that says why. Use of what has ended does not compile: see the documentation of the
//! crate.
mod support;
use support::{inputs, mesh, mlp, planned};
use tilewright::*;
use Status::*;

fn parsed(text: &str) -> Result<Graph> {
    Graph::import().file("a.mlir").parse(text)
}

/// A builder with one argument, given to `body`; what finishing it says.
fn built(body: impl FnOnce(&mut Builder, Value)) -> Result<Graph> {
    let mut b = Builder::new("misuse")?;
    let x = b.argument("x", Dtype::F32, &[2, 3]);
    body(&mut b, x);
    b.finish()
}

fn executable() -> Executable {
    planned().lower().unwrap().executable().unwrap()
}

fn zeros(dims: &[i64]) -> Tensor {
    Tensor::zeros(Dtype::F32, dims).unwrap()
}

fn moved(source: &str, target: &str) -> Result<Redistribution> {
    Redistribution::new(&Mesh::parse("x=2")?, source, target)
}

type Case = (Status, &'static str, fn() -> Result<()>);

macro_rules! cases {
    ($($status:ident $text:literal: $call:expr;)*) => {
        vec![$(($status, $text, || -> Result<()> { $call.map(drop) })),*]
    };
}

fn meshes_and_types() -> Vec<Case> {
    cases! {
        InvalidArgument "a": Mesh::new(&[("a", 0)]);
        InvalidArgument "a": Mesh::new(&[("a", -1)]);
        InvalidArgument "a b": Mesh::parse("a b");
        InvalidArgument "NUL": Mesh::parse("a\0=2");
        InvalidArgument "a": Mesh::parse("a=2,a=2");
        OutOfRange "": Mesh::parse("a=999999999");
        InvalidArgument "": mesh().with_devices(&[0, 0, 1, 2]);
        InvalidArgument "": mesh().with_devices(&[0]);
        OutOfRange "": mesh().axis_part(7);
        NotFound "nobody": mesh().tile("[{nobody}]", &[8], 0);
        InvalidArgument "": mesh().tile("[{data}, {}]", &[8], 0);
        OutOfRange "": mesh().tile("[{data}]", &[8], 99);
        InvalidArgument "f33": Dtype::from_name("f33");
        InvalidArgument "4 bytes": Dtype::F32.decode(&[0; 8]);
        InvalidArgument "": Dtype::F64.encode(1.0, 0.0, &mut [0; 4]);
        InvalidArgument "2 sizes": Sharding::new(&mesh(), &[4, 4], &[DimSharding::whole()], &[]);
        NotFound "nobody": Sharding::parse(&mesh(), "[{nobody}]", &[4]);
        NotFound "nobody": Sharding::new(&mesh(), &[4], &[DimSharding::over(["nobody"])], &[]);
        OutOfRange "": Sharding::parse(&mesh(), "[{data}]", &[4])?.dim(3);
        OutOfRange "": Sharding::parse(&mesh(), "[{data}]", &[4])?.tile(99);
    }
}

fn tensors() -> Vec<Case> {
    cases! {
        InvalidArgument "3 elements": Tensor::from_vec(vec![1.0f32; 3], &[2, 2]);
        InvalidArgument "sizes": Tensor::from_vec(vec![1.0f32; 3], &[-3]);
        InvalidArgument "sizes": Tensor::from_slice(&[1i32], &[i64::MAX, i64::MAX]);
        InvalidArgument "": Tensor::zeros(Dtype::F32, &[-2]);
        ResourceExhausted "": Tensor::zeros(Dtype::F32, &[1 << 50]);
        InvalidArgument "f32, not f64": zeros(&[2]).as_slice::<f64>().map(|s| s.len());
        InvalidArgument "f32, not bf16": zeros(&[2]).as_mut_slice::<Bf16>().map(|s| s.len());
        InvalidArgument "f32, not i32": zeros(&[2]).view::<i32>().map(|v| v.dims().len());
        InvalidArgument "pattern": zeros(&[2]).fill("pattern", 0, 0);
        InvalidArgument "NUL": zeros(&[2]).fill("on\0es", 0, 0);
        InvalidArgument "2 dimensions": zeros(&[2, 2]).fill_part(&[4], &[0], "ones", 0, 0);
        InvalidArgument "": zeros(&[2]).compare(&zeros(&[3]));
        InvalidArgument "": zeros(&[2]).compare(&Tensor::zeros(Dtype::F64, &[2])?);
        InvalidArgument "2 elements": Borrowed::new(&[1.0f32, 2.0], &[3]).map(|b| b.dims().len());
        InvalidArgument "2 elements": BorrowedMut::new(&mut [1.0f32, 2.0], &[3]).map(|b| b.dims().len());
    }
}

fn graphs() -> Vec<Case> {
    cases! {
        InvalidArgument "": parsed("no program");
        InvalidArgument "": Graph::import().parse_bytes(b"\xff\xfe\x00");
        NotFound "cannot read": Graph::load("/nowhere/at/all.mlir");
        InvalidArgument "NUL": Graph::import().entry("a\0").parse("");
        OutOfRange "": mlp().op(OpId(1_000_000));
        OutOfRange "": mlp().value(ValueId(1_000_000));
        OutOfRange "": mlp().region(RegionId(9));
        OutOfRange "": mlp().value_name(ValueId(1_000_000));
        OutOfRange "": mlp().symbol(ValueId(1_000_000));
        NotFound "nobody": mlp().find_value("nobody");
        InvalidArgument "": mlp().op(OpId(0))?.constant();
        NotFound "nothing": ops_info(Some("nothing"));
        InvalidArgument "": mlp().evaluate::<Tensor>(&[]);
        InvalidArgument "": built(|b, x| { let y = b.einsum("ij,jk->ik", x, x); b.result("y", y); });
        InvalidArgument "": built(|b, x| { let y = b.reshape(x, &[7]); b.result("y", y); });
        InvalidArgument "another builder": built(|b, _| {
            let other = Builder::new("other").unwrap().argument("z", Dtype::F32, &[1]);
            b.result("y", other);
        });
        InvalidArgument "another builder": built(|b, x| {
            let region = Builder::new("other").unwrap().combiner("add", Dtype::F32);
            b.op("reduce").operands(&[x, x]).region(region).attribute("dimensions", [0]).result();
        });
        InvalidArgument "5 elements": built(|b, _| { b.constant(&[0.0f32; 5], &[2, 3]); });
        InvalidArgument "differ": built(|b, x| { b.slice(x, &[0, 0], &[1], None); });
        InvalidArgument "fewer results": built(|b, x| { let _: [Value; 2] = b.op("tanh").operands(&[x]).results(); });
        InvalidArgument "NUL": built(|b, x| b.name(x, "a\0b"));
        NotFound "nothing": built(|b, x| { b.unary("nothing", x); });
        InvalidArgument "": built(|b, x| { b.add("add", &[x], &[]); });
        InvalidArgument "dimension is 9": built(|b, x| { b.concatenate(&[x, x], 9); });
    }
}

fn plans_and_programs() -> Vec<Case> {
    cases! {
        NotFound "nobody": planned().tile("nobody", 0, "data");
        NotFound "nobody": planned().tile("x", 0, "nobody");
        OutOfRange "": planned().tile("x", 9, "data");
        NotFound "nobody": planned().sharding("nobody");
        NotFound "spec.txt:1:1": planned().apply("nonsense", Some("spec.txt"));
        NotFound "cannot read": planned().apply_file("/nowhere/at/all.txt");
        InvalidArgument "mine": Plan::new(&mlp(), None, &PlanOptions { policy: Some("mine".into()), ..Default::default() });
        OutOfRange "": planned().argument_sharding(9);
        OutOfRange "": planned().result_sharding(9);
        OutOfRange "": planned().value_sharding(ValueId(1_000_000));
        OutOfRange "": planned().loops(OpId(1_000_000)).map(|l| l.len());
        InvalidArgument "": planned().emit("nothing");
        InvalidArgument "": planned().lower()?.emit("nothing");
        NotFound "nothing": Program::lower(&planned(), &LowerOptions { without: vec!["nothing".into()], ..Default::default() });
        OutOfRange "": planned().lower()?.explain_collective(99);
        OutOfRange "": planned().lower()?.collective(99).map(|c| c.instr);
        OutOfRange "": planned().lower()?.instr(1_000_000).map(|i| i.reduce_axes);
        OutOfRange "": planned().lower()?.local(LocalId(1_000_000));
        OutOfRange "": planned().conflicts()?.get(9).map(|c| c.ways.len());
        InvalidArgument "1 outputs": planned().lower()?.compare(&[zeros(&[1])], &[] as &[Tensor], CompareOptions::default());
    }
}

fn runs() -> Vec<Case> {
    cases! {
        InvalidArgument "": executable().run(&inputs(&mlp())[..2]);
        InvalidArgument "": executable().run::<Tensor>(&[]);
        InvalidArgument "": executable().run(&[zeros(&[6, 8]), zeros(&[6, 12]), zeros(&[12, 6])]);
        InvalidArgument "": executable().run(&[Tensor::zeros(Dtype::F64, &[8, 6])?, zeros(&[6, 12]), zeros(&[12, 6])]);
        InvalidArgument "": executable().run_into(&inputs(&mlp()), &mut [zeros(&[1])]);
        InvalidArgument "": executable().run_into::<_, Tensor>(&inputs(&mlp()), &mut []);
        InvalidArgument "": executable().start(vec![], vec![]);
        InvalidArgument "overwritten": executable().run_donating(&mut inputs(&mlp()), &mut [None::<Tensor>]);
        FailedPrecondition "": executable().trace();
        FailedPrecondition "": executable().profile();
        ResourceExhausted "": Executable::new(&planned().lower()?, ExecutableOptions::default().memory_limit(1));
        InvalidArgument "target": CustomCalls::new()?.add(CustomCall::new(""));
        InvalidArgument "f[32]": moved("f[32] nonsense", "[{}]");
        InvalidArgument "": moved("f32[4] [{x}]", "f32[5] [{}]");
        NotFound "nobody": moved("f32[4] [{nobody}]", "[{}]");
        OutOfRange "": moved("f32[4] [{x}]", "[{}]")?.tile(Side::Source, 9);
        InvalidArgument "1 dimensions": moved("f32[4] [{x}]", "[{}]")?.element(Side::Source, &[0, 0]);
        InvalidArgument "": Redistribution::load(b"no plan");
        InvalidArgument "tiles": moved("f32[4] [{x}]", "[{}]")?.redistributor()?.run::<f32>(&[], &mut []);
        InvalidArgument "8 bytes": moved("f32[2] [{x}]", "[{}]")?.redistributor()?.run(&[&[0.0f64], &[0.0]], &mut [&mut [0.0; 2], &mut [0.0; 2]]);
        InvalidArgument "elements are i32, the plan sums f32": moved("f32[2] [{}] +x", "[{}]")?.redistributor()?.run(&[&[1i32, 2], &[3, 4]], &mut [&mut [0; 2], &mut [0; 2]]);
        InvalidArgument "source tile of device 1": moved("f32[2] [{x}]", "[{}]")?.redistributor()?.run(&[&[0.0f32], &[]], &mut [&mut [0.0; 2], &mut [0.0; 2]]);
        InvalidArgument "target tile of device 0": moved("f32[2] [{x}]", "[{}]")?.redistributor()?.run(&[&[0.0f32], &[0.0]], &mut [&mut [0.0; 3], &mut [0.0; 2]]);
        InvalidArgument "": Redistributor::new(&[], &RedistributorOptions::default());
    }
}

#[test]
fn every_call_is_an_error() {
    let groups = [meshes_and_types(), tensors(), graphs(), plans_and_programs(), runs()];
    let mut count = 0;
    let mut wrong = vec![];
    for (group, cases) in groups.iter().enumerate() {
        for (case, (status, text, call)) in cases.iter().enumerate() {
            count += 1;
            match call() {
                Ok(()) => wrong.push(format!("group {group} case {case}: no error ({status}, {text})")),
                Err(error) if error.status() != *status || !error.to_string().contains(text) => {
                    wrong.push(format!(
                        "group {group} case {case}: not {status} with {text:?}: {} {error}",
                        error.status()
                    ))
                }
                Err(_) => {}
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count >= 60, "{count}");
}

#[test]
fn what_an_error_says() {
    let error = parsed("func.func @main(%x: tensor<4xf32) {").unwrap_err();
    assert_eq!((error.status(), error.id(), error.file()), (InvalidArgument, "TW-101", "a.mlir"));
    assert_eq!(error.position(), Some((1, 33)));
    assert!(error.notes().iter().any(|note| note.contains('^')));
    assert!(error.to_string().starts_with("a.mlir:1:33: expected '>'"), "{error}");
    let known = diagnostics().find(|diagnostic| diagnostic.id == "TW-101").unwrap();
    assert!(!known.meaning.is_empty() && !known.advice.is_empty());
    let binary = Graph::import().file("a.mlir.bc").parse_bytes(b"ML\xefR\0").unwrap_err(); // no line of it
    assert!(binary.to_string().starts_with("a.mlir.bc: the header ends too early"), "{binary}");
}

#[test]
fn elements_outside_a_view() {
    let mut tensor = Tensor::from_vec((0..6).collect::<Vec<i32>>(), &[2, 3]).unwrap();
    let view = tensor.view::<i32>().unwrap();
    assert_eq!(
        (view[[1, 2]], view.get(&[0, 2]), view.get(&[2, 0]), view.get(&[0])),
        (5, Some(&2), None, None)
    );
    assert_eq!(tensor.view_mut::<i32>().unwrap().get_mut(&[0, 3]), None);
    assert!(std::panic::catch_unwind(|| tensor.view::<i32>().unwrap()[[0, 3]]).is_err());
}
