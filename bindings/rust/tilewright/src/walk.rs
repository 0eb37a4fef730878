// SPDX-License-Identifier: Apache-2.0
//! Walking a graph: its ops, values and regions are numbers, and views say what they are.
use crate::attribute::Attribute;
use crate::dtype::Dtype;
use crate::error::{check, Result};
use crate::graph::Graph;
use crate::handle::viewed;
use crate::text::{array, blob_text, borrowed, c_string};
use std::{fmt, ptr};
use tilewright_sys as sys;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
            #[repr(transparent)]
            pub struct $name(pub u32);

            #[allow(dead_code)] // not every kind can be absent
            impl $name {
                /// The number, where it is one.
                pub(crate) fn known(number: u32) -> Option<$name> {
                    (number != u32::MAX).then(|| $name(number))
                }
            }

            impl fmt::Display for $name {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    self.0.fmt(f)
                }
            }
        )*
    };
}
ids! {
    /// An op of a graph.
    OpId,
    /// A value of a graph.
    ValueId,
    /// A region of a graph: the body of the program (0), or of a while, a reduction, ..
    RegionId,
    /// A value of a graph as the devices hold it in one layout, in a program.
    LocalId,
}

/// Numbers of the library as typed ones.
///
/// # Safety
/// `T` is one of the ids above, and the array has so many numbers as long as 'a.
pub(crate) unsafe fn ids<'a, T>(data: *const u32, count: usize) -> &'a [T] {
    array(data.cast(), count)
}

/// Consecutive numbers.
fn run_of<T>(first: u32, count: u32, id: impl Fn(u32) -> T) -> impl ExactSizeIterator<Item = T> {
    let end = if count == 0 { first } else { first + count };
    (first..end).map(id)
}

/// One op.
#[derive(Clone, Copy)]
pub struct Op<'g> {
    graph: &'g Graph,
    pub id: OpId,
    /// `"stablehlo.add"`.
    pub name: &'g str,
    pub operands: &'g [ValueId],
    /// The region that holds the op; 0 is the body of the program.
    pub parent: RegionId,
    /// Line and column in the imported text, from 1; `None`: not known.
    pub position: Option<(u32, u32)>,
    results: (u32, u32),
    regions: (u32, u32),
    num_attributes: usize,
}

impl<'g> Op<'g> {
    pub fn results(&self) -> impl ExactSizeIterator<Item = ValueId> {
        run_of(self.results.0, self.results.1, ValueId)
    }

    pub fn regions(&self) -> impl ExactSizeIterator<Item = RegionId> {
        run_of(self.regions.0, self.regions.1, RegionId)
    }

    /// Names and values of the attributes that are there, in the order of the op's schema.
    pub fn attributes(&self) -> Vec<(&'g str, Attribute)> {
        let (graph, op) = (self.graph.as_ptr(), self.id.0);
        // SAFETY: the pointers are the graph's.
        let attribute = |i| unsafe {
            let raw = viewed(|out| sys::tw_graph_attr(graph, op, i, out)).ok()?;
            Some((borrowed(raw.name), Attribute::from_raw(&raw)))
        };
        (0..self.num_attributes).filter_map(attribute).collect()
    }

    /// Of a constant: its elements, dense row-major.
    pub fn constant(&self) -> Result<Constant<'g>> {
        let (mut data, mut bytes, mut is_splat) = (ptr::null(), 0, 0);
        let (graph, op) = (self.graph.as_ptr(), self.id.0);
        // SAFETY: the bytes are the graph's.
        unsafe {
            check(sys::tw_graph_constant(graph, op, &mut data, &mut bytes, &mut is_splat))?;
            Ok(Constant { bytes: array(data.cast(), bytes), is_splat: is_splat != 0 })
        }
    }

    /// Where it comes from, as reports say it: `model.py:12`, `file.mlir:40:5`, or nothing.
    pub fn location(&self) -> Result<String> {
        // SAFETY: an op of the graph.
        blob_text(|out| unsafe { sys::tw_graph_op_location(self.graph.as_ptr(), self.id.0, out) })
    }
}

impl fmt::Debug for Op<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Op({}: {}{:?})", self.id, self.name, self.operands)
    }
}

/// The elements of a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Constant<'g> {
    pub bytes: &'g [u8],
    /// Whether there is one element, which stands for all.
    pub is_splat: bool,
}

/// Where a value is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(C)]
pub struct Use {
    pub op: OpId,
    /// Which operand of it.
    pub operand: u32,
}

/// One value: a result of an op, or an argument of a region.
#[derive(Clone, Copy, Debug)]
pub struct ValueView<'g> {
    pub id: ValueId,
    pub dtype: Dtype,
    pub dims: &'g [i64],
    /// That makes it; `None`: it is an argument of `region`.
    pub op: Option<OpId>,
    /// Which result of the op, or which argument of the region.
    pub index: u32,
    /// In which it is made.
    pub region: RegionId,
    /// In the order of the ops; what a region yields is no use.
    pub uses: &'g [Use],
}

