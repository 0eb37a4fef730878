// SPDX-License-Identifier: Apache-2.0
//! Programs bound to kernels and memory, and what they did.
use crate::comm::Comm;
use crate::context::Context;
use crate::device::Stream;
use crate::error::{check, Error, Result, Status};
use crate::graph::{Parameter, Type};
use crate::handle::{handle, made, viewed};
use crate::mesh::Tile;
use crate::program::Program;
use crate::run::Run;
use crate::tensor::{input_pointers, output_pointers, Output, Tensor};
use crate::text::{blob_text, lossy};
use std::borrow::Borrow;
use std::ffi::CString;
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;
use tilewright_sys as sys;

handle! {
    RawExecutable: tw_executable_t, tw_executable_release
}

/// A program with its memory allocated. Keep it and run it many times; one run at a time.
///
/// Threads that share one would wait for each other, so they take turns by the rules of Rust:
///
/// ```compile_fail,E0499
/// # fn twice(executable: &mut tilewright::Executable, x: &[tilewright::Tensor]) {
/// std::thread::scope(|s| {
///     s.spawn(|| executable.run(x));
///     s.spawn(|| executable.run(x));
/// });
/// # }
/// ```
pub struct Executable {
    raw: RawExecutable,
    arguments: Vec<Type>,
    results: Vec<Type>,
    tiles: bool,
    donate: bool,
}

/// How an executable is made.
#[derive(Default)]
pub struct ExecutableOptions<'a> {
    raw: sys::tw_executable_options_t,
    device: Option<CString>,
    exchange: Option<CString>,
    _borrowed: PhantomData<(&'a Context, &'a mut Comm)>,
}

impl<'a> ExecutableOptions<'a> {
    /// Whose threads and allocator it uses.
    pub fn context(mut self, context: &'a Context) -> Self {
        self.raw.context = context.as_ptr();
        self
    }

    /// Threads of its own, the caller of run being one of them; 0: those that all executables of the context
    /// share.
    pub fn workers(mut self, workers: i32) -> Self {
        self.raw.workers = workers;
        self
    }

    /// Bytes over all devices of this process; a program that needs more is refused.
    pub fn memory_limit(mut self, bytes: i64) -> Self {
        self.raw.memory_limit = bytes;
        self
    }

    /// The processes that run it together.
    pub fn comm(mut self, comm: &'a mut Comm) -> Self {
        self.raw.comm = comm.as_mut_ptr();
        self
    }

    /// With a comm: process 0 gets whole outputs. Otherwise each process writes the part that its devices
    /// hold.
    pub fn whole_outputs(mut self) -> Self {
        self.raw.whole_outputs = 1;
        self
    }

    /// Notes the processor time of each step: [`Executable::profile`].
    pub fn profile(mut self) -> Self {
        self.raw.observe |= sys::TW_OBSERVE_PROFILE;
        self
    }

    /// Notes every part of every step: [`Executable::trace`].
    pub fn trace(mut self) -> Self {
        self.raw.observe |= sys::TW_OBSERVE_TRACE;
        self
    }

    /// Runs take and give tiles. Of argument or result i, what the k-th of this process's n devices holds is
    /// tensor i * n + k, of the shape that [`Executable::argument_tile`] tells.
    pub fn tiles(mut self) -> Self {
        self.raw.tiles = 1;
        self
    }

    /// Runs may overwrite inputs that the program marks as donated: [`Executable::run_donating`].
    pub fn donate(mut self) -> Self {
        self.raw.donate = 1;
        self
    }

    /// The kind of the mesh's devices: "host", "cuda", or "detached" for tests.
    pub fn device(mut self, kind: &str) -> Self {
        self.device = Some(lossy(kind));
        self
    }

    /// With a comm, how devices that are not the host send each other what goes between processes: "host",
    /// "direct" (GPUs over NCCL), or "auto".
    pub fn exchange(mut self, way: &str) -> Self {
        self.exchange = Some(lossy(way));
        self
    }

    /// Where devices exchange directly, sums of floats may add in any order.
    pub fn fast_sums(mut self) -> Self {
        self.raw.fast_sums = 1;
        self
    }

    /// Arrays that lie on the devices are read there, without a copy, where they are dense and aligned.
    pub fn in_place(mut self) -> Self {
        self.raw.in_place = 1;
        self
    }

    /// Products of f32 on GPUs may round their factors to TF32.
    pub fn tf32(mut self) -> Self {
        self.raw.tf32 = 1;
        self
    }

    /// Functions such as exp have the bits of the host on GPUs too, or run on the host.
    pub fn same_bits(mut self) -> Self {
        self.raw.same_bits = 1;
        self
    }
}

/// What an executable has done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counters {
    pub runs: i64,
    pub failed_runs: i64,
    /// Of the program that every device runs, and how many of these are collectives.
    pub steps: i64,
    pub collectives: i64,
    /// Read and written by one run on all devices.
    pub bytes: i64,
    /// Processor time over all runs; 0 without a profile.
    pub kernel_ns: i64,
    pub collective_ns: i64,
}

