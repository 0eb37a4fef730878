// SPDX-License-Identifier: Apache-2.0
//! Custom calls: closures for calls that a program names but does not hold.
use crate::attribute::Attribute;
use crate::dtype::{Dtype, Element};
use crate::error::{check, Error, Result, Status};
use crate::handle::{handle, made};
use crate::text::{array, borrowed, c_string, Maybe};
use std::os::raw::c_void;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::{mem, slice};
use tilewright_sys as sys;

handle! {
    /// What the host knows of custom_calls, by target. Graphs keep what was there when they were made.
    ///
    /// ```
    /// use tilewright::{CustomCall, CustomCalls, Graph};
    /// # fn main() -> tilewright::Result<()> {
    /// let mut calls = CustomCalls::new()?;
    /// calls.add(CustomCall::new("my.double").rule("i -> i").kernel(|call| {
    ///     let x = call.operands[0].as_slice::<f32>()?;
    ///     for (y, x) in call.results[0].as_mut_slice::<f32>()?.iter_mut().zip(x) {
    ///         *y = 2.0 * x;
    ///     }
    ///     Ok(())
    /// }))?;
    /// let text = "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n\
    ///   %y = stablehlo.custom_call @my.double(%x) : (tensor<4xf32>) -> tensor<4xf32>\n\
    ///   return %y : tensor<4xf32>\n}";
    /// let graph = Graph::import().custom_calls(&calls).parse(text)?;
    /// # assert_eq!(graph.num_ops(), 1);
    /// # Ok(()) }
    /// ```
    CustomCalls: tw_custom_calls_t, tw_custom_calls_release
}

/// The part of an operand that a device holds.
#[derive(Clone, Copy, Debug)]
pub struct CallTile<'a> {
    pub dtype: Dtype,
    /// Sizes of the whole array.
    pub whole: &'a [i64],
    /// Where the part begins in it.
    pub offset: &'a [i64],
    /// Sizes of the part: uneven, and 0 where a device has nothing.
    pub extent: &'a [i64],
    strides: &'a [i64],
    data: *mut c_void,
}

/// The part of a result that a device makes.
#[derive(Debug)]
pub struct CallTileMut<'a> {
    pub dtype: Dtype,
    pub whole: &'a [i64],
    pub offset: &'a [i64],
    pub extent: &'a [i64],
    tile: CallTile<'a>,
}

impl<'a> CallTile<'a> {
    /// # Safety
    /// The tile is valid as long as 'a.
    unsafe fn from_raw(raw: *const sys::tw_tile_t) -> CallTile<'a> {
        let raw = &*raw;
        let dims = |data| array(data, raw.ndims);
        CallTile {
            dtype: Dtype::of(raw.dtype),
            whole: dims(raw.whole),
            offset: dims(raw.offset),
            extent: dims(raw.extent),
            strides: dims(raw.strides),
            data: raw.data,
        }
    }

    /// How many elements of this type lie one behind the other.
    fn count<T: Element>(&self) -> Result<usize> {
        if self.dtype != T::DTYPE {
            return Err(Error::invalid(format!("the elements are {}, not {}", self.dtype, T::DTYPE)));
        }
        let mut count = 1;
        let mut dense = true;
        for (&extent, &stride) in self.extent.iter().zip(self.strides).rev() {
            dense &= extent <= 1 || stride == count;
            count *= extent;
        }
        if count > 0 && !dense {
            return Err(Error::new(Status::Unimplemented, "the elements of this tile are not dense"));
        }
        if count > 0 && self.data.is_null() {
            return Err(Error::new(Status::FailedPrecondition, "rules and checks see no elements"));
        }
        Ok(count as usize)
    }

    /// The elements, dense and row-major.
    pub fn as_slice<T: Element>(&self) -> Result<&'a [T]> {
        let count = self.count::<T>()?;
        // SAFETY: so many elements of this type, which nobody writes during the call.
        Ok(unsafe { array(self.data.cast(), count) })
    }
}

