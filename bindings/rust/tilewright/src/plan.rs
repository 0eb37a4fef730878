// SPDX-License-Identifier: Apache-2.0
//! Plans: sharding actions on a graph, propagated through all of it.
use crate::error::{check, Error, Result};
use crate::estimate::System;
use crate::graph::Graph;
use crate::handle::{handle, made, Handle};
use crate::import::file_bytes;
use crate::mesh::Mesh;
use crate::program::{LowerOptions, Program};
use crate::search::{Search, SearchOptions};
use crate::tensor::Tensor;
use crate::text::{blob_bytes, blob_text, borrowed, c_string, Maybe};
use std::borrow::Borrow;
use std::fmt;
use std::mem::ManuallyDrop;
use std::os::raw::{c_char, c_void};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::path::Path;
use std::ptr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tilewright_sys as sys;

handle! {
    RawPlan: tw_plan_t, tw_plan_release
}

/// A graph, a mesh, and the decisions so far.
///
/// ```
/// use tilewright::{Graph, Mesh};
/// # fn main() -> tilewright::Result<()> {
/// # let graph = Graph::parse("func.func @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {\n\
/// #   %y = stablehlo.tanh %x : tensor<8x4xf32>\n return %y : tensor<8x4xf32>\n}")?;
/// let mut plan = graph.plan(&Mesh::new(&[("data", 2)])?)?;
/// plan.tile("x", 0, "data")?.infer_propagate()?;
/// assert_eq!(plan.sharding("out0")?, "[{data}, {}]");
/// # Ok(()) }
/// ```
pub struct Plan {
    pub(crate) raw: RawPlan,
    graph: Graph,
    /// `None`: there is no closure.
    failed: Option<Failure>,
}

type ActionFn = Box<dyn FnMut(&Plan, Action<'_>) + Send>;

/// How the closure of [`Plan::on_action`] failed, for `apply` to return.
type Failure = Arc<Mutex<Option<Error>>>;

/// What [`Plan::on_action`] was given. The library owns it.
struct Watcher {
    graph: Graph,
    callback: ActionFn,
    failed: Failure,
}

unsafe extern "C" fn drop_watcher(user: *mut c_void) {
    drop(Box::from_raw(user.cast::<Watcher>()));
}

/// A step that was applied: a line of a spec, an annotation of the module, a call such as [`Plan::tile`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Action<'p> {
    /// As written.
    pub text: &'p str,
    /// `""` where it stands in no text.
    pub file: &'p str,
    /// From 1; 0: it stands in no line.
    pub line: u32,
}

/// How a plan begins.
#[derive(Clone, Debug, Default)]
pub struct PlanOptions {
    /// The module's own annotations, or loops, are not applied.
    pub ignore_annotations: bool,
    /// What propagation does where it has a choice: "conservative", "shardy", "cheapest" or "explicit".
    pub policy: Option<String>,
}

/// A moment of a plan, for [`Plan::undo`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp(u64);

/// Decisions. Each gives the plan back, so that they chain: `plan.tile("x", 0, "data")?.infer_propagate()?`. Where
/// one fails the plan is as it was before.
impl Plan {
    /// Tiles dimension `dim` of a value along a mesh axis. `value` is an argument (`x`, `params['w*']`), a
    /// result, or `%12`. Other values follow at [`Plan::infer_propagate`].
    pub fn tile(&mut self, value: &str, dim: i64, axis: &str) -> Result<&mut Plan> {
        let (value, axis) = (c_string(value)?, c_string(axis)?);
        // SAFETY: the texts are read. So they are below.
        check(unsafe { sys::tw_plan_tile(self.raw.as_mut_ptr(), value.as_ptr(), dim, axis.as_ptr()) })?;
        Ok(self)
    }

    /// Keeps a value whole on an axis: propagation stops there.
    pub fn atomic(&mut self, value: &str, axis: &str) -> Result<&mut Plan> {
        let (value, axis) = (c_string(value)?, c_string(axis)?);
        check(unsafe { sys::tw_plan_atomic(self.raw.as_mut_ptr(), value.as_ptr(), axis.as_ptr()) })?;
        Ok(self)
    }

    /// Spreads the decisions, as `propagate` in a spec: forms a sum only where every operand that carries it is
    /// tiled already.
    pub fn propagate(&mut self) -> Result<&mut Plan> {
        check(unsafe { sys::tw_plan_propagate(self.raw.as_mut_ptr(), sys::TW_PROPAGATE) })?;
        Ok(self)
    }

