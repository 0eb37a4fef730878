// SPDX-License-Identifier: Apache-2.0
//! Environments: plans step by step, for who learns to choose actions.
use crate::error::{check, Result};
use crate::estimate::System;
use crate::graph::Graph;
use crate::handle::{handle, made, viewed};
use crate::plan::Plan;
use crate::program::LowerOptions;
use crate::text::{blob_text, Maybe};
use std::fmt;
use tilewright_sys as sys;

handle! {
    RawEnvironment: tw_environment_t, tw_environment_release
}

/// A plan that begins with another one and goes on by numbered actions, of which the last one stops.
///
/// ```
/// use tilewright::{Environment, EnvironmentOptions, Graph, Mesh, System};
/// # fn main() -> tilewright::Result<()> {
/// # let graph = Graph::parse("func.func @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {\n\
/// #   %y = stablehlo.tanh %x : tensor<8x4xf32>\n return %y : tensor<8x4xf32>\n}")?;
/// let plan = graph.plan(&Mesh::new(&[("data", 2)])?)?;
/// let mut environment = Environment::new(&plan, &System::load("a100-40g")?, &EnvironmentOptions::default())?;
/// let legal = environment.mask()?;
/// let action = legal.iter().position(|&may| may).unwrap();
/// let step = environment.step(action)?;
/// println!("{} saved, observed {:?}", step.reward, environment.observe()?);
/// # assert!(environment.price()?.fits && !step.done);
/// # Ok(()) }
/// ```
pub struct Environment {
    raw: RawEnvironment,
    graph: Graph,
}

/// Of an environment. The default decides about all axes of devices, for what a machine's devices have.
#[derive(Clone, Debug, Default)]
pub struct EnvironmentOptions {
    /// Bytes that a device may need at most; 0: what the system's devices have.
    pub cap_bytes: i64,
    /// The axes to decide about, "data,model"; `None`: all of devices.
    pub axes: Option<String>,
    /// No argument is cut in tiles of more than one size.
    pub even_only: bool,
    /// How plans are lowered.
    pub lower: LowerOptions,
}

/// What a step led to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// ln(cost before / cost behind).
    pub reward: f64,
    /// The episode is over.
    pub done: bool,
}

/// What a run costs by a plan, one thing after the other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Price {
    /// Both times; where it does not fit, (2 + 10 * (peak / cap - 1)) times as much.
    pub cost_s: f64,
    pub computing_s: f64,
    pub moving_s: f64,
    /// Of all devices together.
    pub received_bytes: i64,
    /// Of a device.
    pub peak_bytes: i64,
    pub cap_bytes: i64,
    pub fits: bool,
}

impl Environment {
    /// On a machine. What the plan decided stays, and the plan itself does not change.
    pub fn new(plan: &Plan, system: &System, options: &EnvironmentOptions) -> Result<Environment> {
        let axes = Maybe::new(options.axes.as_deref())?;
        let raw = options.lower.with_raw(|lower| {
            let raw_options = sys::tw_environment_options_t {
                cap_bytes: options.cap_bytes,
                axes: axes.as_ptr(),
                even_only: options.even_only.into(),
                lower,
                ..Default::default()
            };
            // SAFETY: the texts are read.
            made(|out| unsafe {
                sys::tw_environment_create(plan.raw.as_ptr(), system.as_ptr(), &raw_options, out)
            })
        })?;
        Ok(Environment { raw, graph: plan.graph().clone() })
    }

    /// Another one that has taken the same steps, for another thread. They share what never changes.
    pub fn try_clone(&self) -> Result<Environment> {
        // SAFETY: an environment. So it is below.
        let raw = made(|out| unsafe { sys::tw_environment_clone(self.raw.as_ptr(), out) })?;
        Ok(Environment { raw, graph: self.graph.clone() })
    }

    /// They are numbered from 0; the last one stops, and ends the episode.
    pub fn num_actions(&self) -> usize {
        unsafe { sys::tw_environment_num_actions(self.raw.as_ptr()) }
    }

