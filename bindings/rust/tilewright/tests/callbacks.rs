// SPDX-License-Identifier: Apache-2.0
//! Closures that the library calls: kernels, rules, checks, actions, progress, loops and logs, and how they
//! fail.
mod support;
use std::sync::{Arc, Mutex};
use std::thread;
use support::{decided, inputs, mlp, mlp_of};
use tilewright::*;

const TEXT: &str = "func.func @main(%x: tensor<10x6xf32>, %scale: tensor<6xf32>) -> tensor<10x6xf32> {\n\
  %y = stablehlo.custom_call @my.scale(%x, %scale) {power = 2.0e+00 : f64, name = \"n\", on = true, dims = array<i64: 1, 2>}\n\
    : (tensor<10x6xf32>, tensor<6xf32>) -> tensor<10x6xf32>\n\
  return %y : tensor<10x6xf32>\n}";

fn scale(call: &mut Call<'_>) -> Result<()> {
    let power = call.attribute("power").and_then(|a| a.as_real()).ok_or("no power")? as f32;
    let (x, by) = (call.operands[0].as_slice::<f32>()?, call.operands[1].as_slice::<f32>()?);
    for (i, y) in call.results[0].as_mut_slice::<f32>()?.iter_mut().enumerate() {
        *y = x[i] * by[i % by.len()] * power;
    }
    Ok(())
}

fn run(call: CustomCall) -> Result<Vec<f32>> {
    let mut calls = CustomCalls::new()?;
    calls.add(call)?;
    let graph = Graph::import().file("scale.mlir").custom_calls(&calls).parse(TEXT)?;
    let mut plan = graph.plan(&Mesh::parse("data=3")?)?;
    plan.tile("x", 0, "data")?.infer_propagate()?;
    let x = Tensor::filled(Dtype::F32, &[10, 6], "ones", 0, 0)?;
    let scale = Tensor::filled(Dtype::F32, &[6], "iota", 0, 0)?;
    Ok(plan.run(&[x, scale])?[0].as_slice::<f32>()?.to_vec())
}

fn with_rule() -> CustomCall {
    CustomCall::new("my.scale").rule("... *, * -> ... *")
}

#[test]
fn kernels_compute_parts() {
    let expected: Vec<f32> = (0..60).map(|i| (i % 6 * 2) as f32).collect();
    assert_eq!(run(with_rule().kernel(scale)).unwrap(), expected);
    let asked = CustomCall::new("my.scale").rule_for(|call| {
        assert_eq!((call.target, call.operands[0].whole), ("my.scale", &[10i64, 6][..]));
        assert_eq!(call.operands[0].as_slice::<f32>().unwrap_err().status(), Status::FailedPrecondition);
        Ok("... *, * -> ... *".to_owned())
    });
    assert_eq!(run(asked.kernel(scale)).unwrap(), expected);
    let seen = Arc::new(Mutex::new(vec![]));
    let note = seen.clone();
    let noting = with_rule().kernel(move |call| {
        let tile = &call.results[0];
        note.lock().unwrap().push((tile.offset[0], tile.extent[0], tile.whole.to_vec()));
        scale(call)
    });
    run(noting).unwrap();
    let mut parts = seen.lock().unwrap().clone();
    parts.sort();
    assert_eq!(parts, [(0, 3, vec![10, 6]), (3, 3, vec![10, 6]), (6, 4, vec![10, 6])]);
}

#[test]
fn attributes_of_calls() {
    let checked = with_rule().kernel(scale).check(|call| {
        let names: Vec<_> = call.attributes().into_iter().map(|(name, _)| name).collect();
        assert!(["power", "name", "on", "dims"].iter().all(|name| names.contains(name)), "{names:?}");
        assert_eq!(call.attribute("name"), Some(Attribute::Text("n".into())));
        assert_eq!(call.attribute("on"), Some(Attribute::Boolean(true)));
        assert_eq!(call.attribute("dims"), Some(Attribute::Ints(vec![1, 2])));
        assert_eq!((call.attribute("nothing"), call.attribute("a\0")), (None, None));
        Ok(())
    });
    run(checked).unwrap();
}

