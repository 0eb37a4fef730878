// SPDX-License-Identifier: Apache-2.0
//! Shardings: how one array lies over a mesh.
use crate::error::Result;
use crate::handle::{made, shared_handle, viewed};
use crate::mesh::{AxisPart, Mesh, Tile};
use crate::text::{array, blob_text, c_string, c_strings};
use std::ffi::CString;
use std::fmt;
use tilewright_sys as sys;

shared_handle! {
    /// How an array of known shape lies over a mesh. It displays as the text that [`Sharding::parse`] reads.
    ///
    /// ```
    /// use tilewright::{DimSharding, Mesh, Sharding};
    /// # fn main() -> tilewright::Result<()> {
    /// let mesh = Mesh::parse("data=2,model=4")?;
    /// let rows = DimSharding::over(["data"]);
    /// let sharding = Sharding::new(&mesh, &[16, 256], &[rows, DimSharding::whole()], &[])?;
    /// assert_eq!(sharding.to_string(), "[{data}, {}]");
    /// assert_eq!(sharding.tile(7)?.offset, [8, 0]);
    /// # Ok(()) }
    /// ```
    Sharding: tw_sharding_t, tw_sharding_retain, tw_sharding_release
}

/// Where a dimension is cut into T tiles.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Split {
    /// Tile t of n elements is `[t*n/T, (t+1)*n/T)`, rounded down.
    Balanced,
    /// n/T elements each, rounded up; the last have fewer, or none.
    Ceil,
    /// At T+1 given places.
    Cuts(Vec<i64>),
    /// T given intervals, which may overlap: a begin and an end for each.
    Spans(Vec<i64>),
}

/// What stands around an array where a tile has a halo there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Border {
    Zero,
    /// What lies at the other end of the array.
    Wrap,
    /// Nothing: a halo ends where the array does, as it does in programs.
    Nothing,
}

/// How partial values combine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reduction {
    /// They do not: pieces beside each other.
    None,
    Sum,
    Max,
    Min,
    Prod,
    And,
    Or,
    Xor,
    /// All but one are zero bits; that one is taken.
    Pick,
    /// By the region of the op that makes them.
    Region,
}

const REDUCTIONS: [(Reduction, sys::tw_reduction_t); 10] = [
    (Reduction::None, sys::TW_REDUCTION_NONE),
    (Reduction::Sum, sys::TW_REDUCTION_SUM),
    (Reduction::Max, sys::TW_REDUCTION_MAX),
    (Reduction::Min, sys::TW_REDUCTION_MIN),
    (Reduction::Prod, sys::TW_REDUCTION_PROD),
    (Reduction::And, sys::TW_REDUCTION_AND),
    (Reduction::Or, sys::TW_REDUCTION_OR),
    (Reduction::Xor, sys::TW_REDUCTION_XOR),
    (Reduction::Pick, sys::TW_REDUCTION_PICK),
    (Reduction::Region, sys::TW_REDUCTION_REGION),
];

impl Reduction {
    pub(crate) fn of(code: sys::tw_reduction_t) -> Reduction {
        REDUCTIONS.iter().find(|(_, c)| *c == code).map_or(Reduction::None, |(reduction, _)| *reduction)
    }

    fn code(self) -> sys::tw_reduction_t {
        REDUCTIONS.iter().find(|(r, _)| *r == self).map_or(sys::TW_REDUCTION_NONE, |(_, code)| *code)
    }
}

/// A dimension: the axes that tile it, and how.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DimSharding {
    /// Major to minor.
    pub axes: Vec<AxisPart>,
    pub split: Split,
    /// Elements that stay together, a divisor of the size. Cuts count in them.
    pub unit: i64,
    /// Elements before every tile that a device holds too.
    pub halo_before: i64,
    pub halo_after: i64,
    pub border: Border,
    /// Whether propagation may give it further axes.
    pub is_open: bool,
    /// Of what is attached to a builder: lower ones are propagated first.
    pub priority: i32,
}

impl DimSharding {
    /// A dimension that is whole.
    pub fn whole() -> DimSharding {
        let (split, border) = (Split::Balanced, Border::Zero);
        DimSharding {
            axes: vec![],
            split,
            unit: 1,
            halo_before: 0,
            halo_after: 0,
            border,
            is_open: false,
            priority: 0,
        }
    }

    /// A dimension that these axes tile, major to minor.
    pub fn over<A: Into<AxisPart>>(axes: impl IntoIterator<Item = A>) -> DimSharding {
        DimSharding { axes: axes.into_iter().map(Into::into).collect(), ..DimSharding::whole() }
    }

