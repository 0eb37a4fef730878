// SPDX-License-Identifier: Apache-2.0
//! Redistribution: plans that move an array from one sharding to another, provably cheapest.
use crate::dtype::Dtype;
use crate::error::{check, Error, Result};
use crate::handle::{made, shared_handle};
use crate::mesh::{Mesh, Tile};
use crate::redistributor::{Redistributor, RedistributorOptions};
use crate::sharding::Sharding;
use crate::text::{blob_bytes, blob_text, borrowed, c_string, Maybe};
use std::fmt;
use std::ptr;
use tilewright_sys as sys;

shared_handle! {
    /// A plan to move an array. It never changes. Devices are counted in the order of their ids. It displays
    /// as the report that `tw redistribute` prints.
    ///
    /// ```
    /// use tilewright::{Mesh, Redistribution};
    /// # fn main() -> tilewright::Result<()> {
    /// let plan = Redistribution::new(&Mesh::parse("x=4")?, "f32[8,8] [{x},{}]", "[{},{x}]")?;
    /// assert_eq!(plan.bound()?.0, 48);
    /// # Ok(()) }
    /// ```
    Redistribution: tw_redistribution_t, tw_redistribution_retain, tw_redistribution_release
}

/// Before or after.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    Source,
    Target,
}

impl Side {
    fn code(self) -> i32 {
        match self {
            Side::Source => 0,
            Side::Target => 1,
        }
    }
}

/// What a link costs: a step takes alpha + peers * message + bytes / bandwidth, for the device that has most
/// of each.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Link {
    pub alpha_us: f64,
    pub message_us: f64,
    /// 1e9 bytes a second.
    pub gb_per_s: f64,
}

/// What a plan minds.
#[derive(Clone, Debug, Default)]
pub struct RedistributionOptions {
    /// "auto" (`None`), "direct", "level", "relay", "scalar" or "vector".
    pub method: Option<String>,
    /// Which devices are near each other, outermost level first: "node=2,socket=2".
    pub levels: Option<String>,
    /// Of types that name none; `None`: f32.
    pub dtype: Option<Dtype>,
    /// Intermediate tiles that a device may hold at once; 0: no limit, negative: none.
    pub scratch_bytes: i64,
    /// The largest tile of any buffer; 0: the larger of source and target tile.
    pub height_bytes: i64,
    /// One a level, outermost first, then that inside the innermost groups; empty: this machine.
    pub links: Vec<Link>,
    /// Of bytes that stay on their device; 0: this machine.
    pub copy_gb_per_s: f64,
    /// The way to go, instead of a method, a step a line: "dynslice 0 y\nalltoall 0 1".
    pub steps: Option<String>,
    /// Ids of devices of the mesh before that are gone, with what they held: see [`Redistribution::missing`].
    pub lost: Vec<i64>,
}

impl RedistributionOptions {
    /// Gives `call` the options as C has them.
    fn with_raw<T>(&self, call: impl FnOnce(&sys::tw_redistribution_options_t) -> Result<T>) -> Result<T> {
        let (method, levels, steps) = (
            Maybe::new(self.method.as_deref())?,
            Maybe::new(self.levels.as_deref())?,
            Maybe::new(self.steps.as_deref())?,
        );
        let link = |link: &Link| sys::tw_link_t {
            alpha_us: link.alpha_us,
            message_us: link.message_us,
            gb_per_s: link.gb_per_s,
            ..Default::default()
        };
        let links: Vec<_> = self.links.iter().map(link).collect();
        call(&sys::tw_redistribution_options_t {
            method: method.as_ptr(),
            levels: levels.as_ptr(),
            dtype: self.dtype.map_or(0, Dtype::code),
            scratch_bytes: self.scratch_bytes,
            height_bytes: self.height_bytes,
            links: if links.is_empty() { ptr::null() } else { links.as_ptr() },
            num_links: links.len(),
            copy_gb_per_s: self.copy_gb_per_s,
            steps: steps.as_ptr(),
            lost: if self.lost.is_empty() { ptr::null() } else { self.lost.as_ptr() },
            num_lost: self.lost.len(),
            ..Default::default()
        })
    }
}