#[test]
fn errors_and_panics_of_callbacks() {
    let told = |call, status, text: &str| {
        let error = run(call).unwrap_err();
        assert_eq!(error.status(), status, "{error}");
        assert!(error.to_string().contains(text), "{error}");
    };
    let late = || Error::new(Status::OutOfRange, "the table has 7 rows");
    told(with_rule().kernel(move |_| Err(late())), Status::OutOfRange, "the table has 7 rows");
    told(with_rule().check(move |_| Err(late())), Status::OutOfRange, "scale.mlir:2");
    told(CustomCall::new("my.scale").rule_for(move |_| Err(late())), Status::OutOfRange, "7 rows");
    told(with_rule().kernel(|_| panic!("row {}", 7)), Status::InvalidArgument, "the kernel panicked: row 7");
    told(with_rule().check(|_| panic!("no")), Status::InvalidArgument, "the check panicked: no");
    told(
        CustomCall::new("my.scale").rule_for(|_| panic!("no")),
        Status::InvalidArgument,
        "the rule panicked",
    );
    let wrong = |call: &mut Call<'_>| call.operands[0].as_slice::<f64>().map(drop);
    told(with_rule().kernel(wrong), Status::InvalidArgument, "f32, not f64");
    told(with_rule(), Status::Unimplemented, "my.scale");
    let mut calls = CustomCalls::new().unwrap();
    calls.add(CustomCall::new("b").rule("i -> i")).unwrap();
    assert_eq!(calls.add(CustomCall::new("b")).unwrap_err().status(), Status::InvalidArgument);
}

#[test]
fn actions_are_told() {
    let told = Arc::new(Mutex::new(vec![]));
    let note = told.clone();
    let mut plan = mlp().plan(&Mesh::parse("data=2").unwrap()).unwrap();
    plan.on_action(move |plan, action| {
        let line = (action.text.to_owned(), action.file.to_owned(), action.line);
        note.lock().unwrap().push((line, plan.sharding("x").unwrap(), plan.graph().num_ops()));
    })
    .unwrap();
    plan.apply("tile(arg=x, dim=0, axis=data)\npropagate\n", Some("spec.txt")).unwrap();
    let seen = told.lock().unwrap().clone();
    assert_eq!(seen.len(), 2);
    assert_eq!((seen[0].0 .1.as_str(), seen[1].0 .2), ("spec.txt", 2));
    assert!(seen.iter().all(|(_, sharding, ops)| sharding == "[{data}, {}]" && *ops == 3));
    plan.no_on_action();
    plan.apply("propagate", None).unwrap();
    assert_eq!(told.lock().unwrap().len(), 2);
}

#[test]
fn a_callback_of_actions_that_panics() {
    let mut plan = mlp().plan(&Mesh::parse("data=2").unwrap()).unwrap();
    plan.on_action(|_, action| panic!("at {}", action.text)).unwrap();
    let error = plan.apply("propagate", None).unwrap_err();
    assert!(error.text().contains("panicked: at propagate"), "{error}");
    assert!(plan.apply("propagate", None).is_err());
    plan.on_action(|_, _| ()).unwrap();
    plan.apply("propagate", None).unwrap();
}

#[test]
fn callbacks_of_actions_end_with_the_plan() {
    let held = Arc::new(());
    let mut plan = mlp().plan(&Mesh::parse("data=2").unwrap()).unwrap();
    for _ in 0..2 {
        let kept = held.clone();
        plan.on_action(move |_, _| drop(kept.clone())).unwrap();
        assert_eq!(Arc::strong_count(&held), 2); // the one before is gone
    }
    plan.no_on_action();
    assert_eq!(Arc::strong_count(&held), 1);
    let kept = held.clone();
    plan.on_action(move |_, _| drop(kept.clone())).unwrap();
    let mut other = plan.try_clone().unwrap();
    drop(plan);
    assert_eq!(Arc::strong_count(&held), 1);
    other.apply("propagate", None).unwrap();
}

/// Layers of tanh(x w), each with a sum for propagation to find.
fn layers(count: usize) -> Graph {
    let mut b = Builder::new("layers").unwrap();
    let mut x = b.argument("x", Dtype::F32, &[16, 16]);
    for i in 0..count {
        let w = b.argument(&format!("w{i}"), Dtype::F32, &[16, 16]);
        let product = b.einsum("bd,df->bf", x, w);
        x = b.unary("tanh", product);
    }
    b.result("y", x);
    b.finish().unwrap()
}