    /// Spreads the decisions, as `infer-propagate` in a spec: one tiled operand is enough to form a sum, the
    /// others follow.
    pub fn infer_propagate(&mut self) -> Result<&mut Plan> {
        check(unsafe { sys::tw_plan_propagate(self.raw.as_mut_ptr(), sys::TW_INFER_PROPAGATE) })?;
        Ok(self)
    }

    /// Applies a spec, one action a line or several with `;`. `file` names it in error positions. On an error
    /// the actions before the failing line stay applied. A panic of [`Plan::on_action`]'s closure is an error
    /// after the last action.
    pub fn apply(&mut self, spec: &str, file: Option<&str>) -> Result<&mut Plan> {
        let file = Maybe::new(file)?;
        let (text, size) = (spec.as_ptr().cast(), spec.len());
        let applied = check(unsafe { sys::tw_plan_apply(self.raw.as_mut_ptr(), text, size, file.as_ptr()) });
        let failed = self.failed.as_ref().and_then(|failed| locked(failed).take());
        applied.and(failed.map_or(Ok(()), Err))?;
        Ok(self)
    }

    /// Applies the spec in a file.
    pub fn apply_file(&mut self, path: impl AsRef<Path>) -> Result<&mut Plan> {
        let path = path.as_ref();
        let bytes = file_bytes(path)?;
        self.apply(&String::from_utf8_lossy(&bytes), path.to_str())
    }

    /// Brings the plan back to what it was.
    pub fn undo(&mut self, stamp: Stamp) -> Result<&mut Plan> {
        check(unsafe { sys::tw_plan_undo(self.raw.as_mut_ptr(), stamp.0) })?;
        Ok(self)
    }
}

unsafe extern "C" fn call_action(
    plan: *const sys::tw_plan_t,
    action: *const c_char,
    file: *const c_char,
    line: u32,
    user: *mut c_void,
) {
    let watcher = &mut *user.cast::<Watcher>();
    if locked(&watcher.failed).is_some() {
        return;
    }
    // The plan as the callback reads it: the same object, whose reference is not ours.
    let raw = RawPlan::own(plan as *mut sys::tw_plan_t);
    let seen = ManuallyDrop::new(Plan { raw, graph: watcher.graph.clone(), failed: None });
    let told = Action { text: borrowed(action), file: borrowed(file), line };
    let callback = &mut watcher.callback;
    let result = catch_unwind(AssertUnwindSafe(|| callback(&seen, told)));
    drop(ptr::read(&seen.graph)); // all of it that is ours
    if let Err(payload) = result {
        *locked(&watcher.failed) = Some(Error::panicked("the callback of an action", &*payload));
    }
}

