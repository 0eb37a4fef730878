// SPDX-License-Identifier: Apache-2.0
//! Graphs built call by call.
use crate::attribute::{Attribute, RawAttributes};
use crate::custom::CustomCalls;
use crate::dtype::{count_elements, Dtype, Element};
use crate::error::{check, Error, Result};
use crate::graph::{Graph, Type};
use crate::handle::{handle, made};
use crate::sharding::Sharding;
use crate::text::c_string;
use crate::walk::ValueId;
use std::ffi::CString;
use std::fmt;
use std::os::raw::c_void;
use std::sync::atomic::{AtomicU32, Ordering};
use tilewright_sys as sys;

handle! {
    RawBuilder: tw_builder_t, tw_builder_release
}

/// A value of a builder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Value {
    pub(crate) number: u32,
    pub(crate) builder: u32,
}

/// The value of the graph that the builder makes.
impl From<Value> for ValueId {
    fn from(value: Value) -> ValueId {
        ValueId(value.number)
    }
}

/// Builds a graph. Errors are sticky: after the first call that fails all others do nothing, and
/// [`Builder::finish`] says which call it was and why.
///
/// ```
/// use tilewright::{Builder, Dtype};
/// # fn main() -> tilewright::Result<()> {
/// let mut b = Builder::new("mlp")?;
/// let x = b.argument("x", Dtype::F32, &[16, 256]);
/// let w = b.argument("w", Dtype::F32, &[256, 1024]);
/// let product = b.einsum("bd,df->bf", x, w);
/// let y = b.unary("tanh", product);
/// b.result("y", y);
/// let graph = b.finish()?;
/// assert_eq!(graph.num_ops(), 2);
/// # Ok(()) }
/// ```
///
/// A builder is empty once it is finished:
///
/// ```compile_fail,E0382
/// let mut b = tilewright::Builder::new("twice").unwrap();
/// let _ = b.finish();
/// b.argument("x", tilewright::Dtype::F32, &[2]);
/// ```
pub struct Builder {
    pub(crate) raw: RawBuilder,
    id: u32,
    /// A mistake that this layer found.
    error: Option<Error>,
}

static BUILDERS: AtomicU32 = AtomicU32::new(0);

impl Builder {
    pub fn new(name: &str) -> Result<Builder> {
        let name = c_string(name)?;
        // SAFETY: the name is copied.
        let raw: RawBuilder = made(|out| unsafe { sys::tw_builder_create(name.as_ptr(), out) })?;
        Ok(Builder { raw, id: BUILDERS.fetch_add(1, Ordering::Relaxed), error: None })
    }

    /// The error that sticks, if there is one.
    pub fn check(&self) -> Result<()> {
        if let Some(error) = &self.error {
            return Err(error.clone());
        }
        // SAFETY: a builder.
        check(unsafe { sys::tw_builder_check(self.raw.as_ptr()) })
    }

    /// The graph. The values of the builder are those of the graph.
    pub fn finish(mut self) -> Result<Graph> {
        self.check()?;
        // SAFETY: a builder.
        made(|out| unsafe { sys::tw_builder_finish(self.raw.as_mut_ptr(), out) })
    }

    /// Notes a mistake of a call, unless there is one already.
    pub(crate) fn fail(&mut self, error: Error) {
        if self.check().is_ok() {
            self.error = Some(error);
        }
    }

    pub(crate) fn value(&self, number: u32) -> Value {
        Value { number, builder: self.id }
    }

    pub(crate) fn id(&self) -> u32 {
        self.id
    }

    pub(crate) fn none(&self) -> Value {
        self.value(sys::TW_NO_VALUE)
    }

    /// The numbers of values, which must be this builder's.
    pub(crate) fn numbers(&self, values: &[Value]) -> Result<Vec<u32>> {
        let number = |value: &Value| {
            if value.builder != self.id {
                return Err(Error::invalid("a value of another builder was given"));
            }
            Ok(value.number)
        };
        values.iter().map(number).collect()
    }

