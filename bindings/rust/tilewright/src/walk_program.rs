// SPDX-License-Identifier: Apache-2.0
//! Walking a program: instructions, local values and collectives.
use crate::error::Result;
use crate::handle::{made, viewed};
use crate::mesh::Mesh;
use crate::plan::Action;
use crate::program::Program;
use crate::sharding::{Reduction, Sharding};
use crate::text::{array, borrowed};
use crate::walk::{ids, LocalId, OpId, ValueId};
use crate::walk_plan::{action, Conflicts};
use tilewright_sys as sys;

/// What an instruction does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum InstrKind {
    /// The caller's tile of this argument.
    Argument(u32),
    /// Runs its op on tiles.
    Compute,
    /// Devices exchange or combine what they hold: this collective.
    Collective(u32),
    /// Its operand is the caller's tile of this result.
    Result(u32),
    /// Of a while, if or case: before its first region, between two, or behind the last.
    Region(u32),
    /// What follows runs once for each place along this serial or threads axis.
    Loop(u32),
    EndLoop,
    /// A step of such loops puts its tile into the result, or adds its partial value.
    Accumulate,
    /// Each device takes a part of what it holds itself.
    Slice,
}

/// One instruction.
#[derive(Clone, Copy, Debug)]
pub struct Instr<'p> {
    pub kind: InstrKind,
    /// What it runs; of a collective the op whose operand or result moves.
    pub op: Option<OpId>,
    pub operands: &'p [LocalId],
    first_result: u32,
    num_results: u32,
    /// Axes over which this compute leaves partial values: bit a is axis a of [`Program::mesh`].
    pub reduce_axes: u64,
}

impl Instr<'_> {
    pub fn results(&self) -> impl ExactSizeIterator<Item = LocalId> {
        let end =
            if self.num_results == 0 { self.first_result } else { self.first_result + self.num_results };
        (self.first_result..end).map(LocalId)
    }
}

/// A value of the graph as the devices hold it in one layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Local {
    /// In the graph, whose type it has. None: lowering added it.
    pub origin: Option<ValueId>,
    /// That makes it.
    pub instr: usize,
}

/// What kind of collective.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CollectiveKind {
    AllGather,
    AllReduce,
    ReduceScatter,
    AllToAll,
    Permute,
    /// None of these: every device gets what it lacks from who holds it.
    Exchange,
}

/// One collective.
#[derive(Clone, Copy, Debug)]
pub struct Collective<'p> {
    pub kind: CollectiveKind,
    /// By which partial values combine.
    pub reduction: Reduction,
    /// Over which data moves: bit a is axis a of [`Program::mesh`].
    pub axes: u64,
    /// Whose operands and results are what moves, before and after.
    pub instr: usize,
    /// Of the graph: the first that moves.
    pub value: Option<ValueId>,
    /// The two ops whose layouts differ.
    pub producer: Option<OpId>,
    pub consumer: Option<OpId>,
    /// Whose decision asks for it: see [`Program::actions`].
    pub action: usize,
    /// How often it runs; 1 in a loop whose turns depend on data.
    pub times: i64,
    /// By the device that receives most, each time.
    pub bytes_received: i64,
    pub mean_bytes_received: f64,
    /// "direct": straight from the holders.
    pub method: &'p str,
    pub num_steps: u32,
    /// What the group, and at last the device, that receives most gets from others, outermost level first.
    pub bytes_by_level: &'p [i64],
    /// Of intermediate tiles, on the device that needs most.
    pub scratch_bytes: i64,
}

fn instr_kind(view: &sys::tw_instr_view_t) -> InstrKind {
    match view.kind {
        sys::TW_INSTR_ARGUMENT => InstrKind::Argument(view.index),
        sys::TW_INSTR_COLLECTIVE => InstrKind::Collective(view.collective),
        sys::TW_INSTR_RESULT => InstrKind::Result(view.index),
        sys::TW_INSTR_REGION => InstrKind::Region(view.index),
        sys::TW_INSTR_LOOP => InstrKind::Loop(view.index),
        sys::TW_INSTR_END_LOOP => InstrKind::EndLoop,
        sys::TW_INSTR_ACCUMULATE => InstrKind::Accumulate,
        sys::TW_INSTR_SLICE => InstrKind::Slice,
        _ => InstrKind::Compute,
    }
}

impl CollectiveKind {
    pub(crate) fn of(code: sys::tw_collective_kind_t) -> CollectiveKind {
        match code {
            sys::TW_COLLECTIVE_ALL_GATHER => CollectiveKind::AllGather,
            sys::TW_COLLECTIVE_ALL_REDUCE => CollectiveKind::AllReduce,
            sys::TW_COLLECTIVE_REDUCE_SCATTER => CollectiveKind::ReduceScatter,
            sys::TW_COLLECTIVE_ALL_TO_ALL => CollectiveKind::AllToAll,
            sys::TW_COLLECTIVE_PERMUTE => CollectiveKind::Permute,
            _ => CollectiveKind::Exchange,
        }
    }
}

