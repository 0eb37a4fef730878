// SPDX-License-Identifier: Apache-2.0
//! tilewright partitions array programs over meshes of devices, and runs the result.
//!
//! A [`Graph`] is a program, read from StableHLO text or built with a [`Builder`]. A [`Plan`] says how it is
//! split over a [`Mesh`]: a few actions, propagated through all of it. It is lowered to a [`Program`],
//! which every device runs, with every collective explicit; an [`Executable`] is that with kernels and
//! memory.
//!
//! ```
//! use tilewright::{Builder, Dtype, Mesh, Tensor};
//!
//! # fn main() -> tilewright::Result<()> {
//! let mut b = Builder::new("mlp")?;
//! let x = b.argument("x", Dtype::F32, &[16, 256]);
//! let w1 = b.argument("w1", Dtype::F32, &[256, 1024]);
//! let w2 = b.argument("w2", Dtype::F32, &[1024, 256]);
//! let product = b.einsum("bd,df->bf", x, w1);
//! let h = b.unary("tanh", product);
//! let y = b.einsum("bf,fd->bd", h, w2);
//! b.result("y", y);
//! let graph = b.finish()?;
//!
//! let mesh = Mesh::new(&[("data", 2), ("model", 4)])?;
//! let mut plan = graph.plan(&mesh)?;
//! plan.tile("x", 0, "data")?.tile("w1", 1, "model")?.infer_propagate()?;
//! println!("{}", plan.explain("w2", None)?);
//!
//! let inputs = [
//!     Tensor::filled(Dtype::F32, &[16, 256], "normal(0,1)", 0, 0)?,
//!     Tensor::filled(Dtype::F32, &[256, 1024], "normal(0,0.06)", 0, 1)?,
//!     Tensor::filled(Dtype::F32, &[1024, 256], "normal(0,0.03)", 0, 2)?,
//! ];
//! let outputs = plan.lower()?.executable()?.run(&inputs)?;
//! assert!(outputs[0].compare(&graph.evaluate(&inputs)?[0])?.passes);
//! # Ok(()) }
//! ```
//!
//! # Threads
//!
//! What the C headers declare const takes `&self`, everything else `&mut self`, so that all types are `Send`
//! and `Sync`. Two threads cannot change one plan:
//!
//! ```compile_fail,E0499
//! # fn both(plan: &mut tilewright::Plan) {
//! std::thread::scope(|s| {
//!     s.spawn(|| plan.tile("x", 0, "data").map(drop));
//!     s.spawn(|| plan.tile("x", 1, "data").map(drop));
//! });
//! # }
//! ```
//!
//! # The end of objects
//!
//! Objects end with their values, and what is made of them keeps them alive. Using one that has ended does
//! not compile:
//!
//! ```compile_fail,E0382
//! let mesh = tilewright::Mesh::parse("data=2").unwrap();
//! drop(mesh);
//! mesh.num_devices();
//! ```
//!
//! Neither does keeping what belongs to one, such as a name:
//!
//! ```compile_fail,E0505
//! # fn names(graph: tilewright::Graph) {
//! let names: Vec<&str> = graph.arguments().map(|argument| argument.name).collect();
//! drop(graph);
//! println!("{:?}", names);
//! # }
//! ```
//!
//! nor what a plan said before it changed:
//!
//! ```compile_fail,E0502
//! # fn stale(mut plan: tilewright::Plan) -> tilewright::Result<()> {
//! let action = plan.actions().next();
//! plan.infer_propagate()?;
//! println!("{:?}", action);
//! # Ok(()) }
//! ```
#![warn(rust_2018_idioms)]

mod attribute;
mod build_op;
mod builder;
mod comm;
mod compare;
mod context;
mod custom;
mod device;
pub mod dlpack;
mod dtype;
mod environment;
mod error;
mod estimate;
mod executable;
mod form;
mod graph;
mod handle;
mod import;
mod mesh;
mod picture;
mod plan;
mod program;
mod redistribution;
mod redistributor;
mod run;
mod search;
mod sharding;
mod tensor;
mod text;
mod view;
mod walk;
mod walk_plan;
mod walk_program;
mod watch;

pub use attribute::Attribute;
pub use build_op::{BuildOp, Region};
pub use builder::{Builder, Value};
pub use comm::{mpi_finish, mpi_start, Comm, MpiOptions};
pub use compare::{CompareOptions, Comparison, JudgedBy};
pub use context::{machine_limits, Allocator, Context, ContextOptions, Level};
pub use custom::{Call, CallTile, CallTileMut, CustomCall, CustomCalls};
pub use device::{device_count, Event, Gpu, Stream};
pub use dtype::{
    Bf16, Dtype, Element, C128, C64, F16, F4E2M1FN, F6E2M3FN, F6E3M2FN, F8E3M4, F8E4M3, F8E4M3B11FNUZ,
    F8E4M3FN, F8E4M3FNUZ, F8E5M2, F8E5M2FNUZ, F8E8M0FNU, I1, S2, S4, U2, U4,
};
pub use environment::{Environment, EnvironmentOptions, Price, Step};
pub use error::{diagnostics, Diagnostic, Error, Result, Status};
pub use estimate::{
    Bound, CollectiveCost, Estimate, EstimateOptions, EstimatedStep, Held, Place, Role, System, Totals,
};
pub use executable::{Counters, Executable, ExecutableOptions};
pub use form::{api_version, build_info, find_form, forms, version, Form};
pub use graph::{op_names, ops_info, Donation, Graph, Parameter, Type};
pub use import::Import;
pub use mesh::{AxisKind, AxisPart, Mesh, Tile};
pub use picture::PictureOptions;
pub use plan::{Action, Plan, PlanOptions, Stamp};
pub use program::{LowerOptions, Program};
pub use redistribution::{Link, Redistribution, RedistributionOptions, Side};
pub use redistributor::{Home, Redistributor, RedistributorOptions};
pub use run::{Canceller, Run};
pub use search::{Search, SearchOptions, SearchProgress};
pub use sharding::{Border, DimSharding, Partial, Reduction, Sharding, Split};
pub use tensor::{Borrowed, BorrowedMut, Output, Tensor};
pub use view::{View, ViewMut};
pub use walk::{Constant, LocalId, Op, OpId, RegionId, RegionView, Use, ValueId, ValueView};
pub use walk_plan::{Conflict, ConflictKind, Conflicts, Loop, LoopKind, Way};
pub use walk_program::{Collective, CollectiveKind, Instr, InstrKind, Local};
pub use watch::watch;