    /// Of each action, whether it may be taken now.
    pub fn mask(&mut self) -> Result<Vec<bool>> {
        let mut mask = vec![0; self.num_actions()];
        // SAFETY: an environment, and as many numbers as it has actions.
        check(unsafe { sys::tw_environment_mask(self.raw.as_mut_ptr(), mask.as_mut_ptr(), mask.len()) })?;
        Ok(mask.into_iter().map(|may| may != 0).collect())
    }

    /// Takes an action, and propagates. An error, with the reason, where it would change nothing; then nothing
    /// has changed.
    pub fn step(&mut self, action: usize) -> Result<Step> {
        let (mut reward, mut done) = (0.0, 0);
        // SAFETY: an environment, and two numbers of the caller.
        check(unsafe { sys::tw_environment_step(self.raw.as_mut_ptr(), action, &mut reward, &mut done) })?;
        Ok(Step { reward, done: done != 0 })
    }

    /// Takes the last steps back.
    pub fn undo(&mut self, steps: usize) -> Result<()> {
        check(unsafe { sys::tw_environment_undo(self.raw.as_mut_ptr(), steps) })
    }

    /// Those that were taken: a snapshot for [`Environment::restore`], also of a clone.
    pub fn actions(&self) -> Result<Vec<i64>> {
        let mut actions = vec![0; unsafe { sys::tw_environment_num_steps(self.raw.as_ptr()) }];
        // SAFETY: as many numbers as steps were taken.
        check(unsafe {
            sys::tw_environment_snapshot(self.raw.as_ptr(), actions.as_mut_ptr(), actions.len())
        })?;
        Ok(actions)
    }

    /// Goes where actions lead to; none: to the beginning. What they begin alike with stays as it is.
    pub fn restore(&mut self, actions: &[i64]) -> Result<()> {
        // SAFETY: the actions are read.
        check(unsafe { sys::tw_environment_restore(self.raw.as_mut_ptr(), actions.as_ptr(), actions.len()) })
    }

    /// How many numbers an observation has.
    pub fn num_features(&self) -> usize {
        unsafe { sys::tw_environment_num_features(self.raw.as_ptr()) }
    }

    /// What the plan is like now; `tw_environment.h` says where what stands.
    pub fn observe(&self) -> Result<Vec<f32>> {
        let mut features = vec![0.0; self.num_features()];
        self.observe_into(&mut features)?;
        Ok(features)
    }

    /// The same, into memory of the caller; an error where there is too little.
    pub fn observe_into(&self, out: &mut [f32]) -> Result<()> {
        // SAFETY: the call writes no more than there is room for.
        check(unsafe { sys::tw_environment_observe(self.raw.as_ptr(), out.as_mut_ptr(), out.len()) })
    }

    /// What a run costs now.
    pub fn price(&self) -> Result<Price> {
        let view: sys::tw_price_view_t =
            viewed(|out| unsafe { sys::tw_environment_price(self.raw.as_ptr(), out) })?;
        Ok(Price {
            cost_s: view.cost_s,
            computing_s: view.computing_s,
            moving_s: view.moving_s,
            received_bytes: view.received_bytes,
            peak_bytes: view.peak_bytes,
            cap_bytes: view.cap_bytes,
            fits: view.fits != 0,
        })
    }

    /// The actions so far as the lines of a spec for [`Plan::apply`], with the cost behind each in a comment.
    pub fn spec(&mut self) -> Result<String> {
        let raw = self.raw.as_mut_ptr();
        blob_text(|out| unsafe { sys::tw_environment_spec(raw, out) })
    }

    /// The plan with these actions.
    pub fn plan(&mut self) -> Result<Plan> {
        let raw = self.raw.as_mut_ptr();
        let plan = made(|out| unsafe { sys::tw_environment_plan(raw, out) })?;
        Ok(Plan::of(plan, self.graph.clone()))
    }

    /// What the numbers of actions and observations mean, as JSON; `tw_environment.h` has its form.
    pub fn report(&self) -> Result<String> {
        blob_text(|out| unsafe { sys::tw_environment_json(self.raw.as_ptr(), out) })
    }
}

impl fmt::Debug for Environment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Environment(of {:?}, {:?})", self.graph.name(), self.price())
    }
}
