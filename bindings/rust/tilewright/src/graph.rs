// SPDX-License-Identifier: Apache-2.0
//! Array programs: read from text or built call by call.
use crate::dtype::Dtype;
use crate::error::{check, Result};
use crate::handle::{made, shared_handle};
use crate::mesh::Mesh;
use crate::plan::{Plan, PlanOptions};
use crate::tensor::{input_pointers, output_pointers, Output, Tensor};
use crate::text::{array, blob_text, borrowed, c_string};
use std::borrow::Borrow;
use std::fmt;
use std::path::Path;
use tilewright_sys as sys;

pub use crate::import::Import;

shared_handle! {
    /// An SSA program of n-d array ops with static shapes. It never changes; a clone is the same object.
    ///
    /// ```
    /// use tilewright::Graph;
    /// # fn main() -> tilewright::Result<()> {
    /// let graph = Graph::parse(
    ///     "func.func @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {\n\
    ///        %y = stablehlo.tanh %x : tensor<8x4xf32>\n\
    ///        return %y : tensor<8x4xf32>\n\
    ///      }",
    /// )?;
    /// let names: Vec<_> = graph.ops().map(|op| op.name).collect();
    /// assert_eq!(names, ["func.argument", "stablehlo.tanh", "func.result"]);
    /// # Ok(()) }
    /// ```
    Graph: tw_graph_t, tw_graph_retain, tw_graph_release
}

/// The type of an array. It displays as `f32[16,256]`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Type {
    pub dtype: Dtype,
    pub dims: Vec<i64>,
}

impl Type {
    pub fn new(dtype: Dtype, dims: &[i64]) -> Type {
        Type { dtype, dims: dims.to_vec() }
    }

    pub(crate) fn to_raw(&self) -> sys::tw_type_t {
        let (dims, ndims) = (self.dims.as_ptr(), self.dims.len());
        sys::tw_type_t { dtype: self.dtype.code(), dims, ndims, ..Default::default() }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let dims: Vec<_> = self.dims.iter().map(i64::to_string).collect();
        write!(f, "{}[{}]", self.dtype, dims.join(","))
    }
}

/// An argument or a result of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter<'g> {
    /// The best name known: `x`, `params['wq']`, `arg3`.
    pub name: &'g str,
    pub dtype: Dtype,
    pub dims: &'g [i64],
}

impl Parameter<'_> {
    pub fn to_type(&self) -> Type {
        Type::new(self.dtype, self.dims)
    }
}

/// What may overwrite an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Donation {
    /// Nothing may.
    None,
    /// This result.
    To(usize),
    /// Some result: the text does not say which.
    Somewhere,
}

impl Graph {
    /// Reads a file of StableHLO, as JAX prints it, or of PartIR loops. [`Graph::import`] has options.
    pub fn load(path: impl AsRef<Path>) -> Result<Graph> {
        Graph::import().load(path)
    }

    /// Reads a text.
    pub fn parse(text: &str) -> Result<Graph> {
        Graph::import().parse(text)
    }

    /// Options of reading: `Graph::import().entry("step").load(path)`.
    pub fn import<'a>() -> Import<'a> {
        Import::default()
    }

    /// Of the module.
    pub fn name(&self) -> &str {
        // SAFETY: the string is the graph's.
        unsafe { borrowed(sys::tw_graph_name(self.as_ptr())) }
    }

    /// Arguments and results not counted.
    pub fn num_ops(&self) -> usize {
        // SAFETY: a graph.
        unsafe { sys::tw_graph_num_ops(self.as_ptr()) }
    }

    pub fn arguments(&self) -> impl ExactSizeIterator<Item = Parameter<'_>> + '_ {
        let graph = self.as_ptr();
        // SAFETY: strings and sizes are the graph's, the numbers below the count.
        (0..unsafe { sys::tw_graph_num_arguments(graph) }).map(move |i| unsafe {
            let mut rank = 0;
            let dims = sys::tw_graph_argument_dims(graph, i, &mut rank);
            Parameter {
                name: borrowed(sys::tw_graph_argument_name(graph, i)),
                dtype: Dtype::of(sys::tw_graph_argument_dtype(graph, i)),
                dims: array(dims, rank),
            }
        })
    }

    pub fn results(&self) -> impl ExactSizeIterator<Item = Parameter<'_>> + '_ {
        let graph = self.as_ptr();
        // SAFETY: strings and sizes are the graph's, the numbers below the count.
        (0..unsafe { sys::tw_graph_num_results(graph) }).map(move |i| unsafe {
            let mut rank = 0;
            let dims = sys::tw_graph_result_dims(graph, i, &mut rank);
            Parameter {
                name: borrowed(sys::tw_graph_result_name(graph, i)),
                dtype: Dtype::of(sys::tw_graph_result_dtype(graph, i)),
                dims: array(dims, rank),
            }
        })
    }

