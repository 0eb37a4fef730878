// SPDX-License-Identifier: Apache-2.0
//! Memory that tensors and Rust share: by address, never by copy.
mod support;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::Arc;
use support::{inputs, mlp, planned};
use tilewright::*;

fn address<T>(data: &[T]) -> usize {
    data.as_ptr() as usize
}

#[test]
fn vectors_and_slices_go_in_and_come_out() {
    let owned = vec![1.0f32, 2.0, 3.0];
    let at = address(&owned);
    let mut tensor = Tensor::from_vec(owned, &[3]).unwrap();
    assert_eq!((address(tensor.as_slice::<f32>().unwrap()), address(tensor.bytes())), (at, at));
    assert_eq!(address(tensor.as_mut_slice::<f32>().unwrap()), at);
    tensor.as_mut_slice::<f32>().unwrap()[1] = 7.0;
    assert_eq!(tensor.as_slice::<f32>().unwrap(), [1.0, 7.0, 3.0]);

    let lent = [1i64, 2];
    let seen = Borrowed::new(&lent, &[2]).unwrap();
    assert_eq!((address(seen.as_slice::<i64>().unwrap()), seen.dtype()), (address(&lent), Dtype::S64));
    let mut lent = [1u8, 2];
    BorrowedMut::new(&mut lent, &[2]).unwrap().fill("ones", 0, 0).unwrap();
    assert_eq!(lent, [1, 1]);
}

#[test]
fn shared_memory_is_only_read() {
    let (graph, mut executable) = (mlp(), planned().lower().unwrap().executable().unwrap());
    let mut arrays = inputs(&graph);
    let expected = graph.evaluate(&arrays).unwrap();
    let shared: Arc<[f32]> = arrays[0].as_slice::<f32>().unwrap().into();
    let mut tensor = Tensor::from_shared(shared.clone(), &[8, 6]).unwrap();
    assert_eq!(
        (address(tensor.as_slice::<f32>().unwrap()), Arc::strong_count(&shared)),
        (address(&shared), 2)
    );
    assert_eq!(tensor.as_mut_slice::<f32>().unwrap_err().status(), Status::FailedPrecondition);
    assert_eq!(tensor.fill("ones", 0, 0).unwrap_err().status(), Status::FailedPrecondition);
    let refused = executable.run_into(&arrays, &mut [&mut tensor]).unwrap_err();
    assert_eq!(refused.status(), Status::FailedPrecondition);
    arrays[0] = tensor;
    assert!(executable.run(&arrays).unwrap()[0].compare(&expected[0]).unwrap().passes);
    drop(arrays);
    assert_eq!(Arc::strong_count(&shared), 1);
    assert!(Tensor::from_shared(shared.clone(), &[7]).is_err());
    assert!(Tensor::from_shared(Arc::from([0f32; 0]), &[0, 3]).unwrap().bytes().is_empty());
}

fn both_ways<T: Element>(bits: Vec<T>) {
    let (at, copy) = (address(&bits), bits.clone());
    let tensor = Tensor::from_vec(bits, &[2]).unwrap();
    assert_eq!(tensor.dtype(), T::DTYPE);
    assert_eq!(tensor.bytes().len(), 2 * T::DTYPE.size());
    assert_eq!((address(tensor.as_slice::<T>().unwrap()), tensor.as_slice::<T>().unwrap()), (at, &copy[..]));
}

#[test]
fn every_element_type() {
    both_ways(vec![1.0f64, -2.0]);
    both_ways(vec![1.0f32, -2.0]);
    both_ways(vec![-1i8, 2]);
    both_ways(vec![-1i16, 2]);
    both_ways(vec![-1i32, 2]);
    both_ways(vec![-1i64, 2]);
    both_ways(vec![1u8, 2]);
    both_ways(vec![1u16, 2]);
    both_ways(vec![1u32, 2]);
    both_ways(vec![1u64, 2]);
    both_ways(vec![F16(0x3c00), F16(0)]);
    both_ways(vec![Bf16(0x3f80), Bf16(0x4000)]);
    both_ways(vec![F8E5M2(1), F8E5M2(2)]);
    both_ways(vec![F4E2M1FN(1), F4E2M1FN(2)]);
    both_ways(vec![I1(1), I1(0)]);
    both_ways(vec![S4(-8), S4(7)]);
    both_ways(vec![C64 { re: 1.0, im: 2.0 }; 2]);
    both_ways(vec![C128 { re: 1.0, im: 2.0 }; 2]);
    for dtype in Dtype::ALL {
        assert_eq!(Dtype::from_name(dtype.name()).unwrap(), *dtype);
    }
    assert_eq!((Bf16::from_f64(1.0), Bf16(0x4000).to_f64(), S4::from_f64(99.0)), (Bf16(0x3f80), 2.0, S4(7)));
    assert_eq!(Dtype::C64.decode(&[0, 0, 128, 63, 0, 0, 0, 64]).unwrap(), (1.0, 2.0));
}

