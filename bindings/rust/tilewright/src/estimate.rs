// SPDX-License-Identifier: Apache-2.0
//! Estimates: what a program takes on a machine, before anything runs.
use crate::error::Result;
use crate::handle::{made, shared_handle, viewed};
use crate::program::Program;
use crate::text::{blob_text, borrowed, c_string, Maybe};
use crate::walk::LocalId;
use crate::walk_program::CollectiveKind;
use std::fmt;
use std::os::raw::c_char;
use tilewright_sys as sys;

shared_handle! {
    /// A machine: what its devices compute and hold, and how they reach each other.
    System: tw_system_t, tw_system_retain, tw_system_release
}

impl System {
    /// One that comes with the library, "a100-80g", or a file.
    pub fn load(name_or_file: &str) -> Result<System> {
        let name = c_string(name_or_file)?;
        // SAFETY: the text is read. So it is below.
        made(|out| unsafe { sys::tw_system_load(name.as_ptr(), out) })
    }

    /// From the text of such a file, which errors and reports call `file`.
    pub fn parse(text: &str, file: Option<&str>) -> Result<System> {
        let file = Maybe::new(file)?;
        let bytes = text.as_ptr().cast::<c_char>();
        made(|out| unsafe { sys::tw_system_parse(bytes, text.len(), file.as_ptr(), out) })
    }

    /// As it was loaded.
    pub fn name(&self) -> &str {
        // SAFETY: the name is the system's.
        unsafe { borrowed(sys::tw_system_name(self.as_ptr())) }
    }
}

impl fmt::Debug for System {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "System({})", self.name())
    }
}

/// Of an estimate; the default is a machine's own memory, and its guess of open loops.
#[derive(Clone, Debug, Default)]
pub struct EstimateOptions {
    /// Bytes that a device may need at most; 0: what the system's devices have, without their reserve.
    pub cap_bytes: i64,
    /// Turns of loops that data end; 0: the system's guess.
    pub trip_count: i64,
    /// Results may be written over donated arguments.
    pub donate: bool,
}

shared_handle! {
    RawEstimate: tw_estimate_t, tw_estimate_retain, tw_estimate_release
}

/// What one run of a program takes on a system: see [`Program::estimate`]. It never changes; a clone is the same
/// object. It displays as tables.
///
/// ```
/// use tilewright::{EstimateOptions, Graph, Mesh, System};
/// # fn main() -> tilewright::Result<()> {
/// # let graph = Graph::parse("func.func @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {\n\
/// #   %y = stablehlo.tanh %x : tensor<8x4xf32>\n return %y : tensor<8x4xf32>\n}")?;
/// let program = graph.plan(&Mesh::new(&[("data", 2)])?)?.lower()?;
/// let estimate = program.estimate(&System::load("a100-80g")?, &EstimateOptions::default())?;
/// assert!(estimate.totals().fits);
/// for step in estimate.steps() {
///     println!("{} s: {}", step.seconds * step.times as f64, step.what);
/// }
/// # Ok(()) }
/// ```
#[derive(Clone)]
pub struct Estimate {
    raw: RawEstimate,
    num_collectives: usize,
}

/// Seconds and bytes of all.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Totals {
    /// One thing after the other: the sum of the next three.
    pub serial_s: f64,
    /// Of steps that operations bound.
    pub compute_s: f64,
    /// Of steps that bytes bound.
    pub memory_s: f64,
    pub communication_s: f64,
    /// Collectives beside what does not need them.
    pub overlapped_s: f64,
    /// Of the device that needs most, with what its libraries hold and its allocator adds.
    pub peak_bytes: i64,
    /// What it may need.
    pub cap_bytes: i64,
    pub fits: bool,
    /// Where its arrays take most: see [`Estimate::places`].
    pub peak_place: usize,
}

/// What decides how long a step takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Bound {
    /// Its operations.
    Compute,
    /// What it reads and writes.
    Memory,
    /// What moves between devices.
    Link,
}