impl Redistribution {
    /// The best plan on a mesh. Types are text, `f32[32,16] [{y,x}, {}:ceil] +max:z`; a target that is a
    /// sharding alone has the source's sizes.
    pub fn new(mesh: &Mesh, source: &str, target: &str) -> Result<Redistribution> {
        Redistribution::with(mesh, source, None, target, &RedistributionOptions::default())
    }

    /// The best plan to another mesh (`None`: the same), or for these options.
    pub fn with(
        mesh: &Mesh,
        source: &str,
        target_mesh: Option<&Mesh>,
        target: &str,
        options: &RedistributionOptions,
    ) -> Result<Redistribution> {
        let (source, target) = (c_string(source)?, c_string(target)?);
        let to = target_mesh.map_or(ptr::null(), |mesh| mesh.as_ptr());
        let (from, source, target) = (mesh.as_ptr(), source.as_ptr(), target.as_ptr());
        // SAFETY: the texts are read.
        options.with_raw(|raw| {
            made(|out| unsafe { sys::tw_redistribution_plan(from, source, to, target, raw, out) })
        })
    }

    /// The best plan between layouts that are at hand, such as those of the state of two programs.
    pub fn between(
        source: &Sharding,
        target: &Sharding,
        dtype: Dtype,
        options: &RedistributionOptions,
    ) -> Result<Redistribution> {
        let (source, target) = (source.as_ptr(), target.as_ptr());
        // SAFETY: two shardings, which are read.
        options.with_raw(|raw| {
            made(|out| unsafe { sys::tw_redistribution_between(source, target, dtype.code(), raw, out) })
        })
    }

    /// A plan from what [`Redistribution::save`] made, checked.
    pub fn load(bytes: &[u8]) -> Result<Redistribution> {
        // SAFETY: so many bytes, which are read.
        made(|out| unsafe { sys::tw_redistribution_load(bytes.as_ptr().cast(), bytes.len(), out) })
    }

    pub fn save(&self) -> Result<Vec<u8>> {
        // SAFETY: a plan. So it is below.
        blob_bytes(|out| unsafe { sys::tw_redistribution_save(self.as_ptr(), out) })
    }

    pub fn num_devices(&self) -> usize {
        unsafe { sys::tw_redistribution_num_devices(self.as_ptr()) }
    }

    /// `None` when there is no such device.
    pub fn device_id(&self, device: usize) -> Option<i64> {
        Some(unsafe { sys::tw_redistribution_device_id(self.as_ptr(), device) }).filter(|&id| id >= 0)
    }

    /// Dimensions of the array; at least 1, a scalar counts as an array of one element.
    pub fn rank(&self) -> usize {
        unsafe { sys::tw_redistribution_rank(self.as_ptr()) }
    }

    /// Bytes of an element.
    pub fn item_size(&self) -> usize {
        unsafe { sys::tw_redistribution_item_size(self.as_ptr()) }
    }

    /// What a device holds before or after, halos included.
    pub fn tile(&self, side: Side, device: usize) -> Result<Tile> {
        let (plan, rank) = (self.as_ptr(), self.rank());
        Tile::of(rank, |offset, extent| unsafe {
            sys::tw_redistribution_tile(plan, side.code(), device, offset, extent)
        })
    }

    /// The element of the array for which coordinates in tiles of a side stand; `None`: a halo lies around
    /// the array there.
    pub fn element(&self, side: Side, coordinates: &[i64]) -> Result<Option<Vec<i64>>> {
        let rank = self.rank();
        if coordinates.len() != rank {
            let text = format!("the array has {rank} dimensions, not {}", coordinates.len());
            return Err(Error::invalid(text));
        }
        let mut index = vec![0; rank];
        let (plan, out) = (self.as_ptr(), index.as_mut_ptr());
        let found = unsafe { sys::tw_redistribution_element(plan, side.code(), coordinates.as_ptr(), out) };
        Ok((found == 1).then_some(index))
    }