    /// Adds something that makes one value, where all is well so far.
    pub(crate) fn add_with(
        &mut self,
        values: &[Value],
        texts: &[&str],
        call: impl FnOnce(*mut sys::tw_builder_t, &[u32], &[CString]) -> u32,
    ) -> Value {
        if self.error.is_some() {
            return self.none();
        }
        let given = self.numbers(values).and_then(|numbers| Ok((numbers, crate::text::c_strings(texts)?)));
        match given {
            Ok((numbers, texts)) => {
                let made = call(self.raw.as_mut_ptr(), &numbers, &texts);
                self.value(made)
            }
            Err(error) => {
                self.fail(error);
                self.none()
            }
        }
    }

    // ---- the signature ----

    pub fn argument(&mut self, name: &str, dtype: Dtype, dims: &[i64]) -> Value {
        let (sizes, rank) = (dims.as_ptr(), dims.len());
        // SAFETY: `rank` sizes; the name is copied. So it is below.
        self.add_with(&[], &[name], |b, _, texts| unsafe {
            sys::tw_builder_argument(b, texts[0].as_ptr(), dtype.code(), sizes, rank)
        })
    }

    /// An argument whose memory a result may take: result `result`, which is declared later; `None` does not
    /// say which.
    pub fn donated_argument(
        &mut self,
        name: &str,
        dtype: Dtype,
        dims: &[i64],
        result: Option<usize>,
    ) -> Value {
        let (sizes, rank) = (dims.as_ptr(), dims.len());
        let to = result.map_or(-1, |result| i64::try_from(result).unwrap_or(i64::MAX));
        self.add_with(&[], &[name], |b, _, texts| unsafe {
            sys::tw_builder_donated_argument(b, texts[0].as_ptr(), dtype.code(), sizes, rank, to)
        })
    }

    /// Declares a result of the program; in order.
    pub fn result(&mut self, name: &str, value: Value) {
        self.add_with(&[value], &[name], |b, values, texts| unsafe {
            sys::tw_builder_result(b, texts[0].as_ptr(), values[0]);
            values[0]
        });
    }

    // ---- constants ----

    /// A literal array: its elements, dense row-major.
    pub fn constant<T: Element>(&mut self, elements: &[T], dims: &[i64]) -> Value {
        let (sizes, rank, data) = (dims.as_ptr(), dims.len(), elements.as_ptr().cast::<c_void>());
        match count_elements(dims) {
            Ok(count) if count == elements.len() => {}
            _ => {
                let text = format!("{} elements for a constant {}{dims:?}", elements.len(), T::DTYPE);
                self.fail(Error::invalid(text));
            }
        }
        self.add_with(&[], &[], |b, _, _| unsafe {
            sys::tw_builder_constant(b, T::DTYPE.code(), sizes, rank, data)
        })
    }

    /// An array whose elements all equal `value`, converted as `stablehlo.convert` does.
    pub fn splat(&mut self, value: f64, dtype: Dtype, dims: &[i64]) -> Value {
        let (sizes, rank) = (dims.as_ptr(), dims.len());
        self.add_with(&[], &[], |b, _, _| unsafe {
            sys::tw_builder_splat(b, dtype.code(), sizes, rank, value)
        })
    }

    /// An array whose elements are all copies of one, bit for bit.
    pub fn fill<T: Element>(&mut self, element: T, dims: &[i64]) -> Value {
        let (sizes, rank, data) = (dims.as_ptr(), dims.len(), (&element as *const T).cast::<c_void>());
        self.add_with(&[], &[], |b, _, _| unsafe {
            sys::tw_builder_fill(b, T::DTYPE.code(), sizes, rank, data)
        })
    }

    // ---- ops ----