#[test]
fn narrow_floats_run_as_bits() {
    let text = "func.func @main(%x: tensor<2xbf16>) -> tensor<2xf32> {\n\
        %y = stablehlo.convert %x : (tensor<2xbf16>) -> tensor<2xf32>\n return %y : tensor<2xf32>\n}";
    let codes = [Bf16(0x3f80), Bf16(0x4000)];
    let wide = Graph::parse(text).unwrap().evaluate(&[Borrowed::new(&codes, &[2]).unwrap()]).unwrap();
    assert_eq!(wide[0].as_slice::<f32>().unwrap(), [1.0, 2.0]);
}

#[test]
fn a_run_writes_into_the_callers_memory() {
    let (graph, mut executable) = (mlp(), planned().lower().unwrap().executable().unwrap());
    let arrays = inputs(&graph);
    let x = arrays[0].as_slice::<f32>().unwrap().to_vec();
    let mut y = vec![0.0f32; 48];
    let lent = Borrowed::new(&x, &[8, 6]).unwrap();
    let ins: [&Tensor; 3] = [&lent, &arrays[1], &arrays[2]];
    executable.run_into(&ins, &mut [BorrowedMut::new(&mut y, &[8, 6]).unwrap()]).unwrap();
    let expected = graph.evaluate(&arrays).unwrap();
    let made = Tensor::from_vec(y, &[8, 6]).unwrap();
    assert!(made.compare(&expected[0]).unwrap().passes);
}

#[test]
fn donated_arguments_are_overwritten() {
    let mut b = Builder::new("step").unwrap();
    let x = b.donated_argument("x", Dtype::F32, &[64], Some(0));
    let y = b.binary("add", x, x);
    b.result("y", y);
    let graph = b.finish().unwrap();
    assert_eq!(graph.donated_to(0), Donation::To(0));
    let program = Program::unpartitioned(&graph).unwrap();
    let mut executable = Executable::new(&program, ExecutableOptions::default().donate()).unwrap();
    assert_eq!(executable.donated_to(0), Some(0));
    let mut inputs = [Tensor::from_vec(vec![1.0f32; 64], &[64]).unwrap()];
    let at = address(inputs[0].bytes());
    executable.run_donating(&mut inputs, &mut [None::<Tensor>]).unwrap();
    assert_eq!((address(inputs[0].bytes()), inputs[0].as_slice::<f32>().unwrap()[63]), (at, 2.0));
    assert_eq!(executable.run(&inputs).unwrap_err().status(), Status::FailedPrecondition);
}

#[test]
fn dlpack_both_ways() {
    let tensor = Tensor::from_vec(vec![1.0f32, 2.0], &[2]).unwrap();
    let at = address(tensor.bytes());
    let back = unsafe { Tensor::from_dlpack(tensor.into_dlpack().unwrap()) }.unwrap();
    assert_eq!((address(back.bytes()), back.dims()), (at, &[2i64][..]));
    let managed = back.into_dlpack_versioned().unwrap();
    let again = unsafe { Tensor::from_dlpack_versioned(managed) }.unwrap();
    assert_eq!((address(again.bytes()), again.as_slice::<f32>().unwrap()), (at, &[1.0f32, 2.0][..]));
    assert_eq!(
        Tensor::zeros(Dtype::S4, &[2]).unwrap().into_dlpack().unwrap_err().status(),
        Status::Unimplemented
    );
}

static HELD: AtomicI64 = AtomicI64::new(0);

struct Counting;

// SAFETY: the system's allocator, with enough alignment.
unsafe impl Allocator for Counting {
    fn allocate(&self, size: usize, alignment: usize) -> *mut u8 {
        HELD.fetch_add(size as i64, Ordering::SeqCst);
        let layout = std::alloc::Layout::from_size_align(size.max(1), alignment.max(64)).unwrap();
        // SAFETY: a size above 0.
        unsafe { std::alloc::alloc(layout) }
    }

    unsafe fn free(&self, memory: *mut u8, size: usize) {
        HELD.fetch_sub(size as i64, Ordering::SeqCst);
        std::alloc::dealloc(memory, std::alloc::Layout::from_size_align(size.max(1), 64).unwrap());
    }
}

#[test]
fn an_allocator_of_the_host() {
    let context = Context::new(ContextOptions::default().allocator(&Counting).workers(1)).unwrap();
    let tensor = Tensor::zeros_in(&context, Dtype::F32, &[1024]).unwrap();
    assert!(HELD.load(Ordering::SeqCst) >= 4096);
    drop(context);
    drop(tensor);
    assert_eq!(HELD.load(Ordering::SeqCst), 0);
}
