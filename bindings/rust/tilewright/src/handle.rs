// SPDX-License-Identifier: Apache-2.0
//! What all objects of the library have in common: one reference, which ends with the value.
use crate::error::{check, Result};
use std::ptr;
use tilewright_sys as sys;

/// An object that a call hands out.
pub(crate) trait Handle {
    type Raw;

    /// # Safety
    /// `raw` is an object with a reference that is the caller's.
    unsafe fn own(raw: *mut Self::Raw) -> Self;
}

/// The object that a call makes.
pub(crate) fn made<T: Handle>(call: impl FnOnce(*mut *mut T::Raw) -> sys::tw_status_t) -> Result<T> {
    let mut raw = ptr::null_mut();
    check(call(&mut raw))?;
    // SAFETY: a call that succeeds writes an object with a reference for the caller.
    Ok(unsafe { T::own(raw) })
}

/// The struct that a call fills. `Default` sets its struct_size.
pub(crate) fn viewed<T: Default>(call: impl FnOnce(*mut T) -> sys::tw_status_t) -> Result<T> {
    let mut view = T::default();
    check(call(&mut view))?;
    Ok(view)
}

/// Two arrays that a call fills, such as offset and extent.
pub(crate) fn two_arrays<T: Default + Clone>(
    lengths: (usize, usize),
    call: impl FnOnce(*mut T, *mut T) -> sys::tw_status_t,
) -> Result<(Vec<T>, Vec<T>)> {
    let (mut first, mut second) = (vec![T::default(); lengths.0], vec![T::default(); lengths.1]);
    check(call(first.as_mut_ptr(), second.as_mut_ptr()))?;
    Ok((first, second))
}

/// Defines a type that holds one reference to an object. Calls on it that the headers declare const take
/// `&self`, others `&mut self`, which makes it `Send` and `Sync`.
macro_rules! handle {
    ($(#[$doc:meta])* $name:ident: $raw:ident, $release:ident) => {
        $(#[$doc])*
        pub struct $name {
            raw: std::ptr::NonNull<sys::$raw>,
        }

        #[allow(dead_code)] // not every type is given to calls in both ways
        impl $name {
            pub(crate) fn as_ptr(&self) -> *const sys::$raw {
                self.raw.as_ptr()
            }

            pub(crate) fn as_mut_ptr(&mut self) -> *mut sys::$raw {
                self.raw.as_ptr()
            }
        }

        impl $crate::handle::Handle for $name {
            type Raw = sys::$raw;

            unsafe fn own(raw: *mut sys::$raw) -> Self {
                $name { raw: std::ptr::NonNull::new(raw).expect("a call that succeeds makes an object") }
            }
        }

        impl Drop for $name {
            fn drop(&mut self) {
                // SAFETY: this gives up the one reference that the value has.
                unsafe { sys::$release(self.raw.as_ptr()) }
            }
        }

        // SAFETY: objects are bound to no thread, and are released by any.
        unsafe impl Send for $name {}
        // SAFETY: what a shared reference reaches is const in the headers, which such calls may share.
        unsafe impl Sync for $name {}
    };
}
pub(crate) use handle;

/// Besides, makes the type of an object that never changes `Clone`: both values are the same object.
macro_rules! shared_handle {
    ($(#[$doc:meta])* $name:ident: $raw:ident, $retain:ident, $release:ident) => {
        $crate::handle::handle!($(#[$doc])* $name: $raw, $release);

        impl Clone for $name {
            fn clone(&self) -> Self {
                // SAFETY: retaining is always safe, and gives a reference for the new value.
                unsafe { <$name as $crate::handle::Handle>::own(sys::$retain(self.raw.as_ptr())) }
            }
        }
    };
}
pub(crate) use shared_handle;
