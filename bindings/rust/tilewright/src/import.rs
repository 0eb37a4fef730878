// SPDX-License-Identifier: Apache-2.0
//! Options of reading programs.
use crate::custom::CustomCalls;
use crate::error::{Error, Result, Status};
use crate::graph::{imported, Graph};
use crate::text::Maybe;
use std::path::Path;
use std::{fs, io, ptr};
use tilewright_sys as sys;

/// How a program is read; [`Graph::import`] makes one.
#[derive(Clone, Default)]
pub struct Import<'a> {
    file: Option<String>,
    entry: Option<String>,
    names: Option<String>,
    names_file: Option<String>,
    custom_calls: Option<&'a CustomCalls>,
    allow_unknown: bool,
    mesh: Option<String>,
}

fn unreadable(path: &Path, error: &io::Error) -> Error {
    let status = if error.kind() == io::ErrorKind::NotFound { Status::NotFound } else { Status::Unavailable };
    Error::new(status, format!("cannot read {}: {error}", path.display()))
}

/// The bytes of a file.
pub(crate) fn file_bytes(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).map_err(|error| unreadable(path, &error))
}

impl<'a> Import<'a> {
    /// The name of the text in error positions.
    pub fn file(mut self, name: &str) -> Self {
        self.file = Some(name.to_owned());
        self
    }

    /// The function to read; else "main", or the only public one.
    pub fn entry(mut self, function: &str) -> Self {
        self.entry = Some(function.to_owned());
        self
    }

    /// Names for arguments 0, 1, 2, .., one a line. A blank line keeps the name that the module gives.
    pub fn names(mut self, text: &str) -> Self {
        self.names = Some(text.to_owned());
        self
    }

    /// The name of the text of names in error positions.
    pub fn names_file(mut self, name: &str) -> Self {
        self.names_file = Some(name.to_owned());
        self
    }

    /// What is known of custom_calls, as it is now.
    pub fn custom_calls(mut self, calls: &'a CustomCalls) -> Self {
        self.custom_calls = Some(calls);
        self
    }

    /// An unknown operation becomes a custom_call of that name, which can be planned, not run.
    pub fn allow_unknown(mut self) -> Self {
        self.allow_unknown = true;
        self
    }

    /// The mesh to plan on, for grids of the shard dialect: `rows=2,columns=4`.
    pub fn mesh(mut self, text: &str) -> Self {
        self.mesh = Some(text.to_owned());
        self
    }

    /// Reads a file.
    pub fn load(mut self, path: impl AsRef<Path>) -> Result<Graph> {
        let path = path.as_ref();
        let bytes = file_bytes(path)?;
        self.file.get_or_insert_with(|| path.display().to_string());
        self.parse_bytes(&bytes)
    }

    /// Reads a text.
    pub fn parse(self, text: &str) -> Result<Graph> {
        self.parse_bytes(text.as_bytes())
    }

    /// Reads bytes. What is no text is named for what it is.
    pub fn parse_bytes(self, bytes: &[u8]) -> Result<Graph> {
        let (file, entry) = (Maybe::new(self.file.as_deref())?, Maybe::new(self.entry.as_deref())?);
        let names = Maybe::new(self.names.as_deref())?;
        let names_file = Maybe::new(self.names_file.as_deref())?;
        let mesh = Maybe::new(self.mesh.as_deref())?;
        let options = sys::tw_import_options_t {
            file: file.as_ptr(),
            entry: entry.as_ptr(),
            names: names.as_ptr(),
            names_file: names_file.as_ptr(),
            custom_calls: self.custom_calls.map_or(ptr::null(), |calls| calls.as_ptr()),
            allow_unknown: self.allow_unknown.into(),
            mesh: mesh.as_ptr(),
            ..Default::default()
        };
        imported(bytes, &options)
    }
}