/// Nobody panics while it is locked.
fn locked(failed: &Mutex<Option<Error>>) -> MutexGuard<'_, Option<Error>> {
    failed.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Plan {
    /// A plan over a mesh; `None`: the one that the module declares, else one device.
    pub fn new(graph: &Graph, mesh: Option<&Mesh>, options: &PlanOptions) -> Result<Plan> {
        let policy = Maybe::new(options.policy.as_deref())?;
        let ignore_annotations = options.ignore_annotations.into();
        let raw_options =
            sys::tw_plan_options_t { ignore_annotations, policy: policy.as_ptr(), ..Default::default() };
        let mesh = mesh.map_or(ptr::null(), |mesh| mesh.as_ptr());
        // SAFETY: the texts are read; the plan keeps graph and mesh alive.
        let raw = made(|out| unsafe { sys::tw_plan_create(graph.as_ptr(), mesh, &raw_options, out) })?;
        Ok(Plan { raw, graph: graph.clone(), failed: None })
    }

    /// A plan of its own that begins as this one is, to try other ways from here. It has no `on_action`.
    pub fn try_clone(&self) -> Result<Plan> {
        // SAFETY: a plan.
        let raw = made(|out| unsafe { sys::tw_plan_clone(self.raw.as_ptr(), out) })?;
        Ok(Plan { raw, graph: self.graph.clone(), failed: None })
    }

    /// A plan that a call of the library made.
    pub(crate) fn of(raw: RawPlan, graph: Graph) -> Plan {
        Plan { raw, graph, failed: None }
    }

    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// The closure is called by [`Plan::apply`] after each action, with the plan as it is then.
    pub fn on_action(&mut self, callback: impl FnMut(&Plan, Action<'_>) + Send + 'static) -> Result<()> {
        let failed = Failure::default();
        let (graph, callback) = (self.graph.clone(), Box::new(callback));
        let watcher = Box::into_raw(Box::new(Watcher { graph, callback, failed: failed.clone() }));
        let plan = self.raw.as_mut_ptr();
        // SAFETY: the watcher is the library's, until the plan has another or ends.
        let owned = check(unsafe {
            sys::tw_plan_own_action(plan, Some(call_action), watcher.cast(), Some(drop_watcher))
        });
        if owned.is_err() {
            // SAFETY: where the call fails it stays ours.
            unsafe { drop_watcher(watcher.cast()) };
            return owned;
        }
        self.failed = Some(failed);
        Ok(())
    }

    /// Nobody is called from here on.
    pub fn no_on_action(&mut self) {
        // SAFETY: a plan.
        unsafe { sys::tw_plan_own_action(self.raw.as_mut_ptr(), None, ptr::null_mut(), None) };
        self.failed = None;
    }

    /// The plan as it is now, for [`Plan::undo`].
    pub fn stamp(&self) -> Stamp {
        // SAFETY: a plan.
        Stamp(unsafe { sys::tw_plan_stamp(self.raw.as_ptr()) })
    }

    /// The sharding of a value as text, `[{data}, {}]`.
    pub fn sharding(&self, value: &str) -> Result<String> {
        let value = c_string(value)?;
        // SAFETY: the text is read. So it is below.
        blob_text(|out| unsafe { sys::tw_plan_sharding(self.raw.as_ptr(), value.as_ptr(), out) })
    }

    /// Axes that propagation could not decide.
    pub fn num_conflicts(&self) -> usize {
        // SAFETY: a plan.
        unsafe { sys::tw_plan_num_conflicts(self.raw.as_ptr()) }
    }

    /// The chain from an action to this sharding; for an axis on which the value is whole, what stopped it.
    /// `None`: all.
    pub fn explain(&self, value: &str, axis: Option<&str>) -> Result<String> {
        let (value, axis) = (c_string(value)?, Maybe::new(axis)?);
        let plan = self.raw.as_ptr();
        blob_text(|out| unsafe { sys::tw_plan_explain(plan, value.as_ptr(), axis.as_ptr(), out) })
    }

    /// The plan as text; [`crate::forms`] lists the forms.
    pub fn emit(&self, form: &str) -> Result<String> {
        let form = c_string(form)?;
        blob_text(|out| unsafe { sys::tw_plan_emit(self.raw.as_ptr(), form.as_ptr(), out) })
    }

    /// The same as bytes, which forms are that are no text: [`crate::Form::binary`].
    pub fn emit_bytes(&self, form: &str) -> Result<Vec<u8>> {
        let form = c_string(form)?;
        blob_bytes(|out| unsafe { sys::tw_plan_emit(self.raw.as_ptr(), form.as_ptr(), out) })
    }

    /// The steps from the loops to the device-local program, after one of the passes of the form; `None`: the
    /// last.
    pub fn emit_after(&self, form: &str, pass: Option<&str>) -> Result<String> {
        let (form, pass) = (c_string(form)?, Maybe::new(pass)?);
        let plan = self.raw.as_ptr();
        blob_text(|out| unsafe { sys::tw_debug_emit_after(plan, form.as_ptr(), pass.as_ptr(), out) })
    }

    /// The device-local program, with every collective.
    pub fn lower(&self) -> Result<Program> {
        Program::lower(self, &LowerOptions::default())
    }

    /// Finds actions behind those of this plan, with which a run takes the least time on a machine and fits its
    /// devices. The search has run. [`Search::new`] makes one that has not.
    pub fn search(&self, system: &System, options: &SearchOptions) -> Result<Search> {
        let search = Search::new(self, system, options)?;
        search.run()?;
        Ok(search)
    }

    /// Lowers, binds and runs, once. Keep `plan.lower()?.executable()?` to run many times.
    pub fn run<I: Borrow<Tensor>>(&self, inputs: &[I]) -> Result<Vec<Tensor>> {
        self.lower()?.executable()?.run(inputs)
    }
}

impl fmt::Debug for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Plan(of {:?}, {} conflicts)", self.graph.name(), self.num_conflicts())
    }
}