impl Executable {
    pub fn new(program: &Program, mut options: ExecutableOptions<'_>) -> Result<Executable> {
        if let Some(device) = &options.device {
            options.raw.device = device.as_ptr();
        }
        if let Some(exchange) = &options.exchange {
            options.raw.exchange = exchange.as_ptr();
        }
        // SAFETY: the executable keeps what it is made of alive.
        let raw = made(|out| unsafe { sys::tw_executable_create(program.as_ptr(), &options.raw, out) })?;
        let types = |parameter: Parameter<'_>| parameter.to_type();
        Ok(Executable {
            raw,
            arguments: program.graph().arguments().map(types).collect(),
            results: program.graph().results().map(types).collect(),
            tiles: options.raw.tiles != 0,
            donate: options.raw.donate != 0,
        })
    }

    /// Runs on whole arrays, in the order of the program's arguments, and gives new tensors.
    pub fn run<I: Borrow<Tensor>>(&mut self, inputs: &[I]) -> Result<Vec<Tensor>> {
        let mut outputs = self.new_outputs()?;
        self.run_into(inputs, &mut outputs)?;
        Ok(outputs)
    }

    /// Runs into tensors that are there. On an error they keep their bytes, and the executable can run again.
    pub fn run_into<I: Borrow<Tensor>, O: Output>(&mut self, inputs: &[I], outputs: &mut [O]) -> Result<()> {
        if self.donate {
            let text = "an executable that overwrites donated inputs runs by run_donating";
            return Err(Error::new(Status::FailedPrecondition, text));
        }
        let given = input_pointers(inputs);
        self.run_on(&given, &output_pointers(outputs))
    }

    /// Runs and overwrites what the program marks as donated. A result of `None` is made in the memory of its
    /// argument ([`Executable::donated_to`]), which then holds it.
    pub fn run_donating<I: Output, O: Output>(
        &mut self,
        inputs: &mut [I],
        outputs: &mut [Option<O>],
    ) -> Result<()> {
        let given = output_pointers(inputs);
        let mut taken = Vec::with_capacity(outputs.len());
        for (result, output) in outputs.iter_mut().enumerate() {
            taken.push(match output {
                Some(output) => output_pointers(std::slice::from_mut(output))[0],
                None => {
                    let from = (0..given.len()).find(|&argument| self.donated_to(argument) == Some(result));
                    let text = || format!("no input is overwritten by result {result}: it needs an output");
                    given[from.ok_or_else(|| Error::invalid(text()))?]
                }
            });
        }
        let given: Vec<_> = given.into_iter().map(|input| input as *const _).collect();
        self.run_on(&given, &taken)
    }

    fn run_on(
        &mut self,
        inputs: &[*const sys::tw_tensor_t],
        outputs: &[*mut sys::tw_tensor_t],
    ) -> Result<()> {
        let (ins, outs) = (inputs.as_ptr(), outputs.as_ptr());
        // SAFETY: as many tensors as the counts say, all alive.
        check(unsafe {
            sys::tw_executable_run(self.raw.as_mut_ptr(), ins, inputs.len(), outs, outputs.len())
        })
    }

    /// Begins a run and returns at once. The run keeps the tensors until it is over.
    pub fn start(&mut self, inputs: Vec<Arc<Tensor>>, mut outputs: Vec<Tensor>) -> Result<Run> {
        if self.donate {
            let text = "an executable that overwrites donated inputs runs by run_donating";
            return Err(Error::new(Status::FailedPrecondition, text));
        }
        let (given, taken) = (input_pointers(&inputs), output_pointers(&mut outputs));
        let (executable, ins, outs) = (self.raw.as_mut_ptr(), given.as_ptr(), taken.as_ptr());
        // SAFETY: as many tensors as the counts say; the run keeps them.
        let raw =
            made(|out| unsafe { sys::tw_run_start(executable, ins, given.len(), outs, taken.len(), out) })?;
        Ok(Run::new(raw, inputs, outputs))
    }

    /// The same in the order of a stream of one of the devices: the run begins behind what that was given, and
    /// what it is given afterwards runs behind the run.
    pub fn start_behind(
        &mut self,
        inputs: Vec<Arc<Tensor>>,
        mut outputs: Vec<Tensor>,
        stream: &mut Stream,
    ) -> Result<Run> {
        if self.donate {
            let text = "an executable that overwrites donated inputs runs by run_donating";
            return Err(Error::new(Status::FailedPrecondition, text));
        }
        let (given, taken) = (input_pointers(&inputs), output_pointers(&mut outputs));
        let (executable, ins, outs) = (self.raw.as_mut_ptr(), given.as_ptr(), taken.as_ptr());
        let options = sys::tw_run_options_t { stream: stream.as_mut_ptr(), ..Default::default() };
        // SAFETY: as many tensors as the counts say; the run keeps them and the stream.
        let raw =
            made(|out| unsafe { sys::tw_run_start_with(executable, ins, given.len(), outs, taken.len(), &options, out) })?;
        Ok(Run::new(raw, inputs, outputs))
    }

