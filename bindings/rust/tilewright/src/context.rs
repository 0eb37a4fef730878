// SPDX-License-Identifier: Apache-2.0
//! Contexts: allocator, log and threads of the host.
use crate::error::Result;
use crate::handle::{made, shared_handle};
use crate::text::borrowed;
use std::os::raw::{c_char, c_void};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::ptr;
use std::sync::atomic::{AtomicBool, Ordering};
use tilewright_sys as sys;

shared_handle! {
    /// What executables and tensors share: threads, an allocator, a log. Any thread may use it.
    ///
    /// ```
    /// use tilewright::{Context, ContextOptions};
    /// # fn main() -> tilewright::Result<()> {
    /// let context = Context::new(ContextOptions::default().workers(2))?;
    /// let tensor = tilewright::Tensor::zeros_in(&context, tilewright::Dtype::F32, &[4])?;
    /// # assert_eq!(tensor.dims(), [4]);
    /// # Ok(()) }
    /// ```
    Context: tw_context_t, tw_context_retain, tw_context_release
}

/// Where big memory comes from. It is kept as long as any object of the context lives, so it is `'static`.
///
/// # Safety `allocate` gives memory of that size and alignment that is nobody else's until `free`, or null.
/// Neither panics.
pub unsafe trait Allocator: Sync {
    /// `alignment` is a power of two.
    fn allocate(&self, size: usize, alignment: usize) -> *mut u8;

    /// # Safety
    /// `memory` is of `allocate` with that size, and not freed yet.
    unsafe fn free(&self, memory: *mut u8, size: usize);
}

/// How serious a line of the log is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    Error,
    Warning,
    Info,
    Debug,
}

/// How a context is made. What it calls is `'static`, since objects may outlive the context: functions,
/// statics, or what `Box::leak` gives.
#[derive(Default)]
pub struct ContextOptions {
    raw: sys::tw_context_options_t,
}

unsafe extern "C" fn allocate<A: Allocator>(size: usize, alignment: usize, user: *mut c_void) -> *mut c_void {
    let allocator = &*(user as *const A);
    catch_unwind(AssertUnwindSafe(|| allocator.allocate(size, alignment))).unwrap_or(ptr::null_mut()).cast()
}

unsafe extern "C" fn free<A: Allocator>(memory: *mut c_void, size: usize, user: *mut c_void) {
    let allocator = &*(user as *const A);
    // Memory that is not freed is lost, no more.
    let _ = catch_unwind(AssertUnwindSafe(|| allocator.free(memory.cast(), size)));
}

unsafe extern "C" fn log<F: Fn(Level, &str, &str) + Sync>(
    level: i32,
    area: *const c_char,
    text: *const c_char,
    user: *mut c_void,
) {
    let levels = [Level::Error, Level::Warning, Level::Info, Level::Debug];
    let level = usize::try_from(level).ok().and_then(|i| levels.get(i)).copied().unwrap_or(Level::Debug);
    let callback = &*(user as *const F);
    // A line that is not logged is lost, no more.
    let _ = catch_unwind(AssertUnwindSafe(|| callback(level, borrowed(area), borrowed(text))));
}

/// Bodies of a parallel loop: each runs once, whatever the host's closure does.
struct Bodies {
    body: unsafe extern "C" fn(i64, *mut c_void),
    argument: *mut c_void,
    done: Vec<AtomicBool>,
}

// SAFETY: the library says that bodies may run in any thread, at once.
unsafe impl Sync for Bodies {}

impl Bodies {
    fn run(&self, i: usize) {
        if self.done.get(i).map_or(false, |done| !done.swap(true, Ordering::AcqRel)) {
            // SAFETY: i is below the count, and this is the first time.
            unsafe { (self.body)(i as i64, self.argument) }
        }
    }
}

unsafe extern "C" fn parallel_for<F: Fn(usize, &(dyn Fn(usize) + Sync)) + Sync>(
    count: i64,
    body: Option<unsafe extern "C" fn(i64, *mut c_void)>,
    argument: *mut c_void,
    user: *mut c_void,
) {
    let (count, callback) = (usize::try_from(count).unwrap_or(0), &*(user as *const F));
    let body = body.expect("a loop has a body");
    let bodies = Bodies { body, argument, done: (0..count).map(|_| AtomicBool::new(false)).collect() };
    let run = |i| bodies.run(i);
    // Where the host's closure panics, or forgets some, the rest runs here: the library counts on all of
    // them.
    let _ = catch_unwind(AssertUnwindSafe(|| callback(count, &run)));
    (0..count).for_each(run);
}

impl ContextOptions {
    /// Workers that executables of the context share, the caller of a run being one of them; 0: one a core.
    pub fn workers(mut self, workers: i32) -> Self {
        self.raw.workers = workers;
        self
    }

    pub fn allocator<A: Allocator>(mut self, allocator: &'static A) -> Self {
        self.raw.alloc = Some(allocate::<A>);
        self.raw.free = Some(free::<A>);
        self.raw.alloc_user = allocator as *const A as *mut c_void;
        self
    }

    /// Called with level, area and text, in any thread. Else standard error gets what `TW_LOG` asks for.
    pub fn log<F: Fn(Level, &str, &str) + Sync>(mut self, callback: &'static F) -> Self {
        self.raw.log = Some(log::<F>);
        self.raw.log_user = callback as *const F as *mut c_void;
        self
    }

    /// Threads of the host instead of the library's: `callback(count, body)` calls `body(i)` for each i below
    /// `count`, in any order, in any threads, and returns when all have ended.
    pub fn parallel_for<F: Fn(usize, &(dyn Fn(usize) + Sync)) + Sync>(
        mut self,
        callback: &'static F,
    ) -> Self {
        self.raw.parallel_for = Some(parallel_for::<F>);
        self.raw.parallel_for_user = callback as *const F as *mut c_void;
        self
    }
}

impl Context {
    pub fn new(options: ContextOptions) -> Result<Context> {
        // SAFETY: what the options point at is 'static.
        made(|out| unsafe { sys::tw_context_create(&options.raw, out) })
    }

    /// Measures, within a second or two, what its workers can do at most, as JSON.
    pub fn machine_limits(&self) -> Result<String> {
        // SAFETY: a context.
        crate::text::blob_text(|out| unsafe { sys::tw_machine_limits(self.as_ptr(), out) })
    }
}

/// Measures, within a second or two, what a worker on each core can do at most, as JSON.
pub fn machine_limits() -> Result<String> {
    // SAFETY: NULL is the default context.
    crate::text::blob_text(|out| unsafe { sys::tw_machine_limits(ptr::null(), out) })
}
