// SPDX-License-Identifier: Apache-2.0
//! How results compare with what was expected.
use crate::error::{Error, Result};
use crate::handle::viewed;
use crate::program::Program;
use crate::tensor::{input_pointers, Tensor};
use crate::text::blob_text;
use crate::watch::{ask, Asked, ProgressFn};
use std::borrow::Borrow;
use std::ptr;
use tilewright_sys as sys;

/// The rule that decided a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum JudgedBy {
    /// Every element has the same bits; any NaN equals any other.
    Bits,
    /// `max_rel` is at most `tolerance`.
    Tolerance,
    /// The result is no more than 4 times as far from the program in double precision as the expectation is.
    Double,
}

/// How a tensor compares with an expectation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Comparison {
    /// Whether they are equal by the rule `judged_by`.
    pub passes: bool,
    pub bit_equal: bool,
    /// Largest distance.
    pub max_abs: f64,
    /// The same, divided by the largest expected magnitude.
    pub max_rel: f64,
    /// Passing says little: most of the expectation is one value, or not finite, or it equals an argument.
    pub mistrusted: bool,
    /// Elements of the expectation that are NaN or infinite.
    pub nonfinite: i64,
    pub judged_by: JudgedBy,
    /// The bound on `max_rel`; 0 where bits decide.
    pub tolerance: f64,
    /// Largest distances of result and expectation from the program in double precision; `None`: not
    /// evaluated.
    pub from_double: Option<(f64, f64)>,
    /// The first argument that the expectation equals within its tolerance.
    pub equal_argument: Option<usize>,
}

impl Comparison {
    fn from_raw(raw: &sys::tw_comparison_t) -> Comparison {
        Comparison {
            passes: raw.passes != 0,
            bit_equal: raw.bit_equal != 0,
            max_abs: raw.max_abs,
            max_rel: raw.max_rel,
            mistrusted: raw.mistrusted != 0,
            nonfinite: raw.nonfinite,
            judged_by: match raw.judged_by {
                sys::TW_JUDGED_BY_TOLERANCE => JudgedBy::Tolerance,
                sys::TW_JUDGED_BY_DOUBLE => JudgedBy::Double,
                _ => JudgedBy::Bits,
            },
            tolerance: raw.tolerance,
            from_double: (raw.from_double >= 0.0).then_some((raw.from_double, raw.expected_from_double)),
            equal_argument: usize::try_from(raw.equal_argument).ok(),
        }
    }
}

impl Tensor {
    /// How this compares with what was expected. Integers and booleans are judged by bits, floats by a
    /// tolerance.
    pub fn compare(&self, expected: &Tensor) -> Result<Comparison> {
        self.compared(expected, false)
    }

    /// The same, floats by bits too.
    pub fn compare_exactly(&self, expected: &Tensor) -> Result<Comparison> {
        self.compared(expected, true)
    }

    fn compared(&self, expected: &Tensor, exact: bool) -> Result<Comparison> {
        let (a, b) = (self.as_ptr(), expected.as_ptr());
        // SAFETY: two tensors.
        let raw = viewed(|out| unsafe { sys::tw_tensor_compare(a, b, exact.into(), out) })?;
        Ok(Comparison::from_raw(&raw))
    }
}

/// How [`Program::compare`] does it.
#[derive(Default)]
pub struct CompareOptions<'a> {
    inputs: Vec<*const sys::tw_tensor_t>,
    other_run: bool,
    seconds: f64,
    progress: Option<ProgressFn<'a>>,
    _inputs: std::marker::PhantomData<&'a Tensor>,
}

impl<'a> CompareOptions<'a> {
    /// What the run was given, for a second opinion in double precision.
    pub fn inputs<I: Borrow<Tensor>>(mut self, inputs: &'a [I]) -> Self {
        self.inputs = input_pointers(inputs);
        self
    }

    /// The expectation is of some other run, so that no bits of floats are promised.
    pub fn other_run(mut self) -> Self {
        self.other_run = true;
        self
    }

    /// The evaluation in double precision is given up after so long; else after 600 seconds.
    pub fn seconds(mut self, seconds: f64) -> Self {
        self.seconds = seconds;
        self
    }

    /// Called now and then while it runs, with the seconds so far; `true` gives it up.
    pub fn progress(mut self, progress: impl FnMut(f64) -> bool + 'a) -> Self {
        self.progress = Some(Box::new(progress));
        self
    }
}

pub(crate) fn program<A: Borrow<Tensor>, B: Borrow<Tensor>>(
    program: &Program,
    outputs: &[A],
    expected: &[B],
    options: CompareOptions<'_>,
) -> Result<(Vec<Comparison>, String)> {
    if outputs.len() != expected.len() {
        let text = format!("{} outputs, and {} expected ones", outputs.len(), expected.len());
        return Err(Error::invalid(text));
    }
    let inputs = options.inputs;
    let (ours, theirs) = (input_pointers(outputs), input_pointers(expected));
    let mut asked = options.progress.map(|progress| Asked { progress, failed: None });
    let mut raw_options = sys::tw_compare_options_t {
        other_run: options.other_run.into(),
        seconds: options.seconds,
        ..Default::default()
    };
    if let Some(asked) = &mut asked {
        raw_options.progress = Some(ask);
        raw_options.user = (asked as *mut Asked<'_>).cast();
    }
    let mut comparisons = vec![sys::tw_comparison_t::default(); ours.len()];
    let given = if inputs.is_empty() { ptr::null() } else { inputs.as_ptr() };
    let (program, count, num) = (program.as_ptr(), ours.len(), inputs.len());
    // SAFETY: as many tensors as the counts say; the closure lives during the call.
    let note = blob_text(|out| unsafe {
        let made = comparisons.as_mut_ptr();
        sys::tw_program_compare(
            program,
            given,
            num,
            ours.as_ptr(),
            theirs.as_ptr(),
            count,
            &raw_options,
            made,
            out,
        )
    });
    if let Some(error) = asked.and_then(|asked| asked.failed) {
        return Err(error);
    }
    Ok((comparisons.iter().map(Comparison::from_raw).collect(), note?))
}