    /// Any registered op by name, with attributes of its schema (`tw ops NAME`), that has one result. Where
    /// operands and attributes do not fix its type, "result_dims" and "result_dtype" state it.
    /// [`Builder::op`] has the rest.
    pub fn add(&mut self, op: &str, operands: &[Value], attributes: &[(&str, Attribute)]) -> Value {
        let owned: Vec<_> =
            attributes.iter().map(|(name, value)| (name.to_string(), value.clone())).collect();
        let raw = match RawAttributes::new(&owned) {
            Ok(raw) => raw,
            Err(error) => {
                self.fail(error);
                return self.none();
            }
        };
        self.add_with(operands, &[op], |b, values, texts| unsafe {
            let (name, none) = (texts[0].as_ptr(), std::ptr::null_mut());
            sys::tw_builder_add(b, name, values.as_ptr(), values.len(), raw.as_ptr(), raw.len(), none, 0)
        })
    }

    pub fn unary(&mut self, op: &str, x: Value) -> Value {
        self.add_with(&[x], &[op], |b, v, texts| unsafe { sys::tw_builder_unary(b, texts[0].as_ptr(), v[0]) })
    }

    /// Operands of equal shape, or one a scalar, which is then broadcast.
    pub fn binary(&mut self, op: &str, x: Value, y: Value) -> Value {
        self.add_with(&[x, y], &[op], |b, v, texts| unsafe {
            sys::tw_builder_binary(b, texts[0].as_ptr(), v[0], v[1])
        })
    }

    /// Booleans: x DIRECTION y, of "EQ", "NE", "GE", "GT", "LE" and "LT".
    pub fn compare(&mut self, direction: &str, x: Value, y: Value) -> Value {
        self.add_with(&[x, y], &[direction], |b, v, texts| unsafe {
            sys::tw_builder_compare(b, texts[0].as_ptr(), v[0], v[1])
        })
    }

    pub fn convert(&mut self, x: Value, dtype: Dtype) -> Value {
        self.add_with(&[x], &[], |b, v, _| unsafe { sys::tw_builder_convert(b, v[0], dtype.code()) })
    }

    /// A contraction of two operands in Einstein's notation, "bd,df->bf".
    pub fn einsum(&mut self, subscripts: &str, x: Value, y: Value) -> Value {
        self.add_with(&[x, y], &[subscripts], |b, v, texts| unsafe {
            sys::tw_builder_einsum(b, texts[0].as_ptr(), v[0], v[1])
        })
    }

    pub fn transpose(&mut self, x: Value, permutation: &[i64]) -> Value {
        let (dims, count) = (permutation.as_ptr(), permutation.len());
        self.add_with(&[x], &[], |b, v, _| unsafe { sys::tw_builder_transpose(b, v[0], dims, count) })
    }

    pub fn reshape(&mut self, x: Value, dims: &[i64]) -> Value {
        let (sizes, rank) = (dims.as_ptr(), dims.len());
        self.add_with(&[x], &[], |b, v, _| unsafe { sys::tw_builder_reshape(b, v[0], sizes, rank) })
    }

    /// Dimension i of x becomes dimension `map[i]` of the result; dimensions of size 1 expand.
    pub fn broadcast(&mut self, x: Value, dims: &[i64], map: &[i64]) -> Value {
        self.add_with(&[x], &[], |b, v, _| unsafe {
            sys::tw_builder_broadcast(b, v[0], dims.as_ptr(), dims.len(), map.as_ptr(), map.len())
        })
    }

    /// The elements from `starts[i]` to below `limits[i]` of every dimension, each `steps[i]`-th; `None`:
    /// all.
    pub fn slice(&mut self, x: Value, starts: &[i64], limits: &[i64], steps: Option<&[i64]>) -> Value {
        let count = starts.len();
        if limits.len() != count || steps.map_or(false, |steps| steps.len() != count) {
            self.fail(Error::invalid("slice: starts, limits and steps differ in how many they are"));
            return self.none();
        }
        let steps = steps.map_or(std::ptr::null(), |steps| steps.as_ptr());
        self.add_with(&[x], &[], |b, v, _| unsafe {
            sys::tw_builder_slice(b, v[0], starts.as_ptr(), limits.as_ptr(), steps, count)
        })
    }

