// SPDX-License-Identifier: Apache-2.0
//! Devices that are not the host: what GPUs there are, arrays that lie there, and the queues in which they are
//! made and used. A device is a kind and a number: `("cuda", 1)` is GPU 1.
use crate::dtype::Dtype;
use crate::error::{check, Result};
use crate::handle::{handle, made, viewed};
use crate::tensor::Tensor;
use crate::text::{array, borrowed, c_string};
use std::os::raw::{c_int, c_void};
use std::ptr;
use tilewright_sys as sys;

/// How many devices of a kind there are. [`crate::Status::Unavailable`] says why there is none.
pub fn device_count(kind: &str) -> Result<i32> {
    let (kind, mut count) = (c_string(kind)?, 0);
    // SAFETY: a string and a place for the number.
    check(unsafe { sys::tw_device_count(kind.as_ptr(), &mut count) })?;
    Ok(count)
}

/// What a GPU is and has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gpu {
    pub name: String,
    /// 90 is sm_90.
    pub architecture: i32,
    pub processors: i32,
    pub bytes: i64,
    pub free_bytes: i64,
    /// Of memory, by its clock and width; 0: unknown.
    pub bytes_per_second: i64,
    /// By this library in this process.
    pub used_bytes: i64,
    /// Of [`Gpu::limit_memory`]; 0: none.
    pub limit_bytes: i64,
}

impl Gpu {
    pub fn describe(gpu: i32) -> Result<Gpu> {
        // SAFETY: the struct has its size.
        let facts = viewed(|out| unsafe { sys::tw_cuda_describe(gpu, out) })?;
        Ok(Gpu {
            // SAFETY: static.
            name: unsafe { borrowed(facts.name) }.to_string(),
            architecture: facts.architecture,
            processors: facts.processors,
            bytes: facts.bytes,
            free_bytes: facts.free_bytes,
            bytes_per_second: facts.bytes_per_second,
            used_bytes: facts.used_bytes,
            limit_bytes: facts.limit_bytes,
        })
    }

    /// The library takes no more memory of a GPU than so many bytes from now on; 0: as much as there is.
    pub fn limit_memory(gpu: i32, bytes: i64) -> Result<()> {
        // SAFETY: numbers.
        check(unsafe { sys::tw_cuda_limit_memory(gpu, bytes) })
    }
}

handle! {
    /// A queue of a device: commands run in order, later than they are given.
    Stream: tw_stream_t, tw_stream_release
}

handle! {
    /// A point in a queue: the last place where it was recorded.
    Event: tw_event_t, tw_event_release
}

impl Stream {
    pub fn new(kind: &str, device: i32) -> Result<Stream> {
        let kind = c_string(kind)?;
        // SAFETY: a string and a number.
        made(|out| unsafe { sys::tw_stream_create(kind.as_ptr(), device, out) })
    }

    /// A CUstream of the program.
    ///
    /// # Safety
    /// `native` is one of that GPU, and outlives the stream and what it was given.
    pub unsafe fn wrap_cuda(gpu: i32, native: *mut c_void) -> Result<Stream> {
        made(|out| sys::tw_cuda_wrap_stream(gpu, native, out))
    }

    /// Its kind and the number of its device.
    pub fn device(&self) -> (&str, i32) {
        let mut device = 0;
        // SAFETY: a stream; kinds are static.
        (unsafe { borrowed(sys::tw_stream_device(self.as_ptr(), &mut device)) }, device)
    }

    /// The CUstream; NULL where there is none.
    pub fn native(&self) -> *mut c_void {
        // SAFETY: a stream.
        unsafe { sys::tw_stream_native(self.as_ptr()) }
    }

    /// Waits until all that was given has run.
    pub fn wait(&mut self) -> Result<()> {
        // SAFETY: a stream.
        check(unsafe { sys::tw_stream_wait(self.as_mut_ptr()) })
    }
}

impl Event {
    pub fn new(kind: &str, device: i32) -> Result<Event> {
        let kind = c_string(kind)?;
        // SAFETY: a string and a number.
        made(|out| unsafe { sys::tw_event_create(kind.as_ptr(), device, out) })
    }

    /// A CUevent of the program.
    ///
    /// # Safety
    /// `native` is one of that GPU, and outlives the event.
    pub unsafe fn wrap_cuda(gpu: i32, native: *mut c_void) -> Result<Event> {
        made(|out| sys::tw_cuda_wrap_event(gpu, native, out))
    }

    /// Stands for this place in the stream from now on.
    pub fn record(&mut self, stream: &mut Stream) -> Result<()> {
        // SAFETY: an event and a stream.
        check(unsafe { sys::tw_event_record(self.as_mut_ptr(), stream.as_mut_ptr()) })
    }

    /// What the stream is given from now on runs behind the event's place.
    pub fn hold(&self, stream: &mut Stream) -> Result<()> {
        // SAFETY: an event and a stream.
        check(unsafe { sys::tw_event_await(self.as_ptr(), stream.as_mut_ptr()) })
    }