/// A step as an executable would run it, on the device that has most of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EstimatedStep<'e> {
    /// "dot_general", "add and 7 more", "all_reduce over model".
    pub what: &'e str,
    /// What it makes first, and where its first op comes from.
    pub value: &'e str,
    pub location: &'e str,
    /// The first that it runs, for [`Program::instr`]; `None`: it only copies.
    pub instr: Option<usize>,
    pub num_ops: usize,
    /// For [`Program::collective`].
    pub collective: Option<usize>,
    pub bound: Bound,
    pub times: i64,
    /// Of one run of it.
    pub seconds: f64,
    pub flops: f64,
    pub bytes: f64,
    /// Of its first run, where collectives run beside what does not need them.
    pub begin_s: f64,
    pub lasts_s: f64,
}

/// What a collective of the program takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CollectiveCost {
    pub kind: CollectiveKind,
    /// Bit a is axis a of [`Program::mesh`].
    pub axes: u64,
    /// `None`: who reads it adds it up, or nothing reads it. Then the rest is 0.
    pub step: Option<usize>,
    pub times: i64,
    /// Of one run of it.
    pub seconds: f64,
    pub bytes: f64,
}

/// A place of the program in memory: before the first step, at one of them, or behind the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Of the arrays that the device which needs most has then.
    pub bytes: i64,
    pub instr: Option<usize>,
    /// `None`: what runs then takes no time, as a jump.
    pub step: Option<usize>,
}

/// What an array is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Role {
    /// An argument.
    Parameter,
    /// An argument that only an update reads, as the moments of Adam.
    State,
    /// Of the type of a parameter that is updated.
    Gradient,
    /// None of the others.
    Activation,
    /// By an all_gather.
    Gathered,
    /// Of a collective that neither gathers nor adds.
    Buffer,
}

/// An array that the device has where its arrays take most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Held<'e> {
    pub value: &'e str,
    pub local: LocalId,
    pub bytes: i64,
    pub role: Role,
}

fn known(number: u32) -> Option<usize> {
    (number != u32::MAX).then_some(number as usize)
}

fn role(code: sys::tw_role_t) -> Role {
    match code {
        sys::TW_ROLE_PARAMETER => Role::Parameter,
        sys::TW_ROLE_STATE => Role::State,
        sys::TW_ROLE_GRADIENT => Role::Gradient,
        sys::TW_ROLE_GATHERED => Role::Gathered,
        sys::TW_ROLE_BUFFER => Role::Buffer,
        _ => Role::Activation,
    }
}

impl Estimate {
    pub(crate) fn new(program: &Program, system: &System, options: &EstimateOptions) -> Result<Estimate> {
        let raw_options = sys::tw_estimate_options_t {
            cap_bytes: options.cap_bytes,
            trip_count: options.trip_count,
            donate: options.donate.into(),
            ..Default::default()
        };
        // SAFETY: a program, a system and options.
        let raw = made(|out| unsafe {
            sys::tw_program_estimate(program.as_ptr(), system.as_ptr(), &raw_options, out)
        })?;
        Ok(Estimate { raw, num_collectives: program.num_collectives() })
    }

    pub(crate) fn as_ptr(&self) -> *const sys::tw_estimate_t {
        self.raw.as_ptr()
    }

    pub fn totals(&self) -> Totals {
        // SAFETY: an estimate. So it is below; numbers are below the counts, and strings are the estimate's.
        let view: sys::tw_estimate_view_t =
            viewed(|out| unsafe { sys::tw_estimate_totals(self.as_ptr(), out) })
                .expect("an estimate has totals");
        Totals {
            serial_s: view.serial_s,
            compute_s: view.compute_s,
            memory_s: view.memory_s,
            communication_s: view.communication_s,
            overlapped_s: view.overlapped_s,
            peak_bytes: view.peak_bytes,
            cap_bytes: view.cap_bytes,
            fits: view.fits != 0,
            peak_place: view.peak_place,
        }
    }

    /// Of `communication_s` what goes over an axis of [`Program::mesh`]; 0 where there is no such axis.
    pub fn axis_seconds(&self, axis: usize) -> f64 {
        unsafe { sys::tw_estimate_axis_seconds(self.as_ptr(), axis) }
    }

