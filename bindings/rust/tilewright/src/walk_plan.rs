// SPDX-License-Identifier: Apache-2.0
//! Walking a plan: shardings, loop nests, actions and conflicts.
use crate::error::{check, Result};
use crate::handle::{made, shared_handle, viewed};
use crate::mesh::Mesh;
use crate::plan::{Action, Plan};
use crate::sharding::{Reduction, Sharding};
use crate::text::borrowed;
use crate::walk::{OpId, ValueId};
use std::fmt;
use tilewright_sys as sys;

/// What a loop over an axis does to its op.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LoopKind {
    /// Tiles results.
    Tile,
    /// Reduces: each turn makes a partial value.
    Reduce,
    /// Nothing: the op is kept whole on the axis on purpose.
    Whole,
}

impl LoopKind {
    fn of(code: sys::tw_loop_kind_t) -> LoopKind {
        match code {
            sys::TW_LOOP_REDUCE => LoopKind::Reduce,
            sys::TW_LOOP_WHOLE => LoopKind::Whole,
            _ => LoopKind::Tile,
        }
    }
}

/// A dimension, where there is one.
fn known(dim: i32) -> Option<usize> {
    usize::try_from(dim).ok()
}

/// One loop around an op.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loop<'p> {
    /// In the plan's mesh.
    pub axis: &'p str,
    pub kind: LoopKind,
    /// Of the first result, or the first operand, that it tiles.
    pub dim: Option<usize>,
    pub reduction: Reduction,
    /// From which it follows; see [`Plan::actions`].
    pub action: usize,
    /// The neighbour whose loop it follows; `None`: an action put it here.
    pub cause: Option<OpId>,
    /// The dimension of each operand that it tiles.
    pub operand_dims: Vec<Option<usize>>,
    /// And of each result.
    pub result_dims: Vec<Option<usize>>,
}

pub(crate) unsafe fn action<'p>(raw: &sys::tw_action_view_t) -> Action<'p> {
    Action { text: borrowed(raw.text), file: borrowed(raw.file), line: raw.line }
}

impl Plan {
    /// The mesh as it is now: with the axes that actions added, and parts of axes of which they name some.
    pub fn mesh(&self) -> Mesh {
        // SAFETY: a plan.
        made(|out| unsafe { sys::tw_plan_mesh(self.raw.as_ptr(), out) }).expect("a plan has a mesh")
    }

    /// How a value lies as its users get it. A dimension of it is open where propagation may still tile it.
    pub fn value_sharding(&self, value: impl Into<ValueId>) -> Result<Sharding> {
        let number = value.into().0;
        // SAFETY: any number is fine. So it is below.
        made(|out| unsafe { sys::tw_plan_value_sharding(self.raw.as_ptr(), number, out) })
    }

    /// How argument `i` is given.
    pub fn argument_sharding(&self, i: usize) -> Result<Sharding> {
        made(|out| unsafe { sys::tw_plan_argument_sharding(self.raw.as_ptr(), i, out) })
    }

    /// How result `i` is handed out.
    pub fn result_sharding(&self, i: usize) -> Result<Sharding> {
        made(|out| unsafe { sys::tw_plan_result_sharding(self.raw.as_ptr(), i, out) })
    }

    /// The actions so far. Action 0 stands for the annotations of the module as a whole.
    pub fn actions(&self) -> impl ExactSizeIterator<Item = Action<'_>> + '_ {
        let plan = self.raw.as_ptr();
        // SAFETY: the numbers are below the count; strings are valid until the plan changes.
        (0..unsafe { sys::tw_plan_num_actions(plan) }).map(move |i| unsafe {
            action(&viewed(|out| sys::tw_plan_action(plan, i, out)).expect("the number is below the count"))
        })
    }

    /// The loops around an op, outermost first. None where nothing was decided.
    pub fn loops(&self, op: OpId) -> Result<Vec<Loop<'_>>> {
        let plan = self.raw.as_ptr();
        let graph_op = self.graph().op(op)?;
        let counts = (graph_op.operands.len(), graph_op.results().len());
        // SAFETY: strings are valid until the plan changes; the outputs are as long as the op has operands
        // and results.
        let one = |i| unsafe {
            let view: sys::tw_loop_view_t = viewed(|out| sys::tw_plan_loop(plan, op.0, i, out))?;
            let (mut operands, mut results) = (vec![-1; counts.0], vec![-1; counts.1]);
            check(sys::tw_plan_loop_dims(plan, op.0, i, operands.as_mut_ptr(), results.as_mut_ptr()))?;
            Ok(Loop {
                axis: borrowed(view.axis),
                kind: LoopKind::of(view.kind),
                dim: known(view.dim),
                reduction: Reduction::of(view.reduction),
                action: view.action,
                cause: OpId::known(view.cause),
                operand_dims: operands.into_iter().map(known).collect(),
                result_dims: results.into_iter().map(known).collect(),
            })
        };
        (0..unsafe { sys::tw_plan_num_loops(plan, op.0) }).map(one).collect()
    }

    /// What propagation could not decide. Costs are not known.
    pub fn conflicts(&self) -> Result<Conflicts> {
        made(|out| unsafe { sys::tw_plan_conflicts(self.raw.as_ptr(), out) })
    }

    /// Decided neighbours that do not agree: mismatches, and what must stay whole. Costs are not known.
    pub fn disagreements(&self) -> Result<Conflicts> {
        made(|out| unsafe { sys::tw_plan_disagreements(self.raw.as_ptr(), out) })
    }
}

