// SPDX-License-Identifier: Apache-2.0
//! What this library is: its versions, its build, and the forms of text that it prints.
use crate::error::Result;
use crate::text::{blob_text, borrowed, c_string};
use tilewright_sys as sys;

/// The release of the library that is running, `"0.1.0"`.
pub fn version() -> &'static str {
    // SAFETY: static storage.
    unsafe { borrowed(sys::tw_version()) }
}

/// The API version that it implements: MAJOR * 10000 + MINOR * 100 + PATCH.
pub fn api_version() -> i32 {
    // SAFETY: no arguments.
    unsafe { sys::tw_api_version() }
}

/// What this build has and what it finds at run time, as JSON.
pub fn build_info() -> Result<String> {
    // SAFETY: no arguments.
    blob_text(|out| unsafe { sys::tw_build_info(out) })
}

/// A form that [`crate::Plan::emit`] or [`crate::Program::emit`] prints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Form {
    pub name: &'static str,
    /// Empty where the form before it tells of this one too.
    pub doc: &'static str,
    /// Whether plans print it; programs do otherwise.
    pub of_plan: bool,
    /// Whether it is no text, and [`crate::Plan::emit_bytes`] or [`crate::Program::emit_bytes`] gives it.
    pub binary: bool,
    /// After which [`crate::Plan::emit_after`] prints it.
    pub passes: Vec<&'static str>,
}

fn form(i: usize) -> Form {
    // SAFETY: static storage; any number is fine.
    unsafe {
        let pass =
            |k| Some(sys::tw_debug_pass(i, k)).filter(|pass| !pass.is_null()).map(|pass| borrowed(pass));
        Form {
            name: borrowed(sys::tw_form_name(i)),
            doc: borrowed(sys::tw_form_doc(i)),
            of_plan: sys::tw_form_is_of_plan(i) != 0,
            binary: sys::tw_form_is_binary(i) != 0,
            passes: (0..).map_while(pass).collect(),
        }
    }
}

/// All forms, in the order in which `tw emit` lists them.
pub fn forms() -> impl ExactSizeIterator<Item = Form> {
    // SAFETY: no arguments.
    (0..unsafe { sys::tw_form_count() }).map(form)
}

/// The form of a name, also of one that it had before.
pub fn find_form(name: &str) -> Option<Form> {
    let name = c_string(name).ok()?;
    // SAFETY: the name is read.
    let i = unsafe { sys::tw_form_find(name.as_ptr()) };
    (i < unsafe { sys::tw_form_count() }).then(|| form(i))
}
