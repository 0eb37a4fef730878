// SPDX-License-Identifier: Apache-2.0
//! Tensors: dense row-major arrays in host memory, shared with Rust without a copy.
use crate::context::Context;
use crate::dtype::{count_elements, Dtype, Element};
use crate::error::{check, Error, Result};
use crate::handle::{handle, made};
use crate::text::{array, c_string};
use crate::view::{View, ViewMut};
use std::borrow::Borrow;
use std::fmt;
use std::marker::PhantomData;
use std::os::raw::c_void;
use std::sync::Arc;
use std::{mem, ptr, slice};
use tilewright_sys as sys;

handle! {
    /// An array. Its elements are seen as slices and views of the Rust type that its element type has;
    /// another type, or another shape, is an error.
    ///
    /// ```
    /// use tilewright::Tensor;
    /// # fn main() -> tilewright::Result<()> {
    /// let mut tensor = Tensor::from_vec(vec![1.0f32, 2.0, 3.0, 4.0], &[2, 2])?;
    /// tensor.view_mut()?[[1, 0]] = 7.0f32;
    /// assert_eq!(tensor.as_slice::<f32>()?, [1.0, 2.0, 7.0, 4.0]);
    /// assert!(tensor.as_slice::<f64>().is_err());
    /// # Ok(()) }
    /// ```
    Tensor: tw_tensor_t, tw_tensor_release
}

unsafe extern "C" fn drop_owner<O>(user: *mut c_void) {
    drop(Box::from_raw(user.cast::<O>()));
}

/// The address of elements, and whether the library may write to them.
enum Memory {
    Written(*mut c_void),
    Read(*const c_void),
}

/// Wraps memory that stays valid until `destroy`, or as long as the tensor lives.
fn wrapped(
    dtype: Dtype,
    dims: &[i64],
    memory: Memory,
    destroy: sys::tw_destroy_fn,
    user: *mut c_void,
) -> Result<Tensor> {
    let (code, sizes, rank) = (dtype.code(), dims.as_ptr(), dims.len());
    // SAFETY: the callers say that the memory has the elements.
    made(|out| unsafe {
        match memory {
            Memory::Written(data) => sys::tw_tensor_wrap(code, sizes, rank, data, destroy, user, out),
            Memory::Read(data) => sys::tw_tensor_wrap_const(code, sizes, rank, data, destroy, user, out),
        }
    })
}

/// Wraps memory that is valid as long as its owner, who ends with the tensor.
fn owned<O: Send>(dtype: Dtype, dims: &[i64], memory: Memory, owner: O) -> Result<Tensor> {
    let user = Box::into_raw(Box::new(owner));
    let tensor = wrapped(dtype, dims, memory, Some(drop_owner::<O>), user.cast());
    if tensor.is_err() {
        // SAFETY: where wrapping fails nobody else ends it.
        unsafe { drop(Box::from_raw(user)) };
    }
    tensor
}

fn check_count<T: Element>(count: usize, dims: &[i64]) -> Result<()> {
    let wanted = count_elements(dims)?;
    if count != wanted {
        return Err(Error::invalid(format!(
            "{count} elements for an array {}{dims:?} of {wanted}",
            T::DTYPE
        )));
    }
    Ok(())
}

impl Tensor {
    /// A tensor of zeros.
    pub fn zeros(dtype: Dtype, dims: &[i64]) -> Result<Tensor> {
        Tensor::create(ptr::null(), dtype, dims)
    }

    /// A tensor of zeros whose memory the allocator of a context gives.
    pub fn zeros_in(context: &Context, dtype: Dtype, dims: &[i64]) -> Result<Tensor> {
        Tensor::create(context.as_ptr(), dtype, dims)
    }

    fn create(context: *const sys::tw_context_t, dtype: Dtype, dims: &[i64]) -> Result<Tensor> {
        let (sizes, rank) = (dims.as_ptr(), dims.len());
        // SAFETY: `rank` sizes.
        made(|out| unsafe { sys::tw_tensor_create(context, dtype.code(), sizes, rank, out) })
    }

    /// A new tensor filled with a pattern; see [`Tensor::fill`].
    pub fn filled(dtype: Dtype, dims: &[i64], pattern: &str, seed: u64, stream: u64) -> Result<Tensor> {
        let mut tensor = Tensor::zeros(dtype, dims)?;
        tensor.fill(pattern, seed, stream)?;
        Ok(tensor)
    }

    /// Takes the memory of a vector, without a copy; it is freed with the tensor.
    pub fn from_vec<T: Element>(mut elements: Vec<T>, dims: &[i64]) -> Result<Tensor> {
        check_count::<T>(elements.len(), dims)?;
        let memory = Memory::Written(elements.as_mut_ptr().cast());
        owned(T::DTYPE, dims, memory, elements)
    }