    /// In the order of the program; `seconds` times `times` add up to `serial_s`.
    pub fn steps(&self) -> impl ExactSizeIterator<Item = EstimatedStep<'_>> + '_ {
        let count = unsafe { sys::tw_estimate_num_steps(self.as_ptr()) };
        (0..count).map(move |i| unsafe {
            let view: sys::tw_step_view_t = viewed(|out| sys::tw_estimate_step(self.as_ptr(), i, out))
                .expect("the number is below the count");
            EstimatedStep {
                what: borrowed(view.what),
                value: borrowed(view.value),
                location: borrowed(view.location),
                instr: known(view.instr),
                num_ops: view.num_ops as usize,
                collective: known(view.collective),
                bound: match view.bound {
                    sys::TW_BOUND_MEMORY => Bound::Memory,
                    sys::TW_BOUND_LINK => Bound::Link,
                    _ => Bound::Compute,
                },
                times: view.times,
                seconds: view.seconds,
                flops: view.flops,
                bytes: view.bytes,
                begin_s: view.begin_s,
                lasts_s: view.lasts_s,
            }
        })
    }

    /// Those of the program, by its numbers; `seconds` times `times` add up to `communication_s`.
    pub fn collectives(&self) -> impl ExactSizeIterator<Item = CollectiveCost> + '_ {
        (0..self.num_collectives).map(move |i| {
            let view: sys::tw_collective_cost_view_t =
                viewed(|out| unsafe { sys::tw_estimate_collective(self.as_ptr(), i, out) })
                    .expect("the number is below the count");
            CollectiveCost {
                kind: CollectiveKind::of(view.kind),
                axes: view.axes,
                step: known(view.step),
                times: view.times,
                seconds: view.seconds,
                bytes: view.bytes,
            }
        })
    }

    /// What the device that needs most has in memory, place after place of the program.
    pub fn places(&self) -> impl ExactSizeIterator<Item = Place> + '_ {
        let count = unsafe { sys::tw_estimate_num_places(self.as_ptr()) };
        (0..count).map(move |i| {
            let view: sys::tw_place_view_t =
                viewed(|out| unsafe { sys::tw_estimate_place(self.as_ptr(), i, out) })
                    .expect("the number is below the count");
            Place { bytes: view.bytes, instr: known(view.instr), step: known(view.step) }
        })
    }

    /// What it has at `peak_place`, the largest first: together the bytes of that place.
    pub fn held(&self) -> impl ExactSizeIterator<Item = Held<'_>> + '_ {
        let count = unsafe { sys::tw_estimate_num_held(self.as_ptr()) };
        (0..count).map(move |i| unsafe {
            let view: sys::tw_held_view_t = viewed(|out| sys::tw_estimate_held(self.as_ptr(), i, out))
                .expect("the number is below the count");
            Held {
                value: borrowed(view.value),
                local: LocalId(view.local_value),
                bytes: view.bytes,
                role: role(view.role),
            }
        })
    }

    /// As JSON; `tw_estimate.h` has its form.
    pub fn json(&self) -> Result<String> {
        blob_text(|out| unsafe { sys::tw_estimate_json(self.as_ptr(), out) })
    }

    /// The same for people: tables no wider than `width` columns; 0: 120.
    pub fn report(&self, width: usize) -> Result<String> {
        blob_text(|out| unsafe { sys::tw_estimate_report(self.as_ptr(), width, out) })
    }

    /// The run as a Chrome trace, for Perfetto.
    pub fn trace(&self) -> Result<String> {
        blob_text(|out| unsafe { sys::tw_estimate_trace(self.as_ptr(), out) })
    }
}

impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.report(100).map_err(|_| fmt::Error)?)
    }
}

impl fmt::Debug for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let totals = self.totals();
        write!(f, "Estimate({} s, {} bytes, fits: {})", totals.overlapped_s, totals.peak_bytes, totals.fits)
    }
}
