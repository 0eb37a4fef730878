// SPDX-License-Identifier: Apache-2.0
//! Programs: what every device runs, with explicit collectives.
use crate::compare::{CompareOptions, Comparison};
use crate::error::{check, Result};
use crate::estimate::{Estimate, EstimateOptions, System};
use crate::executable::{Executable, ExecutableOptions};
use crate::graph::Graph;
use crate::handle::{made, shared_handle};
use crate::plan::Plan;
use crate::tensor::Tensor;
use crate::text::{addresses, blob_bytes, blob_text, c_string, c_strings, Maybe};
use std::borrow::Borrow;
use std::fmt;
use tilewright_sys as sys;

shared_handle! {
    RawProgram: tw_program_t, tw_program_retain, tw_program_release
}

/// The device-local program of a plan. It never changes; a clone is the same object. It displays as tables of
/// what every device holds, what is sent and why.
#[derive(Clone)]
pub struct Program {
    pub(crate) raw: RawProgram,
    graph: Graph,
}

/// How a plan is lowered. The default is what `tw plan` does.
#[derive(Clone, Debug, Default)]
pub struct LowerOptions {
    /// Optimisations to leave out; the header `tw_program.h` lists them.
    pub without: Vec<String>,
    /// An argument that is gathered from its tiles is gathered again for each use, which keeps the peak low.
    pub gather_per_use: bool,
    /// Small all_reduces are combined into ones of at most so many bytes; 0: none are.
    pub bucket_bytes: i64,
    /// Which devices are near each other, outermost level first: "node=2,socket=2".
    pub levels: Option<String>,
    /// Levels change no bits: sums go straight, in the order of the devices.
    pub keep_sum_order: bool,
    /// Bytes that a planned collective may hold at once on a device; 0: no limit.
    pub scratch_bytes: i64,
    /// A value that a loop does not change moves before it only where it takes at most so many bytes; 0: no
    /// limit.
    pub hoist_limit: i64,
}

impl LowerOptions {
    /// Calls with the options as C has them; the texts live during the call.
    pub(crate) fn with_raw<T>(&self, call: impl FnOnce(&sys::tw_lower_options_t) -> Result<T>) -> Result<T> {
        let (names, levels) = (c_strings(&self.without)?, Maybe::new(self.levels.as_deref())?);
        let without = addresses(&names);
        call(&sys::tw_lower_options_t {
            without: without.as_ptr(),
            num_without: without.len(),
            gather_per_use: self.gather_per_use.into(),
            bucket_bytes: self.bucket_bytes,
            levels: levels.as_ptr(),
            keep_sum_order: self.keep_sum_order.into(),
            scratch_bytes: self.scratch_bytes,
            hoist_limit: self.hoist_limit,
            ..Default::default()
        })
    }
}

impl Program {
    pub fn lower(plan: &Plan, options: &LowerOptions) -> Result<Program> {
        // SAFETY: the texts are read.
        let raw = options.with_raw(|raw_options| {
            made(|out| unsafe { sys::tw_program_lower(plan.raw.as_ptr(), raw_options, out) })
        })?;
        Ok(Program { raw, graph: plan.graph().clone() })
    }

    /// The same graph on one device, every value whole.
    pub fn unpartitioned(graph: &Graph) -> Result<Program> {
        // SAFETY: a graph.
        let raw = made(|out| unsafe { sys::tw_program_unpartitioned(graph.as_ptr(), out) })?;
        Ok(Program { raw, graph: graph.clone() })
    }

    pub(crate) fn as_ptr(&self) -> *const sys::tw_program_t {
        self.raw.as_ptr()
    }

    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    pub fn num_devices(&self) -> i64 {
        // SAFETY: a program. So it is below.
        unsafe { sys::tw_program_num_devices(self.as_ptr()) }
    }

    pub fn num_collectives(&self) -> usize {
        unsafe { sys::tw_program_num_collectives(self.as_ptr()) }
    }

    /// Collectives of a kind: "all_gather", "all_reduce", "reduce_scatter", "all_to_all", "permute",
    /// "exchange".
    pub fn count(&self, kind: &str) -> Result<usize> {
        let kind = c_string(kind)?;
        let mut count = 0;
        check(unsafe { sys::tw_program_count_kind(self.as_ptr(), kind.as_ptr(), &mut count) })?;
        Ok(count)
    }

