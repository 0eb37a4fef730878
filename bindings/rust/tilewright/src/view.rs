// SPDX-License-Identifier: Apache-2.0
//! Elements of dense row-major arrays, indexed by one number a dimension.
use std::ops::{Index, IndexMut};

/// Where an element lies; `None` where there is none.
fn place(dims: &[i64], index: &[usize]) -> Option<usize> {
    if dims.len() != index.len() {
        return None;
    }
    let step = |at: usize, (&i, &dim): (&usize, &i64)| ((i as i64) < dim).then(|| at * dim as usize + i);
    index.iter().zip(dims).try_fold(0, step)
}

fn wrong(dims: &[i64], index: &[usize]) -> ! {
    panic!("there is no element {index:?} in an array of sizes {dims:?}")
}

/// Elements that are read. `view[[1, 0]]` panics where there is no such element; `get` answers `None`.
#[derive(Clone, Copy, Debug)]
pub struct View<'a, T> {
    elements: &'a [T],
    dims: &'a [i64],
}

impl<'a, T> View<'a, T> {
    pub(crate) fn new(elements: &'a [T], dims: &'a [i64]) -> View<'a, T> {
        View { elements, dims }
    }

    pub fn dims(&self) -> &'a [i64] {
        self.dims
    }

    /// All elements, row-major.
    pub fn as_slice(&self) -> &'a [T] {
        self.elements
    }

    pub fn get(&self, index: &[usize]) -> Option<&'a T> {
        self.elements.get(place(self.dims, index)?)
    }
}

impl<T, const N: usize> Index<[usize; N]> for View<'_, T> {
    type Output = T;

    fn index(&self, index: [usize; N]) -> &T {
        self.get(&index).unwrap_or_else(|| wrong(self.dims, &index))
    }
}

/// Elements that are written.
#[derive(Debug)]
pub struct ViewMut<'a, T> {
    elements: &'a mut [T],
    dims: Vec<i64>,
}

impl<'a, T> ViewMut<'a, T> {
    pub(crate) fn new(elements: &'a mut [T], dims: Vec<i64>) -> ViewMut<'a, T> {
        ViewMut { elements, dims }
    }

    pub fn get_mut(&mut self, index: &[usize]) -> Option<&mut T> {
        self.elements.get_mut(place(&self.dims, index)?)
    }
}

impl<T, const N: usize> Index<[usize; N]> for ViewMut<'_, T> {
    type Output = T;

    fn index(&self, index: [usize; N]) -> &T {
        place(&self.dims, &index)
            .and_then(|at| self.elements.get(at))
            .unwrap_or_else(|| wrong(&self.dims, &index))
    }
}

impl<T, const N: usize> IndexMut<[usize; N]> for ViewMut<'_, T> {
    fn index_mut(&mut self, index: [usize; N]) -> &mut T {
        match place(&self.dims, &index) {
            Some(at) => &mut self.elements[at],
            None => wrong(&self.dims, &index),
        }
    }
}