    /// # Safety
    /// The pointers are valid.
    unsafe fn from_raw(raw: &sys::tw_dim_sharding_t) -> DimSharding {
        let cuts = || array(raw.cuts, raw.num_cuts).to_vec();
        DimSharding {
            axes: array(raw.axes, raw.num_axes).iter().map(|part| AxisPart::from_raw(part)).collect(),
            split: match raw.split {
                sys::TW_SPLIT_CEIL => Split::Ceil,
                sys::TW_SPLIT_CUTS => Split::Cuts(cuts()),
                sys::TW_SPLIT_SPANS => Split::Spans(cuts()),
                _ => Split::Balanced,
            },
            unit: raw.unit.max(1),
            halo_before: raw.halo_before,
            halo_after: raw.halo_after,
            border: match raw.border {
                sys::TW_BORDER_WRAP => Border::Wrap,
                sys::TW_BORDER_NONE => Border::Nothing,
                _ => Border::Zero,
            },
            is_open: raw.is_open != 0,
            priority: raw.priority,
        }
    }
}

/// An axis, or a part of one, over which a value is partial: what the devices along it hold is still to be
/// combined.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Partial {
    pub part: AxisPart,
    pub reduction: Reduction,
}

/// The structs of dimensions, which point at the rest.
struct RawDims {
    _names: Vec<Vec<CString>>,
    _parts: Vec<Vec<sys::tw_axis_part_t>>,
    dims: Vec<sys::tw_dim_sharding_t>,
}

fn raw_part(name: &CString, part: &AxisPart) -> sys::tw_axis_part_t {
    sys::tw_axis_part_t { axis: name.as_ptr(), before: part.before, size: part.size, ..Default::default() }
}

impl RawDims {
    fn new(dims: &[DimSharding]) -> Result<RawDims> {
        let axis_names =
            |dim: &DimSharding| c_strings(&dim.axes.iter().map(|a| &a.axis[..]).collect::<Vec<_>>());
        let names = dims.iter().map(axis_names).collect::<Result<Vec<_>>>()?;
        let parts_of = |(dim, names): (&DimSharding, &Vec<CString>)| {
            names.iter().zip(&dim.axes).map(|(name, part)| raw_part(name, part)).collect::<Vec<_>>()
        };
        let parts: Vec<_> = dims.iter().zip(&names).map(parts_of).collect();
        let raw = |(dim, parts): (&DimSharding, &Vec<sys::tw_axis_part_t>)| {
            let (split, cuts): (_, &[i64]) = match &dim.split {
                Split::Balanced => (sys::TW_SPLIT_BALANCED, &[]),
                Split::Ceil => (sys::TW_SPLIT_CEIL, &[]),
                Split::Cuts(cuts) => (sys::TW_SPLIT_CUTS, cuts),
                Split::Spans(spans) => (sys::TW_SPLIT_SPANS, spans),
            };
            sys::tw_dim_sharding_t {
                axes: parts.as_ptr(),
                num_axes: parts.len(),
                split,
                unit: dim.unit,
                cuts: cuts.as_ptr(),
                num_cuts: cuts.len(),
                halo_before: dim.halo_before,
                halo_after: dim.halo_after,
                border: match dim.border {
                    Border::Zero => sys::TW_BORDER_ZERO,
                    Border::Wrap => sys::TW_BORDER_WRAP,
                    Border::Nothing => sys::TW_BORDER_NONE,
                },
                is_open: dim.is_open.into(),
                priority: dim.priority,
                ..Default::default()
            }
        };
        let dims = dims.iter().zip(&parts).map(raw).collect();
        Ok(RawDims { _names: names, _parts: parts, dims })
    }
}

impl Sharding {
    /// From a dimension each, and the axes over which it is partial. An axis stands at most once in all of
    /// it.
    pub fn new(
        mesh: &Mesh,
        dims: &[i64],
        shardings: &[DimSharding],
        partials: &[Partial],
    ) -> Result<Sharding> {
        if dims.len() != shardings.len() {
            let text = format!("{} sizes, and shardings of {} dimensions", dims.len(), shardings.len());
            return Err(crate::Error::invalid(text));
        }
        let raw = RawDims::new(shardings)?;
        let names = c_strings(&partials.iter().map(|p| &p.part.axis[..]).collect::<Vec<_>>())?;
        let raw_partial = |(name, partial): (&CString, &Partial)| sys::tw_partial_t {
            part: raw_part(name, &partial.part),
            reduction: partial.reduction.code(),
            ..Default::default()
        };
        let sums: Vec<_> = names.iter().zip(partials).map(raw_partial).collect();
        let (rank, whole, count) = (dims.len(), dims.as_ptr(), sums.len());
        // SAFETY: a struct for each dimension; all is copied.
        made(|out| unsafe {
            sys::tw_sharding_create(mesh.as_ptr(), whole, rank, raw.dims.as_ptr(), sums.as_ptr(), count, out)
        })
    }

