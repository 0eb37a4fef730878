// SPDX-License-Identifier: Apache-2.0
//! Attributes of ops and calls.
use crate::error::Result;
use crate::text::{array, borrowed, c_string};
use std::ffi::CString;
use std::os::raw::c_char;
use std::ptr;
use tilewright_sys as sys;

/// The value of an attribute. Numbers, booleans, texts and arrays of integers become one by `into()`.
#[derive(Clone, Debug, PartialEq)]
pub enum Attribute {
    Integer(i64),
    Real(f64),
    Text(String),
    Ints(Vec<i64>),
    Boolean(bool),
}

macro_rules! from {
    ($($type:ty: $value:ident => $made:expr),* $(,)?) => {
        $(impl From<$type> for Attribute {
            fn from($value: $type) -> Attribute {
                $made
            }
        })*
    };
}
from! {
    i64: v => Attribute::Integer(v),
    i32: v => Attribute::Integer(v.into()),
    f64: v => Attribute::Real(v),
    &str: v => Attribute::Text(v.to_owned()),
    &[i64]: v => Attribute::Ints(v.to_vec()),
    Vec<i64>: v => Attribute::Ints(v),
    bool: v => Attribute::Boolean(v),
    crate::Dtype: v => Attribute::Integer(v.code().into()),
}

impl<const N: usize> From<[i64; N]> for Attribute {
    fn from(values: [i64; N]) -> Attribute {
        Attribute::Ints(values.to_vec())
    }
}

impl Attribute {
    /// # Safety
    /// The pointers are valid.
    pub(crate) unsafe fn from_raw(raw: &sys::tw_attr_t) -> Attribute {
        match raw.kind {
            sys::TW_ATTR_REAL => Attribute::Real(raw.real),
            sys::TW_ATTR_STRING => Attribute::Text(borrowed(raw.string).to_owned()),
            sys::TW_ATTR_INTS => Attribute::Ints(array(raw.ints, raw.num_ints).to_vec()),
            sys::TW_ATTR_BOOLEAN => Attribute::Boolean(raw.integer != 0),
            _ => Attribute::Integer(raw.integer),
        }
    }

    pub fn as_integer(&self) -> Option<i64> {
        if let Attribute::Integer(value) = self {
            Some(*value)
        } else {
            None
        }
    }

    pub fn as_real(&self) -> Option<f64> {
        if let Attribute::Real(value) = self {
            Some(*value)
        } else {
            None
        }
    }

    pub fn as_text(&self) -> Option<&str> {
        if let Attribute::Text(value) = self {
            Some(value)
        } else {
            None
        }
    }

    pub fn as_ints(&self) -> Option<&[i64]> {
        if let Attribute::Ints(value) = self {
            Some(value)
        } else {
            None
        }
    }

    pub fn as_boolean(&self) -> Option<bool> {
        if let Attribute::Boolean(value) = self {
            Some(*value)
        } else {
            None
        }
    }
}

/// Attributes as structs, which point at names and values.
pub(crate) struct RawAttributes<'a> {
    _texts: Vec<(CString, Option<CString>)>,
    attributes: Vec<sys::tw_attr_t>,
    _values: std::marker::PhantomData<&'a Attribute>,
}

impl<'a> RawAttributes<'a> {
    pub(crate) fn new(attributes: &'a [(String, Attribute)]) -> Result<RawAttributes<'a>> {
        let texts = |(name, value): &(String, Attribute)| {
            Ok((c_string(name)?, value.as_text().map(c_string).transpose()?))
        };
        let texts = attributes.iter().map(texts).collect::<Result<Vec<_>>>()?;
        let raw = |((_, value), (name, text)): (&(String, Attribute), &(CString, Option<CString>))| {
            let name: *const c_char = name.as_ptr();
            let base = sys::tw_attr_t { name, ..Default::default() };
            match value {
                Attribute::Integer(v) => sys::tw_attr_t { kind: sys::TW_ATTR_INTEGER, integer: *v, ..base },
                Attribute::Real(v) => sys::tw_attr_t { kind: sys::TW_ATTR_REAL, real: *v, ..base },
                Attribute::Boolean(v) => {
                    sys::tw_attr_t { kind: sys::TW_ATTR_BOOLEAN, integer: (*v).into(), ..base }
                }
                Attribute::Text(_) => {
                    let string = text.as_ref().map_or(ptr::null(), |text| text.as_ptr());
                    sys::tw_attr_t { kind: sys::TW_ATTR_STRING, string, ..base }
                }
                Attribute::Ints(v) => {
                    let (ints, num_ints) = (v.as_ptr(), v.len());
                    sys::tw_attr_t { kind: sys::TW_ATTR_INTS, ints, num_ints, ..base }
                }
            }
        };
        let raw = attributes.iter().zip(&texts).map(raw).collect();
        Ok(RawAttributes { _texts: texts, attributes: raw, _values: std::marker::PhantomData })
    }

    pub(crate) fn as_ptr(&self) -> *const sys::tw_attr_t {
        self.attributes.as_ptr()
    }

    pub(crate) fn len(&self) -> usize {
        self.attributes.len()
    }
}
