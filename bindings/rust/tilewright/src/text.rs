// SPDX-License-Identifier: Apache-2.0
//! Strings, arrays and blobs that cross the C interface.
use crate::error::{check, Error, Result};
use std::ffi::{CStr, CString};
use std::os::raw::c_char;
use std::{ptr, slice, str};
use tilewright_sys as sys;

/// A string of the library; `""` for NULL.
///
/// # Safety
/// The string ends in NUL and is valid as long as 'a.
pub(crate) unsafe fn borrowed<'a>(text: *const c_char) -> &'a str {
    if text.is_null() {
        return "";
    }
    str::from_utf8(CStr::from_ptr(text).to_bytes()).unwrap_or("(not UTF-8)")
}

/// An array of the library; empty for NULL.
///
/// # Safety
/// The array has that many elements and is valid as long as 'a.
pub(crate) unsafe fn array<'a, T>(data: *const T, count: usize) -> &'a [T] {
    if data.is_null() || count == 0 {
        return &[];
    }
    slice::from_raw_parts(data, count)
}

/// A string for the library, which cannot hold NUL.
pub(crate) fn c_string(text: &str) -> Result<CString> {
    CString::new(text)
        .map_err(|e| Error::invalid(format!("the text {text:?} has a NUL, at byte {}", e.nul_position())))
}

pub(crate) fn c_strings<S: AsRef<str>>(texts: &[S]) -> Result<Vec<CString>> {
    texts.iter().map(|text| c_string(text.as_ref())).collect()
}

/// The addresses of strings. They live as long as the strings.
pub(crate) fn addresses(texts: &[CString]) -> Vec<*const c_char> {
    texts.iter().map(|text| text.as_ptr()).collect()
}

/// An optional string; its address is NULL where there is none.
pub(crate) struct Maybe(Option<CString>);

impl Maybe {
    pub(crate) fn new(text: Option<&str>) -> Result<Maybe> {
        Ok(Maybe(text.map(c_string).transpose()?))
    }

    pub(crate) fn as_ptr(&self) -> *const c_char {
        self.0.as_ref().map_or(ptr::null(), |text| text.as_ptr())
    }
}

/// A string for the library in which a NUL becomes a mark, for texts that may not fail.
pub(crate) fn lossy(text: &str) -> CString {
    CString::new(text.replace('\0', "\u{fffd}")).unwrap_or_default()
}

/// The bytes of the blob that a call makes.
pub(crate) fn blob_bytes(call: impl FnOnce(*mut *mut sys::tw_blob_t) -> sys::tw_status_t) -> Result<Vec<u8>> {
    let mut blob = ptr::null_mut();
    check(call(&mut blob))?;
    // SAFETY: the blob is ours until it is released; its bytes are copied before.
    unsafe {
        let bytes = array(sys::tw_blob_data(blob).cast::<u8>(), sys::tw_blob_size(blob)).to_vec();
        sys::tw_blob_release(blob);
        Ok(bytes)
    }
}

/// The text of the blob that a call makes.
pub(crate) fn blob_text(call: impl FnOnce(*mut *mut sys::tw_blob_t) -> sys::tw_status_t) -> Result<String> {
    let bytes = blob_bytes(call)?;
    Ok(String::from_utf8(bytes).unwrap_or_else(|e| String::from_utf8_lossy(e.as_bytes()).into_owned()))
}
