// SPDX-License-Identifier: Apache-2.0
//! Several processes that run programs together, over MPI.
use crate::error::{check, Result, Status};
use crate::handle::{handle, made};
use crate::plan::Plan;
use crate::text::{addresses, blob_text, c_strings, lossy, Maybe};
use std::os::raw::c_void;
use std::{fmt, ptr};
use tilewright_sys as sys;

handle! {
    /// Processes that run programs together. Executables and runs on it are made by all of them in the same
    /// order. The first failure on any is an error on all, and the end of the communicator.
    Comm: tw_comm_t, tw_comm_release
}

/// How processes find each other.
#[derive(Clone, Debug, Default)]
pub struct MpiOptions {
    /// "openmpi" or "mpich"; `None`: the one that is loaded, else the one whose launcher started this
    /// process.
    pub library: Option<String>,
    /// How long a process waits for another, in seconds; 0: 30.
    pub deadline: f64,
}

/// MPI_Init_thread, for programs that use MPI only through this library.
pub fn mpi_start(library: Option<&str>) -> Result<()> {
    let library = Maybe::new(library)?;
    // SAFETY: the text is read.
    check(unsafe { sys::tw_mpi_start(library.as_ptr()) })
}

/// MPI_Finalize, for those.
pub fn mpi_finish(library: Option<&str>) -> Result<()> {
    let library = Maybe::new(library)?;
    // SAFETY: the text is read.
    check(unsafe { sys::tw_mpi_finish(library.as_ptr()) })
}

impl Comm {
    /// All processes. MPI was initialised, by [`mpi_start`] or by the program.
    pub fn world(options: &MpiOptions) -> Result<Comm> {
        // SAFETY: NULL is MPI_COMM_WORLD.
        unsafe { Comm::from_mpi(ptr::null(), options) }
    }

    /// The processes of an `MPI_Comm`, all of which call; a duplicate is made.
    ///
    /// # Safety
    /// `mpi_comm` points at an `MPI_Comm` of the MPI library that is loaded, or is null.
    pub unsafe fn from_mpi(mpi_comm: *const c_void, options: &MpiOptions) -> Result<Comm> {
        let library = Maybe::new(options.library.as_deref())?;
        let (library, deadline) = (library.as_ptr(), options.deadline);
        let raw_options = sys::tw_mpi_options_t { library, deadline, ..Default::default() };
        made(|out| sys::tw_comm_create_mpi(mpi_comm, &raw_options, out))
    }

    pub fn rank(&self) -> i32 {
        // SAFETY: a communicator. So it is below.
        unsafe { sys::tw_comm_rank(self.as_ptr()) }
    }

    pub fn size(&self) -> i32 {
        unsafe { sys::tw_comm_size(self.as_ptr()) }
    }

    /// Checks that values, given with their names, are equal on all processes.
    pub fn agree(&mut self, facts: &[(&str, &str)]) -> Result<()> {
        let names = c_strings(&facts.iter().map(|(name, _)| *name).collect::<Vec<_>>())?;
        let values = c_strings(&facts.iter().map(|(_, value)| *value).collect::<Vec<_>>())?;
        let (names, values) = (addresses(&names), addresses(&values));
        check(unsafe { sys::tw_comm_agree(self.as_mut_ptr(), names.as_ptr(), values.as_ptr(), facts.len()) })
    }

    /// The value that process `root` has.
    pub fn share(&mut self, root: i32, mut value: i64) -> Result<i64> {
        check(unsafe { sys::tw_comm_share(self.as_mut_ptr(), root, &mut value) })?;
        Ok(value)
    }

    /// On which hosts the devices of a plan's mesh will run, for [`crate::LowerOptions::levels`].
    pub fn levels(&mut self, plan: &Plan) -> Result<String> {
        blob_text(|out| unsafe { sys::tw_comm_levels(self.as_mut_ptr(), plan.raw.as_ptr(), out) })
    }

    /// Tells all others that this process gives up, and why.
    pub fn fail(&mut self, status: Status, message: &str) -> Result<()> {
        let message = lossy(message);
        check(unsafe { sys::tw_comm_fail(self.as_mut_ptr(), status.code(), message.as_ptr()) })
    }
}

impl fmt::Debug for Comm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Comm(process {} of {})", self.rank(), self.size())
    }
}