    /// Bytes that the busiest device must receive in one run.
    pub fn bytes_received(&self) -> i64 {
        unsafe { sys::tw_program_bytes_received(self.as_ptr()) }
    }

    /// Peak of the device that needs most, in the program's own order. [`Executable::peak_bytes`] has what a
    /// run needs.
    pub fn peak_bytes(&self) -> i64 {
        unsafe { sys::tw_program_peak_bytes(self.as_ptr()) }
    }

    /// Whether result `i` is guaranteed to be bitwise equal to the unpartitioned run.
    pub fn result_exact(&self, i: usize) -> bool {
        unsafe { sys::tw_program_result_exact(self.as_ptr(), i) != 0 }
    }

    /// `expect` lines of the plan's specs that do not hold.
    pub fn num_failed_expectations(&self) -> usize {
        unsafe { sys::tw_program_num_failed_expectations(self.as_ptr()) }
    }

    /// Everything about plan and program, as `tw plan --json` prints it.
    pub fn json(&self) -> Result<String> {
        blob_text(|out| unsafe { sys::tw_program_json(self.as_ptr(), out) })
    }

    /// The same for people: tables no wider than `width` columns (0: 120); of long ones the rows with most
    /// bytes, or all.
    pub fn report(&self, width: usize, all_rows: bool) -> Result<String> {
        let report = if all_rows { sys::tw_program_report_all } else { sys::tw_program_report };
        blob_text(|out| unsafe { report(self.as_ptr(), width, out) })
    }

    /// The program as text: "spmd", "stablehlo" or "shard-local".
    pub fn emit(&self, form: &str) -> Result<String> {
        let form = c_string(form)?;
        blob_text(|out| unsafe { sys::tw_program_emit(self.as_ptr(), form.as_ptr(), out) })
    }

    /// The same as bytes, which forms are that are no text: [`crate::Form::binary`].
    pub fn emit_bytes(&self, form: &str) -> Result<Vec<u8>> {
        let form = c_string(form)?;
        blob_bytes(|out| unsafe { sys::tw_program_emit(self.as_ptr(), form.as_ptr(), out) })
    }

    /// Why a collective is there: the two sides that disagreed, and the chain to each.
    pub fn explain_collective(&self, id: usize) -> Result<String> {
        blob_text(|out| unsafe { sys::tw_program_explain_collective(self.as_ptr(), id, out) })
    }

    /// What one run takes on a machine, before anything runs.
    pub fn estimate(&self, system: &System, options: &EstimateOptions) -> Result<Estimate> {
        Estimate::new(self, system, options)
    }

    /// All that is known of the program as one HTML file, which opens without a network. Without an estimate of
    /// this program the page has no time. `trace`: of a measured run.
    pub fn page(&self, estimate: Option<&Estimate>, trace: Option<&str>) -> Result<String> {
        let trace = Maybe::new(trace)?;
        let options = sys::tw_page_options_t { trace: trace.as_ptr(), ..Default::default() };
        let estimate = estimate.map_or(std::ptr::null(), Estimate::as_ptr);
        blob_text(|out| unsafe { sys::tw_program_page(self.as_ptr(), estimate, &options, out) })
    }

    /// The program bound to kernels and memory.
    pub fn executable(&self) -> Result<Executable> {
        Executable::new(self, ExecutableOptions::default())
    }

    /// How results of a run compare with those of the unpartitioned program: one comparison a result, and why
    /// there was no second opinion in double precision where one was due.
    pub fn compare<A: Borrow<Tensor>, B: Borrow<Tensor>>(
        &self,
        outputs: &[A],
        expected: &[B],
        options: CompareOptions<'_>,
    ) -> Result<(Vec<Comparison>, String)> {
        crate::compare::program(self, outputs, expected, options)
    }
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.report(100, false).map_err(|_| fmt::Error)?)
    }
}

impl fmt::Debug for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Program(on {} devices, {} collectives)", self.num_devices(), self.num_collectives())
    }
}
