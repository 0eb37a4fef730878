// SPDX-License-Identifier: Apache-2.0
//! Building ops with all that they can have, and regions.
use crate::attribute::{Attribute, RawAttributes};
use crate::builder::{Builder, Value};
use crate::dtype::Dtype;
use crate::error::{Error, Result};
use crate::graph::Type;
use crate::text::{c_string, Maybe};
use std::convert::TryInto;
use tilewright_sys as sys;

/// A region of a builder, given to one op.
#[derive(Debug)]
#[must_use]
pub struct Region {
    number: u32,
    builder: u32,
}

/// An op that is being described; [`Builder::op`] makes one. `result`, `results` or `results_vec` add it.
#[must_use]
#[derive(Debug)]
pub struct BuildOp<'b> {
    builder: &'b mut Builder,
    name: String,
    operands: Vec<Value>,
    regions: Vec<Region>,
    attributes: Vec<(String, Attribute)>,
    types: Vec<Type>,
    location: Option<String>,
    position: (u32, u32),
}

impl Builder {
    /// An op with several results, regions, stated types or a location.
    ///
    /// ```
    /// use tilewright::{Builder, Dtype, Type};
    /// # fn main() -> tilewright::Result<()> {
    /// let mut b = Builder::new("count")?;
    /// let i32 = Type::new(Dtype::S32, &[]);
    /// let zero = b.splat(0.0, Dtype::S32, &[]);
    /// let condition = b.region(&[i32.clone()], |b, i| {
    ///     let ten = b.splat(10.0, Dtype::S32, &[]);
    ///     vec![b.compare("LT", i[0], ten)]
    /// });
    /// let body = b.region(&[i32], |b, i| {
    ///     let one = b.splat(1.0, Dtype::S32, &[]);
    ///     vec![b.binary("add", i[0], one)]
    /// });
    /// let last = b.op("while").operands(&[zero]).region(condition).region(body).result();
    /// b.result("last", last);
    /// let outputs = b.finish()?.evaluate::<tilewright::Tensor>(&[])?;
    /// assert_eq!(outputs[0].as_slice::<i32>()?, [10]);
    /// # Ok(()) }
    /// ```
    pub fn op(&mut self, name: &str) -> BuildOp<'_> {
        BuildOp {
            builder: self,
            name: name.to_owned(),
            operands: vec![],
            regions: vec![],
            attributes: vec![],
            types: vec![],
            location: None,
            position: (0, 0),
        }
    }

    /// A region with arguments of these types: what `body` adds, which answers what the region gives back.
    /// The op that takes it is added afterwards.
    pub fn region(
        &mut self,
        types: &[Type],
        body: impl FnOnce(&mut Builder, &[Value]) -> Vec<Value>,
    ) -> Region {
        let raw: Vec<_> = types.iter().map(Type::to_raw).collect();
        let mut numbers = vec![sys::TW_NO_VALUE; raw.len()];
        // SAFETY: as many types as places for arguments.
        unsafe {
            sys::tw_builder_begin_region(self.raw.as_mut_ptr(), raw.as_ptr(), raw.len(), numbers.as_mut_ptr())
        };
        let arguments: Vec<_> = numbers.into_iter().map(|number| self.value(number)).collect();
        let yields = body(self, &arguments);
        let given = self.numbers(&yields).unwrap_or_else(|error| {
            self.fail(error);
            vec![]
        });
        // SAFETY: values of this builder.
        let number =
            unsafe { sys::tw_builder_end_region(self.raw.as_mut_ptr(), given.as_ptr(), given.len()) };
        Region { number, builder: self.id() }
    }

    /// A region that combines two scalars by one op, "add" or "maximum": what reduce, reduce_window, scatter
    /// and select_and_scatter take.
    pub fn combiner(&mut self, op: &str, dtype: Dtype) -> Region {
        let number = c_string(op).map(|op| {
            // SAFETY: the name is read.
            unsafe { sys::tw_builder_combiner(self.raw.as_mut_ptr(), op.as_ptr(), dtype.code()) }
        });
        let number = number.unwrap_or_else(|error| {
            self.fail(error);
            sys::TW_NO_REGION
        });
        Region { number, builder: self.id() }
    }
}

impl BuildOp<'_> {
    pub fn operands(mut self, operands: &[Value]) -> Self {
        self.operands.extend_from_slice(operands);
        self
    }

    pub fn region(mut self, region: Region) -> Self {
        self.regions.push(region);
        self
    }

    /// An attribute of the op's schema.
    pub fn attribute(mut self, name: &str, value: impl Into<Attribute>) -> Self {
        self.attributes.push((name.to_owned(), value.into()));
        self
    }

    /// The type of the next result. They must fit; without any they are inferred.
    pub fn result_type(mut self, result: Type) -> Self {
        self.types.push(result);
        self
    }

    /// Where it comes from, `model.py:12`.
    pub fn location(mut self, location: &str) -> Self {
        self.location = Some(location.to_owned());
        self
    }

    /// Where it stands in a text.
    pub fn position(mut self, line: u32, column: u32) -> Self {
        self.position = (line, column);
        self
    }

    /// Adds the op, which has one result.
    pub fn result(self) -> Value {
        self.results::<1>()[0]
    }

    /// Adds the op, which has N results.
    pub fn results<const N: usize>(self) -> [Value; N] {
        self.results_vec(N).try_into().expect("as many as were asked for")
    }

    /// Adds the op, which has `count` results.
    pub fn results_vec(mut self, count: usize) -> Vec<Value> {
        let mut made = vec![sys::TW_NO_VALUE; count + 1];
        if let Err(error) = self.add(&mut made) {
            self.builder.fail(error);
        } else if self.builder.check().is_ok() {
            let has = made.iter().take_while(|&&number| number != sys::TW_NO_VALUE).count();
            if has != count {
                let more = if has > count { "more" } else { "fewer" };
                let text = format!("{} has {more} results than the {count} that were asked for", self.name);
                self.builder.fail(Error::invalid(text));
            }
        }
        made.truncate(count);
        made.into_iter().map(|number| self.builder.value(number)).collect()
    }

    fn add(&mut self, made: &mut [u32]) -> Result<()> {
        let operands = self.builder.numbers(&self.operands)?;
        if self.regions.iter().any(|region| region.builder != self.builder.id()) {
            return Err(Error::invalid("a region of another builder was given"));
        }
        let regions: Vec<_> = self.regions.iter().map(|region| region.number).collect();
        let attributes = RawAttributes::new(&self.attributes)?;
        let types: Vec<_> = self.types.iter().map(Type::to_raw).collect();
        let (name, location) = (c_string(&self.name)?, Maybe::new(self.location.as_deref())?);
        let spec = sys::tw_op_spec_t {
            name: name.as_ptr(),
            operands: operands.as_ptr(),
            num_operands: operands.len(),
            regions: regions.as_ptr(),
            num_regions: regions.len(),
            attrs: attributes.as_ptr(),
            num_attrs: attributes.len(),
            result_types: if types.is_empty() { std::ptr::null() } else { types.as_ptr() },
            num_result_types: types.len(),
            location: location.as_ptr(),
            line: self.position.0,
            column: self.position.1,
            ..Default::default()
        };
        // SAFETY: everything that the struct points at is alive.
        unsafe { sys::tw_builder_op(self.builder.raw.as_mut_ptr(), &spec, made.as_mut_ptr(), made.len()) };
        Ok(())
    }
}
