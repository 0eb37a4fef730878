// SPDX-License-Identifier: Apache-2.0
//! Searches: what they find, and ways to end one.
mod support;
use support::{mesh, mlp};
use tilewright::*;

fn system() -> System {
    System::load("a100-40g").unwrap()
}

fn plan() -> Plan {
    mlp().plan(&mesh()).unwrap()
}

fn options() -> SearchOptions {
    SearchOptions { episodes: 100, seed: 7, ..Default::default() }
}

/// The plan that was found is what its spec makes.
fn assert_found(search: &Search) {
    let (found, mut made) = (search.plan().unwrap(), plan());
    made.apply(&search.spec().unwrap(), None).unwrap();
    for value in ["x", "w1", "w2", "y"] {
        assert_eq!(found.sharding(value).unwrap(), made.sharding(value).unwrap());
    }
}

#[test]
fn found() {
    let search = plan().search(&system(), &SearchOptions { threads: 1, ..options() }).unwrap();
    assert_found(&search);
    assert!(search.report().unwrap().contains("\"cost_ms\""));
    let progress = search.progress().unwrap();
    assert!(progress.episodes > 0 && progress.cost_s > 0.0 && progress.peak_bytes > 0);
    assert!(progress.bound_s > 0.0 && progress.bound_s <= progress.cost_s);
    let threads = plan().search(&system(), &SearchOptions { threads: 2, ..options() }).unwrap();
    assert_eq!(search.spec().unwrap(), threads.spec().unwrap());
    assert!(format!("{:?}", search).contains("mlp"));
}

#[test]
fn how_plans_are_lowered() {
    let lower =
        LowerOptions { gather_per_use: true, without: vec!["fuse_moves".into()], ..Default::default() };
    let search = plan().search(&system(), &SearchOptions { lower, ..options() }).unwrap();
    assert!(search.report().unwrap().contains("per-use"));
    let tight = plan().search(&system(), &SearchOptions { cap_bytes: 1, ..options() }).unwrap();
    assert!(tight.report().unwrap().contains("infeasible"));
}

#[test]
fn near_enough() {
    let search = plan().search(&system(), &SearchOptions { gap: 0.9, ..options() }).unwrap();
    assert!(search.report().unwrap().contains("\"status\": \"gap\""));
}

#[test]
fn cached() {
    let folder = std::env::temp_dir().join(format!("tw_rust_cache_{}", std::process::id()));
    let cache = Some(folder.to_str().unwrap().to_string());
    let of = || plan().search(&system(), &SearchOptions { cache: cache.clone(), exact: true, ..options() }).unwrap();
    let (first, second) = (of(), of());
    assert!(first.report().unwrap().contains("\"cached\": false"));
    assert!(second.report().unwrap().contains("\"cached\": true"));
    assert_eq!(first.spec().unwrap(), second.spec().unwrap());
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn cancelled_by_another_thread() {
    let search = Search::new(&plan(), &system(), &SearchOptions { episodes: i64::MAX, ..options() }).unwrap();
    assert_eq!(search.progress().unwrap(), SearchProgress::default());
    assert_eq!(search.spec().unwrap_err().status(), Status::FailedPrecondition);
    let other = search.clone();
    let thread = std::thread::spawn(move || other.cancel());
    search.run().unwrap();
    thread.join().unwrap();
    assert_found(&search);
    assert_eq!(search.run().unwrap_err().status(), Status::FailedPrecondition);
}

#[test]
fn misuse() {
    let wrong = |options: SearchOptions| plan().search(&system(), &options).unwrap_err().status();
    assert_eq!(wrong(SearchOptions { seconds: -1.0, ..options() }), Status::InvalidArgument);
    let lower = LowerOptions { bucket_bytes: -1, ..Default::default() };
    assert_eq!(wrong(SearchOptions { lower, ..options() }), Status::InvalidArgument);
}
