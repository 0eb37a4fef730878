// SPDX-License-Identifier: Apache-2.0
//! Environments: episodes, masks, snapshots, clones.
mod support;
use support::{mesh, mlp};
use tilewright::*;

fn system() -> System {
    System::load("a100-40g").unwrap()
}

fn plan() -> Plan {
    mlp().plan(&mesh()).unwrap()
}

fn environment() -> Environment {
    Environment::new(&plan(), &system(), &EnvironmentOptions::default()).unwrap()
}

fn legal(environment: &mut Environment, number: usize) -> usize {
    let mask = environment.mask().unwrap();
    let all: Vec<_> = (0..mask.len() - 1).filter(|&a| mask[a]).collect();
    all[number % all.len()]
}

#[test]
fn episode() {
    let mut environment = environment();
    let first = environment.price().unwrap();
    let mut sum = 0.0;
    for number in [1, 4] {
        let action = legal(&mut environment, number);
        sum += environment.step(action).unwrap().reward;
    }
    assert!((sum - (first.cost_s / environment.price().unwrap().cost_s).ln()).abs() < 1e-9);
    assert_eq!(environment.step(environment.num_actions() - 1).unwrap(), Step { reward: 0.0, done: true });
    assert!(environment.mask().unwrap().iter().all(|may| !may));
    assert_eq!(environment.step(0).unwrap_err().status(), Status::FailedPrecondition);
    let (found, mut made) = (environment.plan().unwrap(), plan());
    made.apply(&environment.spec().unwrap(), None).unwrap();
    for value in ["x", "w1", "w2", "y"] {
        assert_eq!(found.sharding(value).unwrap(), made.sharding(value).unwrap());
    }
    environment.undo(3).unwrap();
    assert_eq!(environment.price().unwrap(), first);
    assert!(format!("{:?}", environment).contains("mlp"));
}

#[test]
fn snapshots_and_clones() {
    let mut environment = environment();
    for number in [2, 3] {
        let action = legal(&mut environment, number);
        environment.step(action).unwrap();
    }
    let (snapshot, seen) = (environment.actions().unwrap(), environment.observe().unwrap());
    assert_eq!((snapshot.len(), seen.len()), (2, environment.num_features()));
    let mut clone = environment.try_clone().unwrap();
    let thread = std::thread::spawn(move || {
        clone.undo(1).unwrap();
        clone.restore(&snapshot).unwrap();
        clone.observe().unwrap()
    });
    environment.restore(&[]).unwrap();
    assert!(environment.actions().unwrap().is_empty());
    assert_eq!(thread.join().unwrap(), seen);
}

#[test]
fn misuse() {
    let mut all = environment();
    let first = legal(&mut all, 0);
    all.step(first).unwrap();
    assert_eq!(all.step(first).unwrap_err().status(), Status::FailedPrecondition);
    assert_eq!(all.step(usize::MAX).unwrap_err().status(), Status::OutOfRange);
    assert_eq!(all.undo(2).unwrap_err().status(), Status::OutOfRange);
    assert_eq!(all.observe_into(&mut [0.0]).unwrap_err().status(), Status::InvalidArgument);
    let options = EnvironmentOptions { axes: Some("model".into()), cap_bytes: 1000, ..Default::default() };
    let tight = Environment::new(&plan(), &system(), &options).unwrap();
    assert!(!tight.price().unwrap().fits && tight.num_actions() < all.num_actions());
    assert!(tight.report().unwrap().contains("conflicts"));
    let wrong = EnvironmentOptions { cap_bytes: -1, ..Default::default() };
    assert_eq!(Environment::new(&plan(), &system(), &wrong).unwrap_err().status(), Status::InvalidArgument);
}
