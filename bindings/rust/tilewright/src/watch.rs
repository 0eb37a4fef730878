// SPDX-License-Identifier: Apache-2.0
//! Long calls: how far they are, and giving them up.
use crate::error::{check, Error, Result};
use std::os::raw::{c_int, c_void};
use std::panic::{catch_unwind, resume_unwind, AssertUnwindSafe};
use std::thread;
use tilewright_sys as sys;

pub(crate) type ProgressFn<'a> = Box<dyn FnMut(f64) -> bool + 'a>;

/// A closure that is asked, and how it failed.
pub(crate) struct Asked<'a> {
    pub(crate) progress: ProgressFn<'a>,
    pub(crate) failed: Option<Error>,
}

/// # Safety
/// `user` is an `Asked` that nobody else uses meanwhile.
pub(crate) unsafe extern "C" fn ask(user: *mut c_void, seconds: f64) -> c_int {
    let asked = &mut *user.cast::<Asked<'_>>();
    if asked.failed.is_some() {
        return 1;
    }
    let progress = &mut asked.progress;
    match catch_unwind(AssertUnwindSafe(|| progress(seconds))) {
        Ok(stop) => stop.into(),
        Err(payload) => {
            asked.failed = Some(Error::panicked("the closure of progress", &*payload));
            1
        }
    }
}

/// A closure that is called once, and how it ended.
struct Body<T, F> {
    run: Option<F>,
    ended: Option<thread::Result<Result<T>>>,
}

unsafe extern "C" fn run_body<T, F: FnOnce() -> Result<T>>(user: *mut c_void) -> sys::tw_status_t {
    let body = &mut *user.cast::<Body<T, F>>();
    body.ended = body.run.take().map(|run| catch_unwind(AssertUnwindSafe(run)));
    sys::TW_OK
}

/// Watches what takes long in `body`: planning, lowering, making executables, reports of programs, and the
/// search for redistributions. `progress` is asked every `interval` seconds (0: 0.05), by this thread, with the seconds
/// since the body began; `true` gives the call up. Such a call is [`crate::Status::Cancelled`], and has
/// changed nothing; of a spec the actions before the one at work stay. Calls in other threads are not watched,
/// and of a body inside another the inner closure is asked alone. [`crate::CompareOptions::progress`] and
/// [`crate::Canceller`] give up comparisons and runs. A panic of `progress` is an error.
///
/// ```
/// use tilewright::{Graph, Mesh};
/// # fn main() -> tilewright::Result<()> {
/// # let graph = Graph::parse("func.func @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {\n\
/// #   %y = stablehlo.tanh %x : tensor<8x4xf32>\n return %y : tensor<8x4xf32>\n}")?;
/// let mut plan = graph.plan(&Mesh::new(&[("data", 2)])?)?;
/// plan.tile("x", 0, "data")?;
/// tilewright::watch(|seconds| seconds > 10.0, 0.1, || plan.infer_propagate().map(drop))?;
/// # Ok(()) }
/// ```
pub fn watch<T>(
    progress: impl FnMut(f64) -> bool,
    interval: f64,
    body: impl FnOnce() -> Result<T>,
) -> Result<T> {
    watch_body(Asked { progress: Box::new(progress), failed: None }, interval, body)
}

fn watch_body<T, F: FnOnce() -> Result<T>>(mut asked: Asked<'_>, interval: f64, body: F) -> Result<T> {
    let mut body = Body { run: Some(body), ended: None };
    let options = sys::tw_watch_options_t {
        progress: Some(ask),
        user: (&mut asked as *mut Asked<'_>).cast(),
        interval,
        ..Default::default()
    };
    let user = (&mut body as *mut Body<T, F>).cast();
    // SAFETY: both closures live during the call.
    check(unsafe { sys::tw_watch_calls(Some(run_body::<T, F>), user, &options) })?;
    let ended = body.ended.expect("the body is called where watching succeeds");
    let result = ended.unwrap_or_else(|payload| resume_unwind(payload));
    match asked.failed {
        Some(error) => Err(error),
        None => result,
    }
}
