// SPDX-License-Identifier: Apache-2.0
//! One of several processes that run a program together, over the MPI library that is named. A program, since
//! a launcher starts it.
#[path = "mod.rs"]
mod support;
use support::{decided, inputs, mlp, planned};
use tilewright::*;

fn main() {
    let library = std::env::args().nth(1).expect("names openmpi or mpich");
    mpi_start(Some(&library)).unwrap();
    runs(&library);
    facts_that_differ(&library);
    one_gives_up(&library);
    mpi_finish(Some(&library)).unwrap();
}

fn world(library: &str) -> Comm {
    let comm = Comm::world(&MpiOptions { library: Some(library.into()), deadline: 60.0 }).unwrap();
    assert!(comm.size() > 1 && (0..comm.size()).contains(&comm.rank()));
    comm
}

fn runs(library: &str) {
    let mut comm = world(library);
    comm.agree(&[("seed", "7"), ("file", "x.mlir")]).unwrap();
    let rank = i64::from(comm.rank());
    assert_eq!(comm.share(1, 40 + rank).unwrap(), 41);
    assert_eq!(comm.levels(&planned()).unwrap(), ""); // all on one host
    let graph = mlp();
    let program = decided(&graph).unwrap().lower().unwrap();
    let arrays = inputs(&graph);
    let options = ExecutableOptions::default().workers(1).comm(&mut comm).whole_outputs();
    let mut executable = Executable::new(&program, options).unwrap();
    assert!(executable.num_devices() < 4);
    for _ in 0..3 {
        let together = executable.run(&arrays).unwrap();
        if rank == 0 {
            let alone = program.executable().unwrap().run(&arrays).unwrap();
            assert!(together[0].compare_exactly(&alone[0]).unwrap().bit_equal);
            assert!(together[0].compare(&graph.evaluate(&arrays).unwrap()[0]).unwrap().passes);
        }
    }
    println!("process {} of {}: ok", rank, comm.size());
}

fn facts_that_differ(library: &str) {
    let mut comm = world(library);
    let rank = comm.rank().to_string();
    let refused = comm.agree(&[("seed", &rank)]).unwrap_err();
    assert_eq!(refused.status(), Status::InvalidArgument);
    assert!(refused.text().contains("seed"), "{refused}");
}

fn one_gives_up(library: &str) {
    let mut comm = world(library);
    if comm.rank() == 1 {
        comm.fail(Status::Unavailable, "the disk is full").unwrap();
        assert!(comm.share(1, 0).is_err());
    } else {
        let told = comm.share(1, 0).unwrap_err();
        assert_eq!(told.status(), Status::Remote);
        assert!(told.text().contains("the disk is full"), "{told}");
    }
}