shared_handle! {
    /// Conflicts, as they were when the list was made.
    Conflicts: tw_conflicts_t, tw_conflicts_retain, tw_conflicts_release
}

/// Why an axis was not given to an op, or a value moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ConflictKind {
    /// Neighbours offer different things, equally near.
    Tie,
    /// Not every operand is tiled; propagation with inference would go on.
    Gate,
    /// A reshape would cut inside blocks that stay together.
    Uneven,
    /// A tile inside a reshaped dimension would not be contiguous.
    Strided,
    /// Decided, and a neighbour is tiled another way: the value between them moves.
    Mismatch,
    /// What a neighbour offers must stay whole in the op.
    Illegal,
}

/// One conflict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict<'c> {
    pub kind: ConflictKind,
    pub axis: &'c str,
    /// Where; for a value on which an action was, the op that makes it.
    pub op: Option<OpId>,
    /// Its first result.
    pub value: Option<ValueId>,
    /// All of it in a line, for people.
    pub text: &'c str,
    /// How it may be decided. Of a disagreement the first is what the op does now.
    pub ways: Vec<Way<'c>>,
}

/// One way to decide a conflict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Way<'c> {
    pub kind: LoopKind,
    pub dim: Option<usize>,
    pub reduction: Reduction,
    /// "tile 0", or with the order of axes where that is at stake, "tile 0 {b,a}".
    pub text: &'c str,
    /// The neighbour that offers it, and the action from which that follows.
    pub source: Option<(OpId, usize)>,
    /// Bytes that the busiest device receives in the program with this decided, and how many more than in the
    /// program as it stands; `None`: not known.
    pub bytes: Option<(i64, i64)>,
}

impl Conflicts {
    pub fn len(&self) -> usize {
        // SAFETY: a list.
        unsafe { sys::tw_conflicts_count(self.as_ptr()) }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn get(&self, i: usize) -> Result<Conflict<'_>> {
        // SAFETY: strings are the list's.
        unsafe {
            let view: sys::tw_conflict_view_t = viewed(|out| sys::tw_conflicts_view(self.as_ptr(), i, out))?;
            Ok(Conflict {
                kind: match view.kind {
                    sys::TW_CONFLICT_GATE => ConflictKind::Gate,
                    sys::TW_CONFLICT_UNEVEN => ConflictKind::Uneven,
                    sys::TW_CONFLICT_STRIDED => ConflictKind::Strided,
                    sys::TW_CONFLICT_MISMATCH => ConflictKind::Mismatch,
                    sys::TW_CONFLICT_ILLEGAL => ConflictKind::Illegal,
                    _ => ConflictKind::Tie,
                },
                axis: borrowed(view.axis),
                op: OpId::known(view.op),
                value: ValueId::known(view.value),
                text: borrowed(view.text),
                ways: (0..view.num_ways).map(|way| self.way(i, way)).collect::<Result<_>>()?,
            })
        }
    }

    unsafe fn way(&self, i: usize, way: usize) -> Result<Way<'_>> {
        let view: sys::tw_way_view_t = viewed(|out| sys::tw_conflicts_way(self.as_ptr(), i, way, out))?;
        Ok(Way {
            kind: LoopKind::of(view.kind),
            dim: known(view.dim),
            reduction: Reduction::of(view.reduction),
            text: borrowed(view.text),
            source: OpId::known(view.source).map(|op| (op, view.action)),
            bytes: (view.bytes >= 0).then_some((view.bytes, view.more_bytes)),
        })
    }

    pub fn iter(&self) -> impl ExactSizeIterator<Item = Conflict<'_>> + '_ {
        (0..self.len()).map(move |i| self.get(i).expect("the number is below the count"))
    }
}

impl fmt::Debug for Conflicts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter().map(|conflict| conflict.text)).finish()
    }
}