impl Program {
    /// The mesh on which it runs.
    pub fn mesh(&self) -> Mesh {
        // SAFETY: a program.
        made(|out| unsafe { sys::tw_program_mesh(self.as_ptr(), out) }).expect("a program has a mesh")
    }

    /// Which tile of argument `i` each device takes.
    pub fn argument_sharding(&self, i: usize) -> Result<Sharding> {
        // SAFETY: any number is fine. So it is below.
        made(|out| unsafe { sys::tw_program_argument_sharding(self.as_ptr(), i, out) })
    }

    /// Which tile of result `i` each device gives.
    pub fn result_sharding(&self, i: usize) -> Result<Sharding> {
        made(|out| unsafe { sys::tw_program_result_sharding(self.as_ptr(), i, out) })
    }

    /// The actions that it follows.
    pub fn actions(&self) -> impl ExactSizeIterator<Item = Action<'_>> + '_ {
        let program = self.as_ptr();
        // SAFETY: the numbers are below the count; strings are the program's.
        (0..unsafe { sys::tw_program_num_actions(program) }).map(move |i| unsafe {
            action(
                &viewed(|out| sys::tw_program_action(program, i, out))
                    .expect("the number is below the count"),
            )
        })
    }

    /// All local values; [`LocalId`]s count them.
    pub fn locals(&self) -> impl ExactSizeIterator<Item = Local> + '_ {
        let count = unsafe { sys::tw_program_num_locals(self.as_ptr()) } as u32;
        (0..count).map(move |local| self.local(LocalId(local)).expect("the number is below the count"))
    }

    pub fn local(&self, local: LocalId) -> Result<Local> {
        let view: sys::tw_local_view_t =
            viewed(|out| unsafe { sys::tw_program_local(self.as_ptr(), local.0, out) })?;
        Ok(Local { origin: ValueId::known(view.origin), instr: view.instr as usize })
    }

    pub fn local_sharding(&self, local: LocalId) -> Result<Sharding> {
        made(|out| unsafe { sys::tw_program_local_sharding(self.as_ptr(), local.0, out) })
    }

    /// All instructions, in order.
    pub fn instrs(&self) -> impl ExactSizeIterator<Item = Instr<'_>> + '_ {
        let count = unsafe { sys::tw_program_num_instrs(self.as_ptr()) };
        (0..count).map(move |i| self.instr(i).expect("the number is below the count"))
    }

    pub fn instr(&self, i: usize) -> Result<Instr<'_>> {
        // SAFETY: pointers are the program's.
        unsafe {
            let view: sys::tw_instr_view_t = viewed(|out| sys::tw_program_instr(self.as_ptr(), i, out))?;
            Ok(Instr {
                kind: instr_kind(&view),
                op: OpId::known(view.op),
                operands: ids(view.operands, view.num_operands as usize),
                first_result: view.first_result,
                num_results: view.num_results,
                reduce_axes: view.reduce_axes,
            })
        }
    }

    /// All collectives, by their numbers.
    pub fn collectives(&self) -> impl ExactSizeIterator<Item = Collective<'_>> + '_ {
        (0..self.num_collectives()).map(move |i| self.collective(i).expect("the number is below the count"))
    }

    pub fn collective(&self, i: usize) -> Result<Collective<'_>> {
        // SAFETY: pointers are the program's.
        unsafe {
            let view: sys::tw_collective_view_t =
                viewed(|out| sys::tw_program_collective(self.as_ptr(), i, out))?;
            Ok(Collective {
                kind: CollectiveKind::of(view.kind),
                reduction: Reduction::of(view.reduction),
                axes: view.axes,
                instr: view.instr as usize,
                value: ValueId::known(view.value),
                producer: OpId::known(view.producer),
                consumer: OpId::known(view.consumer),
                action: view.action,
                times: view.times,
                bytes_received: view.bytes_received,
                mean_bytes_received: view.mean_bytes_received,
                method: borrowed(view.method),
                num_steps: view.num_steps,
                bytes_by_level: array(view.bytes_by_level, view.num_levels),
                scratch_bytes: view.scratch_bytes,
            })
        }
    }

    /// As [`crate::Plan::conflicts`], with the bytes of each way. Lowers parts of the plan again: for large
    /// programs it takes seconds.
    pub fn conflicts(&self) -> Result<Conflicts> {
        made(|out| unsafe { sys::tw_program_conflicts(self.as_ptr(), out) })
    }

    /// As [`crate::Plan::disagreements`], with the bytes of each way.
    pub fn disagreements(&self) -> Result<Conflicts> {
        made(|out| unsafe { sys::tw_program_disagreements(self.as_ptr(), out) })
    }
}