/// A region.
#[derive(Clone, Copy, Debug)]
pub struct RegionView<'g> {
    pub id: RegionId,
    /// The op that owns it; `None` of the body of the program.
    pub parent: Option<OpId>,
    pub arguments: &'g [ValueId],
    pub ops: &'g [OpId],
    /// What it gives back; none of the body of the program, whose `func.result` ops say it.
    pub yields: &'g [ValueId],
}

impl Graph {
    /// All ops, those of regions too, each behind those whose results it reads.
    pub fn ops(&self) -> impl ExactSizeIterator<Item = Op<'_>> + '_ {
        // SAFETY: a graph.
        let end = unsafe { sys::tw_graph_op_end(self.as_ptr()) } as u32;
        (0..end).map(move |op| self.op(OpId(op)).expect("the number is below the end"))
    }

    pub fn op(&self, id: OpId) -> Result<Op<'_>> {
        // SAFETY: the pointers are the graph's.
        unsafe {
            let view = viewed(|out| sys::tw_graph_op(self.as_ptr(), id.0, out))?;
            Ok(Op {
                graph: self,
                id,
                name: borrowed(view.name),
                operands: ids(view.operands, view.num_operands as usize),
                parent: RegionId(view.parent),
                position: (view.line > 0).then_some((view.line, view.column)),
                results: (view.first_result, view.num_results),
                regions: (view.first_region, view.num_regions),
                num_attributes: view.num_attrs as usize,
            })
        }
    }

    pub fn values(&self) -> impl ExactSizeIterator<Item = ValueView<'_>> + '_ {
        // SAFETY: a graph.
        let end = unsafe { sys::tw_graph_value_end(self.as_ptr()) } as u32;
        (0..end).map(move |value| self.value(ValueId(value)).expect("the number is below the end"))
    }

    pub fn value(&self, id: ValueId) -> Result<ValueView<'_>> {
        // SAFETY: the pointers are the graph's.
        unsafe {
            let view = viewed(|out| sys::tw_graph_value(self.as_ptr(), id.0, out))?;
            Ok(ValueView {
                id,
                dtype: Dtype::of(view.dtype),
                dims: array(view.dims, view.ndims),
                op: OpId::known(view.op),
                index: view.index,
                region: RegionId(view.region),
                uses: array(view.uses.cast(), view.num_uses as usize),
            })
        }
    }

    pub fn regions(&self) -> impl ExactSizeIterator<Item = RegionView<'_>> + '_ {
        // SAFETY: a graph.
        let end = unsafe { sys::tw_graph_region_end(self.as_ptr()) } as u32;
        (0..end).map(move |region| self.region(RegionId(region)).expect("the number is below the end"))
    }

    pub fn region(&self, id: RegionId) -> Result<RegionView<'_>> {
        // SAFETY: the pointers are the graph's.
        unsafe {
            let view = viewed(|out| sys::tw_graph_region(self.as_ptr(), id.0, out))?;
            Ok(RegionView {
                id,
                parent: OpId::known(view.parent),
                arguments: ids(view.arguments, view.num_arguments as usize),
                ops: ids(view.ops, view.num_ops),
                yields: ids(view.yields, view.num_yields),
            })
        }
    }

    /// The value of argument `i`.
    pub fn argument(&self, i: usize) -> Option<ValueId> {
        // SAFETY: any number is fine.
        ValueId::known(unsafe { sys::tw_graph_argument(self.as_ptr(), i) })
    }

    /// The value that result `i` is.
    pub fn result(&self, i: usize) -> Option<ValueId> {
        // SAFETY: any number is fine.
        ValueId::known(unsafe { sys::tw_graph_result(self.as_ptr(), i) })
    }

    /// The one value of a name: of an argument, of a result, or `%12`.
    pub fn find_value(&self, name: &str) -> Result<ValueId> {
        let name = c_string(name)?;
        let mut value = u32::MAX;
        // SAFETY: the name is read.
        check(unsafe { sys::tw_graph_find_value(self.as_ptr(), name.as_ptr(), &mut value) })?;
        Ok(ValueId(value))
    }

    /// What plans and reports call a value: an argument's name, else `%12`.
    pub fn value_name(&self, value: impl Into<ValueId>) -> Result<String> {
        let number = value.into().0;
        // SAFETY: any number is fine.
        blob_text(|out| unsafe { sys::tw_graph_value_name(self.as_ptr(), number, out) })
    }

    /// How texts spell a value, `%x` or `%12`.
    pub fn symbol(&self, value: impl Into<ValueId>) -> Result<String> {
        let number = value.into().0;
        // SAFETY: any number is fine.
        blob_text(|out| unsafe { sys::tw_graph_symbol(self.as_ptr(), number, out) })
    }
}