    /// Arrays one behind the other in dimension `dim`.
    pub fn concatenate(&mut self, values: &[Value], dim: i64) -> Value {
        self.add_with(values, &[], |b, v, _| unsafe {
            sys::tw_builder_concatenate(b, v.as_ptr(), v.len(), dim)
        })
    }

    /// Reduces dimensions away with "sum", "max", "min" or "prod", integers and booleans also with "and", "or", "xor".
    pub fn reduce(&mut self, kind: &str, x: Value, dims: &[i64]) -> Value {
        self.add_with(&[x], &[kind], |b, v, texts| unsafe {
            sys::tw_builder_reduce(b, texts[0].as_ptr(), v[0], dims.as_ptr(), dims.len())
        })
    }

    // ---- custom calls, names and shardings ----

    /// The custom_calls that the host knows, as they are now.
    pub fn custom_calls(&mut self, calls: &CustomCalls) {
        // SAFETY: both are alive; the builder keeps what it needs.
        unsafe { sys::tw_builder_custom_calls(self.raw.as_mut_ptr(), calls.as_ptr()) }
    }

    /// A call of code that the program does not hold, with results of these types.
    pub fn custom_call(
        &mut self,
        target: &str,
        operands: &[Value],
        results: &[Type],
        attributes: &[(&str, Attribute)],
    ) -> Vec<Value> {
        let types: Vec<_> = results.iter().map(Type::to_raw).collect();
        let owned: Vec<_> =
            attributes.iter().map(|(name, value)| (name.to_string(), value.clone())).collect();
        let mut made = vec![sys::TW_NO_VALUE; types.len()];
        match RawAttributes::new(&owned) {
            Err(error) => self.fail(error),
            Ok(raw) => {
                self.add_with(operands, &[target], |b, v, texts| unsafe {
                    let (name, types, count) = (texts[0].as_ptr(), types.as_ptr(), types.len());
                    let (attributes, num) = (raw.as_ptr(), raw.len());
                    let out = made.as_mut_ptr();
                    sys::tw_builder_custom_call(
                        b,
                        name,
                        v.as_ptr(),
                        v.len(),
                        types,
                        count,
                        attributes,
                        num,
                        out,
                    )
                });
            }
        }
        made.into_iter().map(|number| self.value(number)).collect()
    }

    /// Calls a value `%name` in texts, reports and plans.
    pub fn name(&mut self, value: Value, name: &str) {
        self.add_with(&[value], &[name], |b, v, texts| unsafe {
            sys::tw_builder_name(b, v[0], texts[0].as_ptr());
            v[0]
        });
    }

    /// Says how a value is to lie: every plan of the graph applies it first.
    pub fn shard(&mut self, value: Value, sharding: &Sharding) {
        self.add_with(&[value], &[], |b, v, _| unsafe {
            sys::tw_builder_shard(b, v[0], sharding.as_ptr());
            v[0]
        });
    }

    /// The value again, laid out so, of which every device keeps the halos too. One exchange brings them,
    /// elementwise ops keep them, and what reads around a tile finds them there. Halos that wrap are refused.
    pub fn keep_halo(&mut self, value: Value, sharding: &Sharding) -> Value {
        self.add_with(&[value], &[], |b, v, _| unsafe {
            sys::tw_builder_keep_halo(b, v[0], sharding.as_ptr())
        })
    }

    /// Says how result `i`, which was declared, is to lie.
    pub fn shard_result(&mut self, i: usize, sharding: &Sharding) {
        // SAFETY: both are alive; the builder keeps what it needs.
        unsafe { sys::tw_builder_shard_result(self.raw.as_mut_ptr(), i, sharding.as_ptr()) }
    }
}

impl fmt::Debug for Builder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Builder({})", self.id)
    }
}
