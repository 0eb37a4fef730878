// SPDX-License-Identifier: Apache-2.0
//! Tensors to and from DLPack, without copying. The structs are DLPack's and known here by name only.
use crate::error::{check, Result};
use crate::handle::made;
use crate::tensor::Tensor;
use std::ptr;
pub use sys::{DLManagedTensor, DLManagedTensorVersioned};
use tilewright_sys as sys;

impl Tensor {
    /// Wraps the memory that `managed` describes. On success the tensor owns it and calls its deleter; on an
    /// error it stays the caller's.
    ///
    /// # Safety `managed` is a valid struct, and nobody else writes to its memory while the tensor lives, or
    /// reads it while a `&mut` of the tensor does. The deleter may be called in any thread.
    pub unsafe fn from_dlpack(managed: *mut DLManagedTensor) -> Result<Tensor> {
        made(|out| sys::tw_tensor_from_dlpack(managed, out))
    }

    /// The same for the versioned struct.
    ///
    /// # Safety
    /// As of [`Tensor::from_dlpack`].
    pub unsafe fn from_dlpack_versioned(managed: *mut DLManagedTensorVersioned) -> Result<Tensor> {
        made(|out| sys::tw_tensor_from_dlpack_versioned(managed, out))
    }

    /// Gives the memory to somebody else, who calls the deleter of what comes out.
    pub fn into_dlpack(mut self) -> Result<*mut DLManagedTensor> {
        let mut managed = ptr::null_mut();
        // SAFETY: what comes out keeps the tensor alive.
        check(unsafe { sys::tw_tensor_to_dlpack(self.as_mut_ptr(), &mut managed) })?;
        Ok(managed)
    }

    /// The same as the versioned struct, version 1.1.
    pub fn into_dlpack_versioned(mut self) -> Result<*mut DLManagedTensorVersioned> {
        let mut managed = ptr::null_mut();
        // SAFETY: what comes out keeps the tensor alive.
        check(unsafe { sys::tw_tensor_to_dlpack_versioned(self.as_mut_ptr(), &mut managed) })?;
        Ok(managed)
    }
}