#[test]
fn watched_calls() {
    let mut plan = layers(200).plan(&Mesh::parse("a=2").unwrap()).unwrap();
    plan.tile("x", 0, "a").unwrap();
    let before = plan.emit("loops").unwrap();
    let propagated = watch(|_| true, 1e-9, || plan.infer_propagate().map(drop)).unwrap_err();
    let applied = watch(|_| true, 1e-9, || plan.apply("propagate", None).map(drop)).unwrap_err();
    let lowered = watch(|_| true, 1e-9, || plan.lower().map(drop)).unwrap_err();
    let program = plan.lower().unwrap();
    let bound = watch(|_| true, 1e-9, || program.executable().map(drop)).unwrap_err();
    let statuses = [propagated.status(), applied.status(), lowered.status(), bound.status()];
    assert_eq!(statuses, [Status::Cancelled; 4]);
    let panicked = watch(|_| panic!("enough"), 1e-9, || plan.infer_propagate().map(drop)).unwrap_err();
    assert!(panicked.text().contains("panicked: enough"), "{panicked}");
    assert_eq!(plan.emit("loops").unwrap(), before);

    let mut told = vec![];
    let note = |seconds| {
        told.push(seconds);
        false
    };
    let sharding = watch(note, 1e-9, || plan.infer_propagate()?.sharding("y")).unwrap();
    assert_eq!(sharding, "[{a}, {}]");
    assert!(told.len() > 1 && told[0] >= 0.0 && told.windows(2).all(|pair| pair[0] <= pair[1]), "{told:?}");
}

#[test]
fn bodies_of_watch_that_fail() {
    let mine = Error::new(Status::Unavailable, "mine");
    assert_eq!(watch(|_| false, 0.0, || Err::<(), _>(mine.clone())), Err(mine));
    let panics = || watch(|_| false, 0.0, || -> Result<()> { panic!("mine") });
    let payload = std::panic::catch_unwind(panics).unwrap_err();
    assert_eq!(payload.downcast_ref::<&str>(), Some(&"mine"));
    let mut called = false;
    let refused = watch(
        |_| false,
        -1.0,
        || {
            called = true;
            Ok(())
        },
    );
    assert_eq!((refused.unwrap_err().status(), called), (Status::InvalidArgument, false));
}

#[test]
fn progress_that_stops_or_panics() {
    let graph = mlp();
    let program = decided(&graph).unwrap().lower().unwrap();
    let arrays = inputs(&graph);
    let results = program.executable().unwrap().run(&arrays).unwrap();
    let expected = graph.evaluate(&arrays).unwrap();
    let given = CompareOptions::default().inputs(&arrays);
    let (right, note) = program.compare(&results, &expected, given).unwrap();
    assert!(right[0].passes && note.is_empty(), "{note}");

    let graph = mlp_of(512, 512, 2048); // seconds in double precision
    let program = decided(&graph).unwrap().lower().unwrap();
    let arrays = inputs(&graph);
    let results = program.executable().unwrap().run(&arrays).unwrap();
    let wrong = [Tensor::zeros(Dtype::F32, &[512, 512]).unwrap()];
    let mut asked = 0;
    let stop = CompareOptions::default().inputs(&arrays).progress(|_| {
        asked += 1;
        true
    });
    let (comparisons, note) = program.compare(&results, &wrong, stop).unwrap();
    assert!(!comparisons[0].passes && comparisons[0].from_double.is_none());
    assert!(asked == 1 && note.contains("given up"), "{asked} {note}");
    let panics = CompareOptions::default().inputs(&arrays).progress(|_| panic!("enough"));
    let error = program.compare(&results, &wrong, panics).unwrap_err();
    assert!(error.text().contains("panicked: enough"), "{error}");
}

/// Threads of the host, one of which does not come.
fn host(count: usize, body: &(dyn Fn(usize) + Sync)) {
    thread::scope(|s| (1..count).for_each(|i| drop(s.spawn(move || body(i)))));
    body(0);
    body(0); // again: does nothing
    body(count + 7); // no such part: does nothing
}

fn host_that_forgets(_: usize, _: &(dyn Fn(usize) + Sync)) {
    panic!("no threads today");
}

#[test]
fn threads_of_the_host() {
    let graph = mlp();
    let expected = graph.evaluate(&inputs(&graph)).unwrap();
    let program = decided(&graph).unwrap().lower().unwrap();
    for options in [
        ContextOptions::default().workers(3).parallel_for(&host),
        ContextOptions::default().workers(3).parallel_for(&host_that_forgets),
    ] {
        let context = Context::new(options).unwrap();
        let mut executable =
            Executable::new(&program, ExecutableOptions::default().context(&context)).unwrap();
        let outputs = executable.run(&inputs(&graph)).unwrap();
        assert!(outputs[0].compare(&expected[0]).unwrap().passes);
    }
}