    /// Where devices are lost: devices, and parts of their target tiles that no other device has. What these
    /// parts hold after a run means nothing.
    pub fn missing(&self) -> Result<Vec<(usize, Tile)>> {
        let (plan, rank) = (self.as_ptr(), self.rank());
        let part = |part| {
            let mut device = 0;
            let tile = Tile::of(rank, |offset, extent| unsafe {
                sys::tw_redistribution_missing(plan, part, &mut device, offset, extent)
            })?;
            Ok((device, tile))
        };
        (0..unsafe { sys::tw_redistribution_num_missing(plan) }).map(part).collect()
    }

    /// Whether partial values are combined on the way.
    pub fn combines(&self) -> bool {
        unsafe { sys::tw_redistribution_combines(self.as_ptr()) == 1 }
    }

    pub fn num_steps(&self) -> usize {
        unsafe { sys::tw_redistribution_num_steps(self.as_ptr()) }
    }

    /// "direct", "level", ..
    pub fn method(&self) -> &'static str {
        unsafe { borrowed(sys::tw_redistribution_method(self.as_ptr())) }
    }

    /// Bytes that a device receives over all steps; `None` when there is no such device.
    pub fn bytes_received(&self, device: usize) -> Option<i64> {
        Some(unsafe { sys::tw_redistribution_bytes_received(self.as_ptr(), device) })
            .filter(|&bytes| bytes >= 0)
    }

    /// The bytes that a device must receive at least in any plan: the most over all devices, and their mean.
    pub fn bound(&self) -> Result<(i64, f64)> {
        let (mut most, mut mean) = (0, 0.0);
        check(unsafe { sys::tw_redistribution_bound(self.as_ptr(), &mut most, &mut mean) })?;
        Ok((most, mean))
    }

    pub fn scratch_bytes(&self) -> i64 {
        unsafe { sys::tw_redistribution_scratch_bytes(self.as_ptr()) }
    }

    pub fn height_bytes(&self) -> i64 {
        unsafe { sys::tw_redistribution_height_bytes(self.as_ptr()) }
    }

    /// Whether no plan of the method costs less, with a proof.
    pub fn exact(&self) -> bool {
        unsafe { sys::tw_redistribution_exact(self.as_ptr()) == 1 }
    }

    /// Equal plans have equal hashes, whoever made them: compare it across processes before the first run.
    pub fn hash(&self) -> u64 {
        unsafe { sys::tw_redistribution_hash(self.as_ptr()) }
    }

    /// What `tw redistribute --json` prints, with `check` also that the plan was checked.
    pub fn json(&self, check: bool) -> Result<String> {
        blob_text(|out| unsafe { sys::tw_redistribution_json(self.as_ptr(), check.into(), out) })
    }

    /// The text without --json, no wider than `width` columns; 0: 120.
    pub fn report(&self, check: bool, width: usize) -> Result<String> {
        blob_text(|out| unsafe { sys::tw_redistribution_report(self.as_ptr(), check.into(), width, out) })
    }

    /// Plans none of which is both faster and smaller than another, as JSON.
    pub fn pareto(&self) -> Result<String> {
        blob_text(|out| unsafe { sys::tw_redistribution_pareto(self.as_ptr(), out) })
    }

    /// Replays the plan with code that no planner uses.
    pub fn check(&self) -> Result<()> {
        check(unsafe { sys::tw_redistribution_check(self.as_ptr()) })
    }

    /// The plan bound to threads and scratch memory.
    pub fn redistributor(&self) -> Result<Redistributor> {
        Redistributor::new(&[self], &RedistributorOptions::default())
    }
}

impl fmt::Display for Redistribution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.report(false, 100).map_err(|_| fmt::Error)?)
    }
}

impl fmt::Debug for Redistribution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (method, steps, devices) = (self.method(), self.num_steps(), self.num_devices());
        write!(f, "Redistribution({method}: {steps} steps on {devices} devices)")
    }
}
