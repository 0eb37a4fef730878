// SPDX-License-Identifier: Apache-2.0
//! Asynchronous runs: start, test, wait, cancel.
use crate::error::{check, Result};
use crate::handle::shared_handle;
use crate::tensor::Tensor;
use std::fmt;
use std::os::raw::c_int;
use std::sync::Arc;
use tilewright_sys as sys;

shared_handle! {
    RawRun: tw_run_t, tw_run_retain, tw_run_release
}

/// A run that [`crate::Executable::start`] began. Dropping it cancels it.
///
/// ```
/// # use tilewright::{Dtype, Graph, Program, Tensor};
/// # fn main() -> tilewright::Result<()> {
/// # let graph = Graph::parse("func.func @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {\n\
/// #   %y = stablehlo.tanh %x : tensor<8x4xf32>\n return %y : tensor<8x4xf32>\n}")?;
/// let mut executable = Program::unpartitioned(&graph)?.executable()?;
/// let x = Tensor::zeros(Dtype::F32, &[8, 4])?;
/// let mut run = executable.start(vec![x.into()], executable.new_outputs()?)?;
/// while !run.is_over()? { /* something else */ }
/// let outputs = run.wait()?;
/// # assert_eq!(outputs[0].dims(), [8, 4]);
/// # Ok(()) }
/// ```
///
/// Nobody writes to an input meanwhile, and outputs are not seen before the run is over:
///
/// ```compile_fail,E0382
/// # fn look(executable: &mut tilewright::Executable, outputs: Vec<tilewright::Tensor>) {
/// let run = executable.start(vec![], outputs).unwrap();
/// println!("{:?}", outputs[0].bytes());
/// # }
/// ```
pub struct Run {
    raw: RawRun,
    outputs: Vec<Tensor>,
    /// So that nobody gets a `&mut` of them.
    inputs: Arc<Vec<Arc<Tensor>>>,
    over: bool,
}

/// Cancels a run, from any thread.
#[derive(Clone)]
pub struct Canceller {
    raw: RawRun,
    /// The run may go on as long as this lives.
    _inputs: Arc<Vec<Arc<Tensor>>>,
}

impl Run {
    pub(crate) fn new(raw: RawRun, inputs: Vec<Arc<Tensor>>, outputs: Vec<Tensor>) -> Run {
        Run { raw, outputs, inputs: Arc::new(inputs), over: false }
    }

    /// Whether it is over; waits for nothing.
    pub fn is_over(&mut self) -> Result<bool> {
        let mut over: c_int = 0;
        // SAFETY: a run.
        check(unsafe { sys::tw_run_test(self.raw.as_mut_ptr(), &mut over) })?;
        self.over = over != 0;
        Ok(self.over)
    }

    /// Works on the run until it is over: its outputs, or how it failed.
    pub fn wait(mut self) -> Result<Vec<Tensor>> {
        // SAFETY: a run.
        let ended = check(unsafe { sys::tw_run_wait(self.raw.as_mut_ptr()) });
        self.over = true;
        ended.map(|()| std::mem::take(&mut self.outputs))
    }

    /// What ends the run from other threads, also while this one waits.
    pub fn canceller(&self) -> Canceller {
        Canceller { raw: self.raw.clone(), _inputs: self.inputs.clone() }
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        if !self.over {
            // SAFETY: a run. It keeps its tensors until nobody works on it.
            unsafe { sys::tw_run_cancel(self.raw.as_ptr()) };
        }
    }
}

impl Canceller {
    /// Ends the run on every device at its next instruction; outputs keep their bytes. Changes nothing where
    /// it is over.
    pub fn cancel(&self) -> Result<()> {
        // SAFETY: the header lets any thread do this, also during tw_run_wait.
        check(unsafe { sys::tw_run_cancel(self.raw.as_ptr()) })
    }
}

impl fmt::Debug for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Run({})", if self.over { "over" } else { "not over, as far as it was asked" })
    }
}
