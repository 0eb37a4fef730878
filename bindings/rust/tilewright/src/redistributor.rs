// SPDX-License-Identifier: Apache-2.0
//! Redistributions that run in this process, on slices.
use crate::dtype::Element;
use crate::error::{check, Error, Result, Status};
use crate::handle::{handle, made};
use crate::redistribution::{Redistribution, Side};
use std::os::raw::{c_int, c_void};
use std::{fmt, mem, ptr};
use tilewright_sys as sys;

handle! {
    RawRedistributor: tw_redistributor_t, tw_redistributor_release
}

/// Plans over the same number of devices, bound to threads and scratch memory. One run at a time.
pub struct Redistributor {
    raw: RawRedistributor,
    plans: Vec<Redistribution>,
    /// Of each plan that combines partial values their type, as MLIR spells it.
    sums: Vec<Option<String>>,
    donate: bool,
}

/// How plans are bound.
#[derive(Clone, Copy, Debug, Default)]
pub struct RedistributorOptions {
    /// Threads, the caller of run being one of them; 0: one a core. Results do not depend on it.
    pub workers: i32,
    /// The source tiles may be overwritten, and a target tile may lie in its device's source tile.
    pub donate: bool,
    /// Nobody writes to tiles once they are made, so that devices share equal ones; see
    /// [`Redistributor::home`].
    pub share: bool,
}

/// Where a target tile lies: in the source or target tile of a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Home {
    pub side: Side,
    pub device: usize,
}

impl Redistributor {
    /// Several plans over the same number of devices run as one.
    pub fn new(plans: &[&Redistribution], options: &RedistributorOptions) -> Result<Redistributor> {
        let raw_options = sys::tw_redistributor_options_t {
            workers: options.workers,
            donate: options.donate.into(),
            share: options.share.into(),
            ..Default::default()
        };
        let pointers: Vec<_> = plans.iter().map(|plan| plan.as_ptr()).collect();
        let count = pointers.len();
        // SAFETY: as many plans as the count says.
        let raw =
            made(|out| unsafe { sys::tw_redistributor_create(pointers.as_ptr(), count, &raw_options, out) })?;
        let sums = plans.iter().map(|plan| combined_type(plan)).collect::<Result<_>>()?;
        let plans = plans.iter().map(|&plan| plan.clone()).collect();
        Ok(Redistributor { raw, plans, sums, donate: options.donate })
    }

    /// Intermediate tiles, over all devices and plans; allocated once.
    pub fn scratch_bytes(&self) -> i64 {
        // SAFETY: a redistributor.
        unsafe { sys::tw_redistributor_scratch_bytes(self.raw.as_ptr()) }
    }

    /// Where the target tile of a device lies. Without `share` and `donate` it is the device's own target
    /// tile.
    pub fn home(&self, plan: usize, device: usize) -> Result<Home> {
        let (mut in_source, mut at): (c_int, usize) = (0, 0);
        let raw = self.raw.as_ptr();
        // SAFETY: any numbers are fine.
        check(unsafe { sys::tw_redistributor_home(raw, plan, device, &mut in_source, &mut at) })?;
        Ok(Home { side: if in_source == 0 { Side::Target } else { Side::Source }, device: at })
    }

    /// Moves tiles: a slice per plan and device (plan-major), dense and row-major; an empty one where a
    /// device holds nothing, or where its target tile lies elsewhere. The elements must have the plan's size,
    /// and where it combines partial values the plan's type.
    pub fn run<T: Element>(&mut self, sources: &[&[T]], targets: &mut [&mut [T]]) -> Result<()> {
        if self.donate {
            let text = "a redistributor that overwrites its sources runs by run_donating";
            return Err(Error::new(Status::FailedPrecondition, text));
        }
        let before: Vec<_> = sources.iter().map(|tile| (tile.as_ptr().cast(), tile.len())).collect();
        self.run_on::<T>(&before, targets)
    }

    /// The same where sources may be overwritten.
    pub fn run_donating<T: Element>(
        &mut self,
        sources: &mut [&mut [T]],
        targets: &mut [&mut [T]],
    ) -> Result<()> {
        let tile = |tile: &mut &mut [T]| (tile.as_mut_ptr() as *const c_void, tile.len());
        let before: Vec<_> = sources.iter_mut().map(tile).collect();
        self.run_on::<T>(&before, targets)
    }

    fn run_on<T: Element>(
        &mut self,
        sources: &[(*const c_void, usize)],
        targets: &mut [&mut [T]],
    ) -> Result<()> {
        let after: Vec<_> =
            targets.iter_mut().map(|tile| (tile.as_mut_ptr().cast::<c_void>(), tile.len())).collect();
        for (side, lengths) in [
            (Side::Source, sources.iter().map(|tile| tile.1).collect::<Vec<_>>()),
            (Side::Target, after.iter().map(|tile| tile.1).collect()),
        ] {
            self.check_tiles::<T>(side, &lengths)?;
        }
        let maybe = |&(data, len): &(*const c_void, usize)| if len == 0 { ptr::null() } else { data };
        let before: Vec<_> = sources.iter().map(maybe).collect();
        let after: Vec<_> =
            after.iter().map(|&(data, len)| if len == 0 { ptr::null_mut() } else { data }).collect();
        // SAFETY: every tile has the size of the plan, or is NULL where nobody looks; slices do not overlap.
        check(unsafe { sys::tw_redistributor_run(self.raw.as_mut_ptr(), before.as_ptr(), after.as_ptr()) })
    }

    /// Whether tiles are as many and as large as the plans say.
    fn check_tiles<T: Element>(&self, side: Side, lengths: &[usize]) -> Result<()> {
        let item_size = mem::size_of::<T>();
        let devices = self.plans.first().map_or(0, Redistribution::num_devices);
        if lengths.len() != self.plans.len() * devices {
            let (tiles, plans) = (lengths.len(), self.plans.len());
            return Err(Error::invalid(format!("{tiles} tiles for {plans} plans on {devices} devices")));
        }
        for (at, &length) in lengths.iter().enumerate() {
            let (i, device) = (at / devices, at % devices);
            let plan = &self.plans[i];
            if plan.item_size() != item_size {
                let text = format!("elements of {item_size} bytes, the plan's have {}", plan.item_size());
                return Err(Error::invalid(text));
            }
            if let Some(sum) = self.sums[i].as_deref().filter(|&sum| sum != T::DTYPE.name()) {
                let text = format!("elements are {}, the plan sums {sum}", T::DTYPE);
                return Err(Error::invalid(text));
            }
            let wanted: i64 = plan.tile(side, device)?.extent.iter().product();
            let elsewhere = side == Side::Target && self.home(i, device)? != Home { side, device };
            if length as i64 != wanted && !(length == 0 && elsewhere) {
                let which = if side == Side::Source { "source" } else { "target" };
                let text = format!(
                    "the {which} tile of device {device} has {length} elements, not the {wanted} of the plan"
                );
                return Err(Error::invalid(text));
            }
        }
        Ok(())
    }
}

/// The type whose values a plan combines; none where it only moves them.
fn combined_type(plan: &Redistribution) -> Result<Option<String>> {
    if !plan.combines() {
        return Ok(None);
    }
    let json = plan.json(false)?;
    let rest = json.split_once("\"dtype\": \"").map_or("", |(_, rest)| rest);
    Ok(rest.split('"').next().map(str::to_owned))
}

impl fmt::Debug for Redistributor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.plans).finish()
    }
}
