// SPDX-License-Identifier: Apache-2.0
//! Meshes: devices in a grid of named axes.
use crate::error::{Error, Result};
use crate::handle::{made, shared_handle, two_arrays, viewed};
use crate::text::{addresses, borrowed, c_string, c_strings};
use std::fmt;
use tilewright_sys as sys;

shared_handle! {
    /// Named axes over devices, the first the slowest. It displays as `data=2,model=4`.
    ///
    /// ```
    /// # fn main() -> tilewright::Result<()> {
    /// let mesh = tilewright::Mesh::new(&[("data", 2), ("model", 4)])?;
    /// assert_eq!(mesh.num_devices(), 8);
    /// assert_eq!(mesh.to_string(), "data=2,model=4");
    /// # Ok(()) }
    /// ```
    Mesh: tw_mesh_t, tw_mesh_retain, tw_mesh_release
}

/// What the places along an axis are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AxisKind {
    Devices,
    /// Steps, one after the other on one device.
    Serial,
    /// Threads, at once and in the memory of one device.
    Threads,
}

/// The part of an array that a device holds: where it begins and how large it is, per dimension.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Tile {
    pub offset: Vec<i64>,
    pub extent: Vec<i64>,
}

impl Tile {
    pub(crate) fn of(rank: usize, call: impl FnOnce(*mut i64, *mut i64) -> sys::tw_status_t) -> Result<Tile> {
        let (offset, extent) = two_arrays((rank, rank), call)?;
        Ok(Tile { offset, extent })
    }
}

/// An axis, or a part of it: of its places, cut into parts from major to minor, the part of `size` places
/// behind parts of `before` places together. It displays as `model` or `model:(2)4`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct AxisPart {
    pub axis: String,
    /// 1 for the most major part, and for a whole axis.
    pub before: i64,
    /// 0: all that is left.
    pub size: i64,
}

impl AxisPart {
    /// The whole of an axis.
    pub fn whole(axis: impl Into<String>) -> AxisPart {
        AxisPart { axis: axis.into(), before: 1, size: 0 }
    }

    /// # Safety
    /// The name is valid.
    pub(crate) unsafe fn from_raw(raw: &sys::tw_axis_part_t) -> AxisPart {
        AxisPart { axis: borrowed(raw.axis).to_owned(), before: raw.before, size: raw.size }
    }
}

impl From<&str> for AxisPart {
    fn from(axis: &str) -> AxisPart {
        AxisPart::whole(axis)
    }
}

impl fmt::Display for AxisPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.size == 0 && self.before <= 1 {
            return f.write_str(&self.axis);
        }
        write!(f, "{}:({}){}", self.axis, self.before, self.size)
    }
}

impl Mesh {
    /// Axes by name and size, the slowest first.
    pub fn new(axes: &[(&str, i64)]) -> Result<Mesh> {
        let names = c_strings(&axes.iter().map(|(name, _)| *name).collect::<Vec<_>>())?;
        let (pointers, sizes) = (addresses(&names), axes.iter().map(|(_, size)| *size).collect::<Vec<_>>());
        // SAFETY: as many names as sizes, all copied.
        made(|out| unsafe { sys::tw_mesh_create(pointers.as_ptr(), sizes.as_ptr(), sizes.len(), out) })
    }

    /// Reads `data=2,model=4`, or `{"data": 2, "model": 4}`; `""` is the mesh of one device.
    pub fn parse(text: &str) -> Result<Mesh> {
        let text = c_string(text)?;
        // SAFETY: the text is read, not kept.
        made(|out| unsafe { sys::tw_mesh_parse(text.as_ptr(), out) })
    }

    /// The same axes on other devices: `device_ids[p]` stands at position p, positions being row-major.
    pub fn with_devices(&self, device_ids: &[i64]) -> Result<Mesh> {
        let (ids, count) = (device_ids.as_ptr(), device_ids.len());
        // SAFETY: the numbers are copied.
        made(|out| unsafe { sys::tw_mesh_with_devices(self.as_ptr(), ids, count, out) })
    }

    /// Names and sizes of the axes, the slowest first.
    pub fn axes(&self) -> impl ExactSizeIterator<Item = (&str, i64)> + '_ {
        let mesh = self.as_ptr();
        // SAFETY: the names are the mesh's, the numbers below the count.
        (0..unsafe { sys::tw_mesh_num_axes(mesh) }).map(move |i| unsafe {
            (borrowed(sys::tw_mesh_axis_name(mesh, i)), sys::tw_mesh_axis_size(mesh, i))
        })
    }

    /// What the places along axis `axis` are; `None` when there is no such axis.
    pub fn axis_kind(&self, axis: usize) -> Option<AxisKind> {
        // SAFETY: any number is fine.
        match unsafe { sys::tw_mesh_axis_kind(self.as_ptr(), axis) } {
            sys::TW_AXIS_DEVICES => Some(AxisKind::Devices),
            sys::TW_AXIS_SERIAL => Some(AxisKind::Serial),
            sys::TW_AXIS_THREADS => Some(AxisKind::Threads),
            _ => None,
        }
    }

    /// Of which axis axis `axis` is a part: plans cut axes of which shardings name parts.
    pub fn axis_part(&self, axis: usize) -> Result<AxisPart> {
        // SAFETY: the name is the mesh's and copied.
        unsafe {
            let part = viewed(|out| sys::tw_mesh_axis_part(self.as_ptr(), axis, out))?;
            Ok(AxisPart::from_raw(&part))
        }
    }

    pub fn num_devices(&self) -> i64 {
        // SAFETY: a mesh.
        unsafe { sys::tw_mesh_num_devices(self.as_ptr()) }
    }

    /// Places of all axes together: the devices, times the steps and threads of axes that are none.
    pub fn num_positions(&self) -> i64 {
        // SAFETY: a mesh.
        unsafe { sys::tw_mesh_num_positions(self.as_ptr()) }
    }

    /// The id of the device at a position; `None` when there is no such position.
    pub fn device_id(&self, position: i64) -> Option<i64> {
        // SAFETY: any number is fine.
        Some(unsafe { sys::tw_mesh_device_id(self.as_ptr(), position) }).filter(|&id| id >= 0)
    }

    /// The part that a device holds of an array of these sizes under a sharding, `[{data}, {}]`.
    pub fn tile(&self, sharding: &str, dims: &[i64], device: i64) -> Result<Tile> {
        let text = c_string(sharding)?;
        let (rank, sizes) = (dims.len(), dims.as_ptr());
        // SAFETY: the outputs have `rank` numbers.
        Tile::of(rank, |offset, extent| unsafe {
            sys::tw_mesh_box(self.as_ptr(), text.as_ptr(), sizes, rank, device, offset, extent)
        })
    }
}

impl fmt::Display for Mesh {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let axes: Vec<_> = self.axes().map(|(name, size)| format!("{name}={size}")).collect();
        f.write_str(&axes.join(","))
    }
}

impl fmt::Debug for Mesh {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Mesh({self})")
    }
}

impl std::str::FromStr for Mesh {
    type Err = Error;

    fn from_str(text: &str) -> Result<Mesh> {
        Mesh::parse(text)
    }
}