impl<'a> CallTileMut<'a> {
    /// # Safety
    /// As of `CallTile::from_raw`, and no other value is of this tile.
    unsafe fn from_raw(raw: *const sys::tw_tile_t) -> CallTileMut<'a> {
        let tile = CallTile::from_raw(raw);
        CallTileMut { dtype: tile.dtype, whole: tile.whole, offset: tile.offset, extent: tile.extent, tile }
    }

    /// The elements, dense and row-major. They hold anything before they are written.
    pub fn as_mut_slice<T: Element>(&mut self) -> Result<&mut [T]> {
        let count = self.tile.count::<T>()?;
        if count == 0 {
            return Ok(&mut []);
        }
        // SAFETY: so many elements of this type, which nobody else sees during the call.
        Ok(unsafe { slice::from_raw_parts_mut(self.tile.data.cast(), count) })
    }
}

/// One call, for the time of the callback.
#[derive(Debug)]
pub struct Call<'a> {
    pub target: &'a str,
    pub operands: Vec<CallTile<'a>>,
    pub results: Vec<CallTileMut<'a>>,
    raw: *const sys::tw_call_t,
}

impl<'a> Call<'a> {
    /// # Safety
    /// The call is valid as long as 'a.
    unsafe fn from_raw(raw: *const sys::tw_call_t) -> Call<'a> {
        let call = &*raw;
        let (operands, results) =
            (array(call.operands, call.num_operands), array(call.results, call.num_results));
        Call {
            target: borrowed(call.target),
            operands: operands.iter().map(|&tile| CallTile::from_raw(tile)).collect(),
            results: results.iter().map(|&tile| CallTileMut::from_raw(tile)).collect(),
            raw,
        }
    }

    /// What the program says besides: `{epsilon = 1.0e-05 : f64}` is the real "epsilon".
    pub fn attribute(&self, name: &str) -> Option<Attribute> {
        let name = c_string(name).ok()?;
        // SAFETY: the call is valid; the attribute is copied from.
        unsafe { sys::tw_call_attr(self.raw, name.as_ptr()).as_ref().map(|raw| Attribute::from_raw(raw)) }
    }

    /// Names and values of all of them.
    pub fn attributes(&self) -> Vec<(&'a str, Attribute)> {
        // SAFETY: the call is valid.
        unsafe {
            let attributes = array((*self.raw).attrs, (*self.raw).num_attrs);
            attributes.iter().map(|raw| (borrowed(raw.name), Attribute::from_raw(raw))).collect()
        }
    }
}