    /// Shares memory that others read too, without a copy. The tensor is an input like any other; filling it,
    /// writing a result to it and donating it are [`crate::Status::FailedPrecondition`].
    pub fn from_shared<T: Element>(elements: Arc<[T]>, dims: &[i64]) -> Result<Tensor> {
        check_count::<T>(elements.len(), dims)?;
        let memory = Memory::Read(elements.as_ptr().cast());
        owned(T::DTYPE, dims, memory, elements)
    }

    /// A copy of a slice.
    pub fn from_slice<T: Element>(elements: &[T], dims: &[i64]) -> Result<Tensor> {
        Tensor::from_vec(elements.to_vec(), dims)
    }

    pub fn dtype(&self) -> Dtype {
        // SAFETY: a tensor.
        Dtype::of(unsafe { sys::tw_tensor_dtype(self.as_ptr()) })
    }

    pub fn dims(&self) -> &[i64] {
        let mut rank = 0;
        // SAFETY: the sizes are the tensor's.
        unsafe {
            let dims = sys::tw_tensor_dims(self.as_ptr(), &mut rank);
            array(dims, rank)
        }
    }

    /// The elements as bytes.
    pub fn bytes(&self) -> &[u8] {
        // SAFETY: the memory has so many bytes and nobody writes to it while it is shared.
        unsafe { array(sys::tw_tensor_const_data(self.as_ptr()).cast(), sys::tw_tensor_bytes(self.as_ptr())) }
    }

    fn checked<T: Element>(&self) -> Result<usize> {
        let dtype = self.dtype();
        if dtype != T::DTYPE {
            let wanted = format!("the elements are {dtype}, not {}", T::DTYPE);
            return Err(Error::invalid(wanted));
        }
        // SAFETY: a tensor.
        if self.bytes().is_empty() && unsafe { sys::tw_tensor_bytes(self.as_ptr()) } != 0 {
            let (kind, number) = self.device();
            let text = format!("the elements lie on {kind}:{number}: copy them to a tensor of the host");
            return Err(Error::new(crate::Status::FailedPrecondition, text));
        }
        Ok(self.bytes().len() / mem::size_of::<T>())
    }

    /// The elements, row-major.
    pub fn as_slice<T: Element>(&self) -> Result<&[T]> {
        let count = self.checked::<T>()?;
        // SAFETY: memory of so many elements of this type, aligned to it.
        Ok(unsafe { array(self.bytes().as_ptr().cast(), count) })
    }

    /// The elements, row-major. [`crate::Status::FailedPrecondition`]: nobody may write to them, as
    /// [`Tensor::from_shared`] or DLPack said.
    pub fn as_mut_slice<T: Element>(&mut self) -> Result<&mut [T]> {
        let count = self.checked::<T>()?;
        // SAFETY: memory of so many elements of this type, aligned to it, that is ours alone.
        unsafe {
            let data = sys::tw_tensor_data(self.as_mut_ptr()).cast::<T>();
            if count == 0 {
                return Ok(&mut []);
            }
            if data.is_null() {
                let text = "the memory of this tensor is read-only";
                return Err(Error::new(crate::Status::FailedPrecondition, text));
            }
            Ok(slice::from_raw_parts_mut(data, count))
        }
    }

    /// The elements, indexed by one number a dimension.
    pub fn view<T: Element>(&self) -> Result<View<'_, T>> {
        Ok(View::new(self.as_slice()?, self.dims()))
    }

    pub fn view_mut<T: Element>(&mut self) -> Result<ViewMut<'_, T>> {
        let dims = self.dims().to_vec();
        Ok(ViewMut::new(self.as_mut_slice()?, dims))
    }

    /// Fills with "zeros", "ones", "iota", "uniform(lo,hi)", "normal(mean,std)", "randint(lo,hi)" or
    /// "default".
    pub fn fill(&mut self, pattern: &str, seed: u64, stream: u64) -> Result<()> {
        let pattern = c_string(pattern)?;
        // SAFETY: the pattern is read.
        check(unsafe { sys::tw_tensor_fill(self.as_mut_ptr(), pattern.as_ptr(), seed, stream) })
    }

    /// Fills with the part that begins at `offset` of an array of sizes `whole` that is filled so.
    pub fn fill_part(
        &mut self,
        whole: &[i64],
        offset: &[i64],
        pattern: &str,
        seed: u64,
        stream: u64,
    ) -> Result<()> {
        let rank = self.dims().len();
        if whole.len() != rank || offset.len() != rank {
            let given = format!("`whole` has {} and `offset` {}", whole.len(), offset.len());
            return Err(Error::invalid(format!("the tensor has {rank} dimensions, {given}")));
        }
        let pattern = c_string(pattern)?;
        let (whole, offset) = (whole.as_ptr(), offset.as_ptr());
        // SAFETY: both have a number for each dimension.
        check(unsafe {
            sys::tw_tensor_fill_part(self.as_mut_ptr(), whole, offset, pattern.as_ptr(), seed, stream)
        })
    }
}

