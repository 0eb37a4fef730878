// SPDX-License-Identifier: Apache-2.0
//! Objects go in any order, and between threads.
mod support;
use std::sync::{Arc, Mutex};
use std::thread;
use support::{decided, inputs, mesh, mlp, mlp_of, planned};
use tilewright::*;

#[test]
fn in_any_order() {
    let graph = mlp();
    let expected = graph.evaluate(&inputs(&graph)).unwrap();
    let plan = decided(&graph).unwrap();
    let program = plan.lower().unwrap();
    drop(plan);
    let mut executable = program.executable().unwrap();
    let copy = program.clone();
    drop(program);
    let sharding = copy.argument_sharding(0).unwrap();
    drop(copy);
    let arrays = inputs(&graph);
    drop(graph);
    assert_eq!(sharding.mesh().to_string(), mesh().to_string());
    assert!(executable.run(&arrays).unwrap()[0].compare(&expected[0]).unwrap().passes);
}

#[test]
fn a_context_of_several_threads() {
    let context = Context::new(ContextOptions::default().workers(1)).unwrap();
    let tensors: Vec<_> = (0..3)
        .map(|_| {
            let context = context.clone();
            thread::spawn(move || Tensor::zeros_in(&context, Dtype::F32, &[1000]).unwrap())
        })
        .collect();
    let options = ExecutableOptions::default().context(&context);
    let mut executable = Executable::new(&planned().lower().unwrap(), options).unwrap();
    drop(context);
    for tensor in tensors {
        assert_eq!(tensor.join().unwrap().dims(), [1000]);
    }
    assert_eq!(executable.run(&inputs(&mlp())).unwrap()[0].dims(), [8, 6]);
}

#[test]
fn what_goes_between_threads() {
    fn both<T: Send + Sync>() {}
    both::<Mesh>();
    both::<Graph>();
    both::<Builder>();
    both::<Plan>();
    both::<Program>();
    both::<Executable>();
    both::<Tensor>();
    both::<Run>();
    both::<Canceller>();
    both::<Context>();
    both::<CustomCalls>();
    both::<Sharding>();
    both::<Conflicts>();
    both::<Redistribution>();
    both::<Redistributor>();
    both::<Search>();
    both::<Environment>();
    both::<Error>();
}

#[test]
fn threads_read_one_plan_and_change_their_own() {
    let plan = planned();
    let texts: Vec<_> = thread::scope(|s| {
        let work = || {
            let mut own = plan.try_clone().unwrap();
            own.tile("w2", 1, "nobody").unwrap_err();
            (plan.sharding("w2").unwrap(), own.lower().unwrap().report(100, true).unwrap())
        };
        let threads: Vec<_> = (0..4).map(|_| s.spawn(work)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(texts.iter().all(|text| *text == texts[0]));
}

#[test]
fn errors_are_the_threads_own() {
    thread::scope(|s| {
        for i in 0..4 {
            s.spawn(move || {
                for _ in 0..200 {
                    let error = planned().tile(&format!("nobody{i}"), 0, "data").unwrap_err();
                    assert!(error.text().contains(&format!("nobody{i}")), "{error}");
                }
            });
        }
    });
}

#[test]
fn an_executable_of_two_threads() {
    let graph = mlp();
    let expected = graph.evaluate(&inputs(&graph)).unwrap();
    let executable = Mutex::new(planned().lower().unwrap().executable().unwrap());
    thread::scope(|s| {
        for _ in 0..2 {
            s.spawn(|| {
                for _ in 0..50 {
                    let outputs = executable.lock().unwrap().run(&inputs(&graph)).unwrap();
                    assert!(outputs[0].compare(&expected[0]).unwrap().passes);
                }
            });
        }
    });
}

#[test]
fn a_run_is_cancelled_from_another_thread() {
    let graph = mlp_of(512, 512, 4096);
    let mut executable = decided(&graph).unwrap().lower().unwrap().executable().unwrap();
    let arrays: Vec<_> = inputs(&graph).into_iter().map(Arc::new).collect();
    let outputs = executable.new_outputs().unwrap();
    let run = executable.start(arrays.clone(), outputs).unwrap();
    let canceller = run.canceller();
    thread::scope(|s| {
        s.spawn(|| canceller.cancel().unwrap());
        match run.wait() {
            Ok(_) => {} // over before anybody cancelled
            Err(error) => assert_eq!(error.status(), Status::Cancelled),
        }
    });
    let outputs = executable.run(&arrays).unwrap(); // it runs again
    assert_eq!(outputs[0].dims(), [512, 512]);
}