type RuleFn = Box<dyn Fn(&Call<'_>) -> Result<String> + Send + Sync>;
type CheckFn = Box<dyn Fn(&Call<'_>) -> Result<()> + Send + Sync>;
type KernelFn = Box<dyn Fn(&mut Call<'_>) -> Result<()> + Send + Sync>;

#[derive(Default)]
struct Callbacks {
    rule: Option<RuleFn>,
    check: Option<CheckFn>,
    kernel: Option<KernelFn>,
}

/// What the host says of calls of one target. A closure that panics fails as one that answers an error.
pub struct CustomCall {
    target: String,
    rule: Option<String>,
    callbacks: Callbacks,
}

impl CustomCall {
    pub fn new(target: &str) -> CustomCall {
        CustomCall { target: target.to_owned(), rule: None, callbacks: Callbacks::default() }
    }

    /// Which dimensions go together, `b s h, h -> b s h`: a word for each dimension, operands and results by
    /// commas. Dimensions of one word have one size and are split together; those written `*` stay whole.
    /// `...` stands for the leading dimensions. Without a rule all stays whole.
    pub fn rule(mut self, rule: &str) -> CustomCall {
        self.rule = Some(rule.to_owned());
        self
    }

    /// Asked for the rule of each call, where [`CustomCall::rule`] gives none.
    pub fn rule_for(
        mut self,
        rule: impl Fn(&Call<'_>) -> Result<String> + Send + Sync + 'static,
    ) -> CustomCall {
        self.callbacks.rule = Some(Box::new(rule));
        self
    }

    /// Asked once for each call while a graph is made: whether operands, results and attributes fit together.
    /// The error gets the call's position.
    pub fn check(mut self, check: impl Fn(&Call<'_>) -> Result<()> + Send + Sync + 'static) -> CustomCall {
        self.callbacks.check = Some(Box::new(check));
        self
    }

    /// Computes the results of one device from its operands, in any thread, for several devices at once. An
    /// error ends the run on all devices. Calls without a kernel may be planned, not run.
    pub fn kernel(
        mut self,
        kernel: impl Fn(&mut Call<'_>) -> Result<()> + Send + Sync + 'static,
    ) -> CustomCall {
        self.callbacks.kernel = Some(Box::new(kernel));
        self
    }
}

/// Calls host code for the library: its error, or panic, becomes this thread's last failure.
pub(crate) fn guarded(who: &str, body: impl FnOnce() -> Result<()>) -> sys::tw_status_t {
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(())) => sys::TW_OK,
        Ok(Err(error)) => error.set(),
        Err(payload) => Error::panicked(who, &*payload).set(),
    }
}

unsafe extern "C" fn call_rule(
    call: *const sys::tw_call_t,
    user: *mut c_void,
    out_rule: *mut *mut sys::tw_blob_t,
) -> sys::tw_status_t {
    guarded("the rule", || {
        let callbacks = &*user.cast::<Callbacks>();
        let rule = callbacks.rule.as_ref().expect("registered with a rule")(&Call::from_raw(call))?;
        check(sys::tw_blob_create(rule.as_ptr().cast(), rule.len(), out_rule))
    })
}

unsafe extern "C" fn call_check(call: *const sys::tw_call_t, user: *mut c_void) -> sys::tw_status_t {
    guarded("the check", || {
        let callbacks = &*user.cast::<Callbacks>();
        callbacks.check.as_ref().expect("registered with a check")(&Call::from_raw(call))
    })
}

unsafe extern "C" fn call_kernel(call: *const sys::tw_call_t, user: *mut c_void) -> sys::tw_status_t {
    guarded("the kernel", || {
        let callbacks = &*user.cast::<Callbacks>();
        callbacks.kernel.as_ref().expect("registered with a kernel")(&mut Call::from_raw(call))
    })
}

unsafe extern "C" fn drop_callbacks(user: *mut c_void) {
    mem::drop(Box::from_raw(user.cast::<Callbacks>()));
}

impl CustomCalls {
    pub fn new() -> Result<CustomCalls> {
        // SAFETY: no arguments.
        made(|out| unsafe { sys::tw_custom_calls_create(out) })
    }

    /// Adds a target. What is added afterwards is for graphs that are made later.
    pub fn add(&mut self, call: CustomCall) -> Result<()> {
        let (target, rule) = (c_string(&call.target)?, Maybe::new(call.rule.as_deref())?);
        let has = &call.callbacks;
        let mut raw = sys::tw_custom_call_t {
            target: target.as_ptr(),
            rule: rule.as_ptr(),
            rule_fn: has.rule.as_ref().map(|_| call_rule as _),
            check: has.check.as_ref().map(|_| call_check as _),
            kernel: has.kernel.as_ref().map(|_| call_kernel as _),
            destroy: Some(drop_callbacks),
            ..Default::default()
        };
        let user = Box::into_raw(Box::new(call.callbacks));
        raw.user = user.cast();
        // SAFETY: texts are copied; the callbacks live until `destroy`.
        let added = check(unsafe { sys::tw_custom_calls_add(self.as_mut_ptr(), &raw) });
        if added.is_err() {
            // SAFETY: where adding fails nobody else frees them.
            unsafe { drop_callbacks(user.cast()) };
        }
        added
    }
}