impl fmt::Debug for Tensor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tensor({}{:?})", self.dtype(), self.dims())
    }
}

/// A tensor over a slice that somebody else has. It goes wherever a `&Tensor` does.
///
/// ```compile_fail,E0505
/// use tilewright::Borrowed;
/// let data = vec![1.0f32; 4];
/// let tensor = Borrowed::new(&data, &[4]).unwrap();
/// drop(data); // still borrowed
/// println!("{:?}", tensor);
/// ```
#[derive(Debug)]
pub struct Borrowed<'a> {
    tensor: Tensor,
    _memory: PhantomData<&'a [u8]>,
}

impl<'a> Borrowed<'a> {
    pub fn new<T: Element>(elements: &'a [T], dims: &[i64]) -> Result<Borrowed<'a>> {
        check_count::<T>(elements.len(), dims)?;
        let memory = Memory::Read(elements.as_ptr().cast());
        let tensor = wrapped(T::DTYPE, dims, memory, None, ptr::null_mut())?;
        Ok(Borrowed { tensor, _memory: PhantomData })
    }
}

impl std::ops::Deref for Borrowed<'_> {
    type Target = Tensor;

    fn deref(&self) -> &Tensor {
        &self.tensor
    }
}

impl Borrow<Tensor> for Borrowed<'_> {
    fn borrow(&self) -> &Tensor {
        &self.tensor
    }
}

/// A tensor over a mutable slice that somebody else has. It goes wherever results of runs are written.
///
/// ```compile_fail,E0502
/// use tilewright::BorrowedMut;
/// let mut data = vec![1.0f32; 4];
/// let mut tensor = BorrowedMut::new(&mut data, &[4]).unwrap();
/// println!("{}", data[0]); // still borrowed
/// tensor.fill("zeros", 0, 0).unwrap();
/// ```
#[derive(Debug)]
pub struct BorrowedMut<'a> {
    tensor: Tensor,
    _memory: PhantomData<&'a mut [u8]>,
}

impl<'a> BorrowedMut<'a> {
    pub fn new<T: Element>(elements: &'a mut [T], dims: &[i64]) -> Result<BorrowedMut<'a>> {
        check_count::<T>(elements.len(), dims)?;
        let memory = Memory::Written(elements.as_mut_ptr().cast());
        let tensor = wrapped(T::DTYPE, dims, memory, None, ptr::null_mut())?;
        Ok(BorrowedMut { tensor, _memory: PhantomData })
    }

    /// See [`Tensor::fill`].
    pub fn fill(&mut self, pattern: &str, seed: u64, stream: u64) -> Result<()> {
        self.tensor.fill(pattern, seed, stream)
    }
}

impl std::ops::Deref for BorrowedMut<'_> {
    type Target = Tensor;

    fn deref(&self) -> &Tensor {
        &self.tensor
    }
}

impl Borrow<Tensor> for BorrowedMut<'_> {
    fn borrow(&self) -> &Tensor {
        &self.tensor
    }
}

/// Where a run writes a result: a tensor, or a [`BorrowedMut`].
///
/// A `&mut Tensor` of borrowed memory is never handed out, since it could be swapped with a tensor that lives
/// longer.
pub trait Output {
    #[doc(hidden)]
    fn output(&mut self, _: Private) -> *mut sys::tw_tensor_t;
}

/// Nobody else makes one.
#[doc(hidden)]
pub struct Private(());

pub(crate) fn output_pointers<O: Output>(outputs: &mut [O]) -> Vec<*mut sys::tw_tensor_t> {
    outputs.iter_mut().map(|output| output.output(Private(()))).collect()
}

pub(crate) fn input_pointers<I: Borrow<Tensor>>(inputs: &[I]) -> Vec<*const sys::tw_tensor_t> {
    inputs.iter().map(|input| input.borrow().as_ptr()).collect()
}

impl Output for BorrowedMut<'_> {
    fn output(&mut self, _: Private) -> *mut sys::tw_tensor_t {
        self.tensor.as_mut_ptr()
    }
}

impl Output for Tensor {
    fn output(&mut self, _: Private) -> *mut sys::tw_tensor_t {
        self.as_mut_ptr()
    }
}

impl<T: Output> Output for &mut T {
    fn output(&mut self, private: Private) -> *mut sys::tw_tensor_t {
        (**self).output(private)
    }
}