    /// Whether that place is reached.
    pub fn is_reached(&self) -> Result<bool> {
        let mut reached: c_int = 0;
        // SAFETY: an event and a place for the answer.
        check(unsafe { sys::tw_event_test(self.as_ptr(), &mut reached) })?;
        Ok(reached != 0)
    }
}

fn pointer_of(stream: Option<&mut Stream>) -> *mut sys::tw_stream_t {
    stream.map_or(ptr::null_mut(), |s| s.as_mut_ptr())
}

/// Arrays on devices. Their elements are no slices: a copy on the host has them.
impl Tensor {
    /// An array in memory of a device, with any elements.
    ///
    /// ```
    /// use tilewright::Tensor;
    /// # fn main() -> tilewright::Result<()> {
    /// let host = Tensor::from_vec(vec![1.0f32, 2.0], &[2])?;
    /// let mut device = Tensor::on_device("detached", 0, host.dtype(), &[2])?;
    /// device.copy_from(&host)?;
    /// assert_eq!(device.device(), ("detached", 0));
    /// assert!(device.as_slice::<f32>().is_err());
    /// let mut back = Tensor::from_vec(vec![0.0f32; 2], &[2])?;
    /// back.copy_from(&device)?;
    /// assert_eq!(back.as_slice::<f32>()?, [1.0, 2.0]);
    /// # Ok(()) }
    /// ```
    pub fn on_device(kind: &str, device: i32, dtype: Dtype, dims: &[i64]) -> Result<Tensor> {
        let kind = c_string(kind)?;
        let (code, sizes, rank) = (dtype.code(), dims.as_ptr(), dims.len());
        // SAFETY: as many sizes as the rank says.
        made(|out| unsafe { sys::tw_tensor_create_on(kind.as_ptr(), device, code, sizes, rank, out) })
    }

    /// An array around memory of the program on a device. `strides`: elements from one index to the next, of
    /// each dimension; `None`: dense and row-major.
    ///
    /// # Safety
    /// `address` is that of the element at index 0, in memory of that device that outlives the tensor and has
    /// all that the strides reach. Strides are as many as dimensions.
    pub unsafe fn wrap_on(
        kind: &str,
        device: i32,
        dtype: Dtype,
        dims: &[i64],
        strides: Option<&[i64]>,
        address: *mut c_void,
    ) -> Result<Tensor> {
        let kind = c_string(kind)?;
        let steps = strides.map_or(ptr::null(), |s| s.as_ptr());
        let (code, sizes, rank) = (dtype.code(), dims.as_ptr(), dims.len());
        made(|out| {
            let none = ptr::null_mut();
            sys::tw_tensor_wrap_on(kind.as_ptr(), device, code, sizes, rank, steps, address, None, none, out)
        })
    }

    /// Its kind of device ("host" for most) and the number of that.
    pub fn device(&self) -> (&str, i32) {
        let mut device = 0;
        // SAFETY: a tensor; kinds are static.
        (unsafe { borrowed(sys::tw_tensor_device(self.as_ptr(), &mut device)) }, device)
    }

    /// Elements from one index to the next, of each dimension; none: dense and row-major.
    pub fn strides(&self) -> &[i64] {
        let mut count = 0;
        // SAFETY: the tensor's own, as many as it says.
        unsafe {
            let strides = sys::tw_tensor_strides(self.as_ptr(), &mut count);
            array(strides, count)
        }
    }

    /// Where the element at index 0 lies, on whatever device.
    pub fn address(&self) -> *mut c_void {
        // SAFETY: a tensor.
        unsafe { sys::tw_tensor_address(self.as_ptr()) }
    }

    /// Takes the elements of another tensor of its type, on whatever device, and waits for them.
    pub fn copy_from(&mut self, source: &Tensor) -> Result<()> {
        // SAFETY: two tensors, and nobody touches them meanwhile.
        check(unsafe { sys::tw_tensor_copy(self.as_mut_ptr(), source.as_ptr(), ptr::null_mut()) })
    }

    /// The same as a command of a stream.
    ///
    /// # Safety
    /// Until it has run nobody writes to the source, nor reads or writes this but behind it.
    pub unsafe fn copy_behind(&mut self, source: &Tensor, stream: &mut Stream) -> Result<()> {
        check(sys::tw_tensor_copy(self.as_mut_ptr(), source.as_ptr(), stream.as_mut_ptr()))
    }

    /// What the stream was given so far makes the elements: whoever uses the tensor from now on waits for that.
    pub fn written(&mut self, stream: &mut Stream) -> Result<()> {
        // SAFETY: a tensor and a stream.
        check(unsafe { sys::tw_tensor_written(self.as_mut_ptr(), stream.as_mut_ptr()) })
    }

    /// What the stream is given from now on finds the elements; `None`: the caller waits for them.
    pub fn wait(&self, stream: Option<&mut Stream>) -> Result<()> {
        // SAFETY: a tensor and a stream, or none.
        check(unsafe { sys::tw_tensor_await(self.as_ptr(), pointer_of(stream)) })
    }
}
