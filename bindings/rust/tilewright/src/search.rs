// SPDX-License-Identifier: Apache-2.0
//! Searches: the actions after which a program takes the least time on a machine.
use crate::error::{check, Result};
use crate::estimate::System;
use crate::graph::Graph;
use crate::handle::{made, shared_handle};
use crate::plan::Plan;
use crate::program::LowerOptions;
use crate::text::{blob_text, Maybe};
use std::fmt;
use tilewright_sys as sys;

shared_handle! {
    RawSearch: tw_search_t, tw_search_retain, tw_search_release
}

/// A search from a plan on. A clone is the same search, for the thread that asks how far it is, or cancels it.
///
/// ```
/// use tilewright::{Graph, Mesh, SearchOptions, System};
/// # fn main() -> tilewright::Result<()> {
/// # let graph = Graph::parse("func.func @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {\n\
/// #   %y = stablehlo.tanh %x : tensor<8x4xf32>\n return %y : tensor<8x4xf32>\n}")?;
/// let plan = graph.plan(&Mesh::new(&[("data", 2)])?)?;
/// let system = System::load("a100-40g")?;
/// let search = plan.search(&system, &SearchOptions { episodes: 100, ..Default::default() })?;
/// println!("{}", search.spec()?);
/// let program = search.plan()?.lower()?;
/// # assert_eq!(program.num_devices(), 2);
/// # Ok(()) }
/// ```
#[derive(Clone)]
pub struct Search {
    raw: RawSearch,
    graph: Graph,
}

/// Of a search. The default prices 1000 plans for what a machine's devices have.
#[derive(Clone, Debug, Default)]
pub struct SearchOptions {
    /// Bytes that a device may need at most; 0: what the system's devices have.
    pub cap_bytes: i64,
    /// Plans to price at most, and as many again each time that what was found does not fit. 0: 1000, or no
    /// limit where `seconds` is given.
    pub episodes: i64,
    /// To search at most; 0: no limit. What is found then depends on the machine.
    pub seconds: f64,
    /// Of what is drawn.
    pub seed: u64,
    /// Threads, the caller of run being one of them; 0: one a core. Results do not depend on it.
    pub threads: i32,
    /// The axes to decide about, "data,model"; `None`: all of devices.
    pub axes: Option<String>,
    /// No argument is cut in tiles of more than one size.
    pub even_only: bool,
    /// A folder in which answers are kept, for who asks the same again of a program that differs in names alone.
    pub cache: Option<String>,
    /// Raises the bound behind the search as far as can be proven.
    pub exact: bool,
    /// Ends the search once no plan can be cheaper by more than this part of the cost, 0.02 is 2 %; 0: it is not
    /// asked for.
    pub gap: f64,
    /// How plans are lowered.
    pub lower: LowerOptions,
}

/// The best plan so far, and how many were priced: 0 before the first was, all but the bound.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SearchProgress {
    /// Seconds of a run, one thing after the other.
    pub cost_s: f64,
    /// No plan takes less; there before the first plan is priced.
    pub bound_s: f64,
    /// Of the device that needs most.
    pub peak_bytes: i64,
    pub episodes: i64,
}

impl Search {
    /// A search on a machine. What the plan decided stays, and the plan itself does not change.
    pub fn new(plan: &Plan, system: &System, options: &SearchOptions) -> Result<Search> {
        let axes = Maybe::new(options.axes.as_deref())?;
        let cache = Maybe::new(options.cache.as_deref())?;
        let raw = options.lower.with_raw(|lower| {
            let raw_options = sys::tw_search_options_t {
                cap_bytes: options.cap_bytes,
                episodes: options.episodes,
                seconds: options.seconds,
                seed: options.seed,
                threads: options.threads,
                axes: axes.as_ptr(),
                cache: cache.as_ptr(),
                exact: options.exact.into(),
                gap: options.gap,
                even_only: options.even_only.into(),
                lower,
                ..Default::default()
            };
            // SAFETY: the texts are read.
            made(|out| unsafe {
                sys::tw_search_create(plan.raw.as_ptr(), system.as_ptr(), &raw_options, out)
            })
        })?;
        Ok(Search { raw, graph: plan.graph().clone() })
    }

    /// The header lets any thread use a search, also while another runs it: all of it is atomic or locked.
    fn as_mut_ptr(&self) -> *mut sys::tw_search_t {
        self.raw.as_ptr() as *mut sys::tw_search_t
    }

    /// Searches until the budget is used, nothing is left to try, or somebody cancels. Once.
    pub fn run(&self) -> Result<()> {
        // SAFETY: a search, which one thread may run: a second run fails.
        check(unsafe { sys::tw_search_run(self.as_mut_ptr()) })
    }

    /// Ends a run soon, with the best so far. From any thread.
    pub fn cancel(&self) {
        // SAFETY: a search.
        unsafe { sys::tw_search_cancel(self.as_mut_ptr()) }
    }

    /// While it runs, and after; from any thread.
    pub fn progress(&self) -> Result<SearchProgress> {
        let mut now = SearchProgress::default();
        let (cost, bound) = (&mut now.cost_s, &mut now.bound_s);
        let (peak, episodes) = (&mut now.peak_bytes, &mut now.episodes);
        // SAFETY: a search.
        check(unsafe { sys::tw_search_progress(self.raw.as_ptr(), cost, bound, peak, episodes) })?;
        Ok(now)
    }

    /// What was found as the lines of a spec for [`Plan::apply`], with the cost behind each action in a comment.
    pub fn spec(&self) -> Result<String> {
        // SAFETY: a search. So it is below.
        blob_text(|out| unsafe { sys::tw_search_spec(self.raw.as_ptr(), out) })
    }

    /// The plan with these actions.
    pub fn plan(&self) -> Result<Plan> {
        let raw = made(|out| unsafe { sys::tw_search_plan(self.raw.as_ptr(), out) })?;
        Ok(Plan::of(raw, self.graph.clone()))
    }

    /// How the search ended, what the plan costs, and what else was tried, as JSON; `tw_search.h` has its form.
    pub fn report(&self) -> Result<String> {
        blob_text(|out| unsafe { sys::tw_search_json(self.raw.as_ptr(), out) })
    }
}

impl fmt::Debug for Search {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Search(of {:?}, {:?})", self.graph.name(), self.progress())
    }
}