    /// By what an argument may be overwritten.
    pub fn donated_to(&self, argument: usize) -> Donation {
        // SAFETY: any number is fine.
        match unsafe { sys::tw_graph_donated_to(self.as_ptr(), argument) } {
            -2 => Donation::Somewhere,
            result => usize::try_from(result).map_or(Donation::None, Donation::To),
        }
    }

    /// The mesh that the module declares.
    pub fn mesh(&self) -> Option<Mesh> {
        // SAFETY: the string is the graph's.
        let text = unsafe { borrowed(sys::tw_graph_mesh(self.as_ptr())) };
        if text.is_empty() {
            return None;
        }
        Mesh::parse(text).ok()
    }

    /// Of the code of one device: how many dimensions in front of every argument and result count the devices
    /// of its grid. 0: a program over whole arrays.
    pub fn grid_rank(&self) -> usize {
        // SAFETY: a graph.
        unsafe { sys::tw_graph_grid_rank(self.as_ptr()) }
    }

    /// Op census, FLOPs, bytes, annotations, what is opaque or ignored, as JSON; with `values` also every
    /// value.
    pub fn info(&self, values: bool) -> Result<String> {
        // SAFETY: a graph.
        blob_text(|out| unsafe { sys::tw_graph_info(self.as_ptr(), values.into(), out) })
    }

    /// A plan to shard this program over a mesh.
    pub fn plan(&self, mesh: &Mesh) -> Result<Plan> {
        Plan::new(self, Some(mesh), &PlanOptions::default())
    }

    /// Results of the slow reference evaluator, op by op on whole arrays: the oracle of everything else.
    pub fn evaluate<I: Borrow<Tensor>>(&self, inputs: &[I]) -> Result<Vec<Tensor>> {
        let zeros = |result: Parameter<'_>| Tensor::zeros(result.dtype, result.dims);
        let mut outputs = self.results().map(zeros).collect::<Result<Vec<_>>>()?;
        self.evaluate_into(inputs, &mut outputs)?;
        Ok(outputs)
    }

    /// The same into tensors that are there.
    pub fn evaluate_into<I: Borrow<Tensor>, O: Output>(&self, inputs: &[I], outputs: &mut [O]) -> Result<()> {
        let (given, taken) = (input_pointers(inputs), output_pointers(outputs));
        let (graph, ins, outs) = (self.as_ptr(), given.as_ptr(), taken.as_ptr());
        // SAFETY: as many tensors as the counts say.
        check(unsafe { sys::tw_graph_evaluate(graph, ins, given.len(), outs, taken.len()) })
    }

    /// Where the NaN of the results begin, or where none has NaN their Inf: the first op that makes them and the
    /// arguments that it is computed from, as JSON; "null" where results are finite.
    pub fn find_nonfinite<I: Borrow<Tensor>>(&self, inputs: &[I]) -> Result<String> {
        let given = input_pointers(inputs);
        // SAFETY: as many tensors as the count says.
        unsafe { blob_text(|out| sys::tw_graph_find_nonfinite(self.as_ptr(), given.as_ptr(), given.len(), out)) }
    }
}

impl fmt::Debug for Graph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (ops, arguments) = (self.num_ops(), self.arguments().len());
        write!(f, "Graph({:?}: {ops} ops, {arguments} arguments)", self.name())
    }
}

/// The names of all registered ops, sorted.
pub fn op_names() -> impl ExactSizeIterator<Item = &'static str> {
    // SAFETY: static storage, and the numbers are below the count.
    (0..unsafe { sys::tw_op_count() }).map(|i| unsafe { borrowed(sys::tw_op_name(i)) })
}

/// One op, or all: doc, operands, results, attributes, rule, kinds, kernels, as `tw ops --json` prints it.
pub fn ops_info(name: Option<&str>) -> Result<String> {
    let name = name.map(c_string).transpose()?;
    let address = name.as_ref().map_or(std::ptr::null(), |name| name.as_ptr());
    // SAFETY: the name is read.
    blob_text(|out| unsafe { sys::tw_ops_info(address, out) })
}

pub(crate) fn imported(text: &[u8], options: &sys::tw_import_options_t) -> Result<Graph> {
    // SAFETY: `size` bytes, which are read.
    made(|out| unsafe { sys::tw_graph_import(text.as_ptr().cast(), text.len(), options, out) })
}