    /// Tensors of zeros for the results of a run.
    pub fn new_outputs(&self) -> Result<Vec<Tensor>> {
        if self.tiles {
            return Err(Error::invalid("an executable of tiles has no whole results: give the outputs"));
        }
        self.results.iter().map(|result| Tensor::zeros(result.dtype, &result.dims)).collect()
    }

    /// With `donate`: the result that is made in the memory of an argument.
    pub fn donated_to(&self, argument: usize) -> Option<usize> {
        // SAFETY: any number is fine. So it is below.
        usize::try_from(unsafe { sys::tw_executable_donated_to(self.raw.as_ptr(), argument) }).ok()
    }

    /// Devices of this process.
    pub fn num_devices(&self) -> usize {
        unsafe { sys::tw_executable_num_devices(self.raw.as_ptr()) }
    }

    /// With `tiles`: where in a whole argument the tile of a device of this process begins, and how large it
    /// is.
    pub fn argument_tile(&self, argument: usize, device: usize) -> Result<Tile> {
        self.tile(0, &self.arguments, argument, device)
    }

    /// The same of a result.
    pub fn result_tile(&self, result: usize, device: usize) -> Result<Tile> {
        self.tile(1, &self.results, result, device)
    }

    /// With `tiles`: the first device of this process that holds the same tile as `device` in one place. Runs read
    /// the input of that device alone, and outputs of devices with one owner may be one tensor.
    pub fn argument_tile_owner(&self, argument: usize, device: usize) -> Option<usize> {
        self.tile_owner(0, argument, device)
    }

    /// The same of a result.
    pub fn result_tile_owner(&self, result: usize, device: usize) -> Option<usize> {
        self.tile_owner(1, result, device)
    }

    fn tile_owner(&self, is_result: i32, index: usize, device: usize) -> Option<usize> {
        // SAFETY: any numbers are fine.
        let owner = unsafe { sys::tw_executable_tile_owner(self.raw.as_ptr(), is_result, index, device) };
        usize::try_from(owner).ok()
    }

    fn tile(&self, is_result: i32, types: &[Type], index: usize, device: usize) -> Result<Tile> {
        let executable = self.raw.as_ptr();
        let rank = types.get(index).map_or(0, |of| of.dims.len());
        // SAFETY: the outputs have a number for each dimension; a wrong index writes nothing.
        Tile::of(rank, |offset, extent| unsafe {
            sys::tw_executable_tile(executable, is_result, index, device, offset, extent)
        })
    }

    /// Allocated, over all devices of this process.
    pub fn arena_bytes(&self) -> i64 {
        unsafe { sys::tw_executable_arena_bytes(self.raw.as_ptr()) }
    }

    /// Bytes that a device of this process needs while it runs; `None`: there is no such device.
    pub fn peak_bytes(&self, device: usize) -> Option<i64> {
        Some(unsafe { sys::tw_executable_peak_bytes(self.raw.as_ptr(), device) }).filter(|&bytes| bytes >= 0)
    }

    pub fn workers(&self) -> i32 {
        unsafe { sys::tw_executable_workers(self.raw.as_ptr()) }
    }

    /// The flight recorder as JSON: where each device is after the last run.
    pub fn flight(&self) -> Result<String> {
        blob_text(|out| unsafe { sys::tw_executable_flight(self.raw.as_ptr(), out) })
    }

    /// Chrome's trace events as JSON; made with `trace`.
    pub fn trace(&self) -> Result<String> {
        blob_text(|out| unsafe { sys::tw_executable_trace(self.raw.as_ptr(), out) })
    }

    /// What each step took over all runs, as JSON; made with `profile`.
    pub fn profile(&self) -> Result<String> {
        blob_text(|out| unsafe { sys::tw_executable_profile(self.raw.as_ptr(), out) })
    }

    /// Which steps of a run the host takes for devices that are not the host, why, and the bytes copied for
    /// it, as JSON.
    pub fn on_host(&self) -> Result<String> {
        blob_text(|out| unsafe { sys::tw_executable_on_host(self.raw.as_ptr(), out) })
    }

    pub fn counters(&self) -> Result<Counters> {
        let raw: sys::tw_counters_t =
            viewed(|out| unsafe { sys::tw_executable_counters(self.raw.as_ptr(), out) })?;
        Ok(Counters {
            runs: raw.runs,
            failed_runs: raw.failed_runs,
            steps: raw.steps,
            collectives: raw.collectives,
            bytes: raw.bytes,
            kernel_ns: raw.kernel_ns,
            collective_ns: raw.collective_ns,
        })
    }
}

impl fmt::Debug for Executable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Executable(on {} devices, {} workers)", self.num_devices(), self.workers())
    }
}
