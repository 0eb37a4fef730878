// SPDX-License-Identifier: Apache-2.0
//! Estimates: that walks add up to the totals, and systems that are none.
mod support;
use support::{mesh, mlp};
use tilewright::*;

const SYSTEM: &str =
    "[device] flops.f32=1e9 hbm_bytes=1e6 hbm_bw=1e8 launch_s=1e-3\n[axis *] bw=1e5 lat=1e-3\n";

fn program() -> Program {
    let mut plan = mlp().plan(&mesh()).unwrap();
    plan.tile("x", 0, "data").unwrap().tile("w1", 1, "model").unwrap().infer_propagate().unwrap();
    plan.lower().unwrap()
}

fn assert_near(a: f64, b: f64) {
    assert!((a - b).abs() <= 1e-9 * a.abs().max(b.abs()), "{a} is not {b}");
}

#[test]
fn walks_add_up() {
    let system = System::parse(SYSTEM, Some("small.conf")).unwrap();
    assert_eq!((system.name(), format!("{:?}", system)), ("small.conf", "System(small.conf)".into()));
    let program = program();
    let estimate = program.estimate(&system, &EstimateOptions::default()).unwrap();
    let totals = estimate.totals();
    assert!(totals.fits && totals.peak_bytes <= totals.cap_bytes && totals.overlapped_s <= totals.serial_s);
    let of = |bound| {
        estimate.steps().filter(|s| s.bound == bound).map(|s| s.seconds * s.times as f64).sum::<f64>()
    };
    assert_near(of(Bound::Compute), totals.compute_s);
    assert_near(of(Bound::Memory), totals.memory_s);
    assert_near(of(Bound::Link), totals.communication_s);
    assert_near(totals.compute_s + totals.memory_s + totals.communication_s, totals.serial_s);
    assert_near(estimate.axis_seconds(0) + estimate.axis_seconds(1), totals.communication_s);
    assert_near(estimate.collectives().map(|c| c.seconds * c.times as f64).sum(), totals.communication_s);
    let (sum, of_program) = (estimate.collectives().next().unwrap(), program.collectives().next().unwrap());
    assert_eq!((sum.kind, sum.axes), (CollectiveKind::AllReduce, of_program.axes));
    let step = estimate.steps().nth(sum.step.unwrap()).unwrap();
    assert_eq!((step.what, step.collective), ("all_reduce over model", Some(0)));
    assert_eq!(step.instr, Some(of_program.instr));
    let most = estimate.places().nth(totals.peak_place).unwrap().bytes;
    assert_eq!(estimate.places().map(|p| p.bytes).max(), Some(most));
    assert_eq!(estimate.held().map(|h| h.bytes).sum::<i64>(), most);
    assert!(estimate.held().any(|h| h.role == Role::Parameter && program.local(h.local).is_ok()));
    assert!(estimate.json().unwrap().contains("\"fits\": true") && estimate.to_string().contains("fits"));
    assert!(
        estimate.trace().unwrap().contains("traceEvents") && format!("{:?}", estimate).contains("fits: true")
    );
    let page = program.page(Some(&estimate), Some("{\"traceEvents\":[]}")).unwrap();
    assert!(page.contains("id=\"facts\"") && program.page(None, None).unwrap().len() < page.len());
    assert!(program.page(None, Some("no trace")).is_err());
    let little = EstimateOptions { cap_bytes: 1, ..Default::default() };
    let tight = program.estimate(&system, &little).unwrap();
    assert!(!tight.totals().fits && tight.report(80).unwrap().contains("DOES NOT FIT"));
}

#[test]
fn misuse() {
    assert_eq!(System::load("a100-41g").unwrap_err().status(), Status::NotFound);
    assert_eq!(System::load("a100\0").unwrap_err().status(), Status::InvalidArgument);
    let error = System::parse("[device]\nflops.f33=1\n", None).unwrap_err();
    assert_eq!((error.status(), error.position()), (Status::InvalidArgument, Some((2, 1))));
    let wrong = EstimateOptions { cap_bytes: -1, ..Default::default() };
    let estimate = program().estimate(&System::load("a100-80g").unwrap(), &wrong);
    assert_eq!(estimate.unwrap_err().status(), Status::InvalidArgument);
}
