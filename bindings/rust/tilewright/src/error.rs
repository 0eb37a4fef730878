// SPDX-License-Identifier: Apache-2.0
//! Failures of the library as values.
use crate::text::borrowed;
use std::any::Any;
use std::fmt;
use std::ptr;
use tilewright_sys as sys;

/// What every call that can fail returns.
pub type Result<T> = std::result::Result<T, Error>;

/// What the caller can do about a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Status {
    /// The input is wrong: fix it.
    InvalidArgument,
    /// A name that does not exist: the message lists the nearest.
    NotFound,
    /// An index or size outside its limits.
    OutOfRange,
    /// A call in the wrong order or state.
    FailedPrecondition,
    /// Right input, but this build or version cannot do it.
    Unimplemented,
    /// Out of memory, or over a stated limit.
    ResourceExhausted,
    /// Somebody asked for it.
    Cancelled,
    /// A wait ended by its time limit.
    DeadlineExceeded,
    /// A library, device or peer that is not there.
    Unavailable,
    /// Another device or process failed first.
    Remote,
    /// A mistake of the library: please report it.
    Internal,
    /// A device that failed for good: what runs elsewhere goes on.
    DeviceLost,
}

const STATUSES: [(Status, sys::tw_status_t); 12] = [
    (Status::InvalidArgument, sys::TW_INVALID_ARGUMENT),
    (Status::NotFound, sys::TW_NOT_FOUND),
    (Status::OutOfRange, sys::TW_OUT_OF_RANGE),
    (Status::FailedPrecondition, sys::TW_FAILED_PRECONDITION),
    (Status::Unimplemented, sys::TW_UNIMPLEMENTED),
    (Status::ResourceExhausted, sys::TW_RESOURCE_EXHAUSTED),
    (Status::Cancelled, sys::TW_CANCELLED),
    (Status::DeadlineExceeded, sys::TW_DEADLINE_EXCEEDED),
    (Status::Unavailable, sys::TW_UNAVAILABLE),
    (Status::Remote, sys::TW_REMOTE),
    (Status::Internal, sys::TW_INTERNAL),
    (Status::DeviceLost, sys::TW_DEVICE_LOST),
];

impl Status {
    fn of(code: sys::tw_status_t) -> Status {
        STATUSES.iter().find(|(_, c)| *c == code).map_or(Status::Internal, |(status, _)| *status)
    }

    pub(crate) fn code(self) -> sys::tw_status_t {
        STATUSES.iter().find(|(s, _)| *s == self).map_or(sys::TW_INTERNAL, |(_, code)| *code)
    }

    /// `"invalid_argument"`.
    pub fn name(self) -> &'static str {
        // SAFETY: static storage.
        unsafe { borrowed(sys::tw_status_name(self.code())) }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A failure. It displays as position, text and id, then the notes, one a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    status: Status,
    id: String,
    text: String,
    file: String,
    line: u32,
    column: u32,
    notes: Vec<String>,
}

impl Error {
    /// For callbacks: what they answer ends what the library was doing.
    pub fn new(status: Status, text: impl Into<String>) -> Error {
        let (id, file) = (String::new(), String::new());
        Error { status, id, text: text.into(), file, line: 0, column: 0, notes: Vec::new() }
    }

    pub(crate) fn invalid(text: impl Into<String>) -> Error {
        Error::new(Status::InvalidArgument, text)
    }

    /// What a callback of the host did that the library must not see.
    pub(crate) fn panicked(who: &str, payload: &(dyn Any + Send)) -> Error {
        let text = payload.downcast_ref::<&str>().copied();
        let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
        Error::invalid(format!("{who} panicked: {}", text.unwrap_or("without a message")))
    }

    /// This thread's last failure.
    fn last(code: sys::tw_status_t) -> Error {
        let mut raw = ptr::null_mut();
        // SAFETY: the error is ours until it is released; its strings are copied before.
        unsafe {
            sys::tw_error_take(&mut raw);
            if raw.is_null() {
                return Error::new(Status::of(code), Status::of(code).name());
            }
            let note = |i| borrowed(sys::tw_error_note(raw, i)).to_owned();
            let error = Error {
                status: Status::of(sys::tw_error_status(raw)),
                id: borrowed(sys::tw_error_id(raw)).to_owned(),
                text: borrowed(sys::tw_error_text(raw)).to_owned(),
                file: borrowed(sys::tw_error_file(raw)).to_owned(),
                line: sys::tw_error_line(raw),
                column: sys::tw_error_column(raw),
                notes: (0..sys::tw_error_num_notes(raw)).map(note).collect(),
            };
            sys::tw_error_release(raw);
            error
        }
    }

    /// Makes this the thread's last failure, for a callback to answer.
    pub(crate) fn set(&self) -> sys::tw_status_t {
        let text = crate::text::lossy(&self.text);
        // SAFETY: the text is copied.
        unsafe { sys::tw_error_set(self.status.code(), text.as_ptr()) }
    }

    pub fn status(&self) -> Status {
        self.status
    }

    /// A stable id, `"TW-104"`, which [`diagnostics`] explains; `""` where there is none.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// What is wrong, in one line.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The name of the caller's text; `""` where it is about no text.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// Line and column in that text, from 1; `None` where it is about no text.
    pub fn position(&self) -> Option<(u32, u32)> {
        (self.line > 0).then_some((self.line, self.column))
    }

    /// The source line with a caret, nearest names, causes from the outermost to the innermost.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((line, column)) = self.position() {
            write!(f, "{}:{}:{}: ", self.file, line, column)?;
        } else if !self.file.is_empty() {
            write!(f, "{}: ", self.file)?;
        }
        f.write_str(&self.text)?;
        if !self.id.is_empty() {
            write!(f, " [{}]", self.id)?;
        }
        self.notes.iter().try_for_each(|note| write!(f, "\n{note}"))
    }
}

impl std::error::Error for Error {}

/// For callbacks, which then end with [`Status::InvalidArgument`].
impl From<&str> for Error {
    fn from(text: &str) -> Error {
        Error::invalid(text)
    }
}

impl From<String> for Error {
    fn from(text: String) -> Error {
        Error::invalid(text)
    }
}

/// The status of a call as a result.
pub(crate) fn check(code: sys::tw_status_t) -> Result<()> {
    if code == sys::TW_OK {
        return Ok(());
    }
    Err(Error::last(code))
}

/// An error id: what it means, and what to do about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    pub id: &'static str,
    pub meaning: &'static str,
    pub advice: &'static str,
}

/// Every error id, sorted.
pub fn diagnostics() -> impl ExactSizeIterator<Item = Diagnostic> {
    // SAFETY: static storage, and the numbers are below the count.
    (0..unsafe { sys::tw_diagnostic_count() }).map(|i| unsafe {
        Diagnostic {
            id: borrowed(sys::tw_diagnostic_id(i)),
            meaning: borrowed(sys::tw_diagnostic_meaning(i)),
            advice: borrowed(sys::tw_diagnostic_advice(i)),
        }
    })
}