    /// Reads `[{data}, {}, {model:(1)2}:ceil] +sum:x` for an array of these sizes. No dimension of it is
    /// open.
    pub fn parse(mesh: &Mesh, text: &str, dims: &[i64]) -> Result<Sharding> {
        let text = c_string(text)?;
        let (sizes, rank) = (dims.as_ptr(), dims.len());
        // SAFETY: `rank` sizes; the text is read, not kept.
        made(|out| unsafe { sys::tw_sharding_parse(mesh.as_ptr(), text.as_ptr(), sizes, rank, out) })
    }

    /// The mesh, whose axes are cut where the sharding names parts of one.
    pub fn mesh(&self) -> Mesh {
        // SAFETY: a sharding has a mesh.
        made(|out| unsafe { sys::tw_sharding_mesh(self.as_ptr(), out) }).expect("a sharding has a mesh")
    }

    /// Sizes of the whole array.
    pub fn dims(&self) -> &[i64] {
        let mut rank = 0;
        // SAFETY: the sizes are the sharding's.
        unsafe {
            let dims = sys::tw_sharding_dims(self.as_ptr(), &mut rank);
            array(dims, rank)
        }
    }

    /// How a dimension is tiled.
    pub fn dim(&self, dim: usize) -> Result<DimSharding> {
        // SAFETY: pointers in the struct are the sharding's and copied from.
        unsafe {
            let raw = viewed(|out| sys::tw_sharding_dim(self.as_ptr(), dim, out))?;
            Ok(DimSharding::from_raw(&raw))
        }
    }

    /// All dimensions.
    pub fn dim_shardings(&self) -> Vec<DimSharding> {
        (0..self.dims().len()).filter_map(|dim| self.dim(dim).ok()).collect()
    }

    /// The axes over which the value is partial.
    pub fn partials(&self) -> Vec<Partial> {
        let sharding = self.as_ptr();
        // SAFETY: the numbers are below the count; names are copied.
        let partial = |i| unsafe {
            let raw = viewed(|out| sys::tw_sharding_partial(sharding, i, out)).ok()?;
            Some(Partial { part: AxisPart::from_raw(&raw.part), reduction: Reduction::of(raw.reduction) })
        };
        (0..unsafe { sys::tw_sharding_num_partials(sharding) }).filter_map(partial).collect()
    }

    /// Whether every device holds all of the array, and nothing is partial.
    pub fn is_whole(&self) -> bool {
        // SAFETY: a sharding.
        unsafe { sys::tw_sharding_is_whole(self.as_ptr()) != 0 }
    }

    /// Tiles of a dimension, the product of its axes; 0 when there is no such dimension.
    pub fn num_tiles(&self, dim: usize) -> i64 {
        // SAFETY: any number is fine.
        unsafe { sys::tw_sharding_num_tiles(self.as_ptr(), dim) }
    }

    /// What stands at a position of the mesh holds, halos included.
    pub fn tile(&self, position: i64) -> Result<Tile> {
        // SAFETY: the outputs have a number for each dimension.
        Tile::of(self.dims().len(), |offset, extent| unsafe {
            sys::tw_sharding_tile(self.as_ptr(), position, offset, extent)
        })
    }

    /// The largest tile in every dimension: the shape of memory that is large enough on every device.
    pub fn local_dims(&self) -> Vec<i64> {
        let mut dims = vec![0; self.dims().len()];
        // SAFETY: the output has a number for each dimension.
        unsafe { sys::tw_sharding_local_dims(self.as_ptr(), dims.as_mut_ptr()) };
        dims
    }
}

/// The same mesh, shape, tiles and partial axes.
impl PartialEq for Sharding {
    fn eq(&self, other: &Sharding) -> bool {
        // SAFETY: two shardings.
        unsafe { sys::tw_sharding_equal(self.as_ptr(), other.as_ptr()) != 0 }
    }
}

impl Eq for Sharding {}

impl fmt::Display for Sharding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // SAFETY: a sharding.
        let text = blob_text(|out| unsafe { sys::tw_sharding_text(self.as_ptr(), out) });
        f.write_str(&text.map_err(|_| fmt::Error)?)
    }
}

impl fmt::Debug for Sharding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Sharding({:?} {self})", self.dims())
    }
}
