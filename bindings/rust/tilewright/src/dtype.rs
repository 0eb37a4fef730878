// SPDX-License-Identifier: Apache-2.0
//! Element types, and the Rust types that stand for them.
use crate::error::{check, Error, Result};
use crate::text::borrowed;
use std::fmt;
use std::os::raw::c_void;
use tilewright_sys as sys;

macro_rules! dtypes {
    ($($name:ident = $code:ident),* $(,)?) => {
        /// An element type of StableHLO. It displays as MLIR spells it, `f32`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Dtype {
            $($name,)*
        }

        impl Dtype {
            /// All of them.
            pub const ALL: &'static [Dtype] = &[$(Dtype::$name),*];

            pub(crate) fn code(self) -> sys::tw_dtype_t {
                match self {
                    $(Dtype::$name => sys::$code,)*
                }
            }

            pub(crate) fn known(code: sys::tw_dtype_t) -> Option<Dtype> {
                match code {
                    $(sys::$code => Some(Dtype::$name),)*
                    _ => None,
                }
            }
        }
    };
}

dtypes! {
    F64 = TW_F64, F32 = TW_F32, F16 = TW_F16, Bf16 = TW_BF16,
    F8E4M3FN = TW_F8E4M3FN, F8E5M2 = TW_F8E5M2, F8E4M3FNUZ = TW_F8E4M3FNUZ, F8E5M2FNUZ = TW_F8E5M2FNUZ,
    F8E4M3B11FNUZ = TW_F8E4M3B11FNUZ, F8E4M3 = TW_F8E4M3, F8E3M4 = TW_F8E3M4,
    I1 = TW_I1,
    S2 = TW_S2, S4 = TW_S4, S8 = TW_S8, S16 = TW_S16, S32 = TW_S32, S64 = TW_S64,
    U2 = TW_U2, U4 = TW_U4, U8 = TW_U8, U16 = TW_U16, U32 = TW_U32, U64 = TW_U64,
    C64 = TW_C64, C128 = TW_C128,
    Token = TW_TOKEN,
    F4E2M1FN = TW_F4E2M1FN, F6E2M3FN = TW_F6E2M3FN, F6E3M2FN = TW_F6E3M2FN, F8E8M0FNU = TW_F8E8M0FNU,
}

impl Dtype {
    /// The type that the library says, which is one that it has.
    pub(crate) fn of(code: sys::tw_dtype_t) -> Dtype {
        Dtype::known(code).unwrap_or(Dtype::Token)
    }

    /// MLIR's spelling: `f32`, `i32`, `ui8`, `complex<f32>`.
    pub fn name(self) -> &'static str {
        // SAFETY: static storage.
        unsafe { borrowed(sys::tw_dtype_name(self.code())) }
    }

    /// The type that MLIR spells so.
    pub fn from_name(name: &str) -> Result<Dtype> {
        let found = Dtype::ALL.iter().find(|dtype| dtype.name() == name).copied();
        found.ok_or_else(|| {
            let all: Vec<_> = Dtype::ALL.iter().map(|dtype| dtype.name()).collect();
            Error::invalid(format!("there is no element type {name:?}; there are: {}", all.join(", ")))
        })
    }

    /// Bytes of one element in memory; 0 for tokens.
    pub fn size(self) -> usize {
        // SAFETY: any number is fine.
        unsafe { sys::tw_dtype_size(self.code()) }
    }

    /// Real and imaginary part of an element, given as its bytes in memory.
    pub fn decode(self, element: &[u8]) -> Result<(f64, f64)> {
        self.check_size(element.len())?;
        let (mut real, mut imaginary) = (0.0, 0.0);
        let data = element.as_ptr().cast::<c_void>();
        // SAFETY: the bytes are as many as the element has.
        check(unsafe { sys::tw_dtype_decode(self.code(), data, &mut real, &mut imaginary) })?;
        Ok((real, imaginary))
    }

    /// Writes the element that stands for a value: rounded to nearest, integers saturate.
    pub fn encode(self, real: f64, imaginary: f64, element: &mut [u8]) -> Result<()> {
        self.check_size(element.len())?;
        let data = element.as_mut_ptr().cast::<c_void>();
        // SAFETY: the bytes are as many as the element has.
        check(unsafe { sys::tw_dtype_encode(self.code(), real, imaginary, data) })
    }

    fn check_size(self, bytes: usize) -> Result<()> {
        if bytes != self.size() {
            return Err(Error::invalid(format!(
                "an element of {self} has {} bytes, not {bytes}",
                self.size()
            )));
        }
        Ok(())
    }
}

impl fmt::Display for Dtype {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A Rust type whose values are elements as memory has them.
///
/// # Safety
/// The size is that of the element type, the alignment at most that, and all bits are values.
pub unsafe trait Element: Copy + Default + Send + Sync + fmt::Debug + PartialEq + 'static {
    const DTYPE: Dtype;

    /// Real part of the value.
    fn to_f64(self) -> f64 {
        let mut real = 0.0;
        let data = (&self as *const Self).cast::<c_void>();
        // SAFETY: an element of its type; its own types decode.
        unsafe { sys::tw_dtype_decode(Self::DTYPE.code(), data, &mut real, std::ptr::null_mut()) };
        real
    }

    /// The element that stands for a value, as `stablehlo.convert` makes it.
    fn from_f64(value: f64) -> Self {
        let mut element = Self::default();
        let data = (&mut element as *mut Self).cast::<c_void>();
        // SAFETY: as many bytes as the element has.
        unsafe { sys::tw_dtype_encode(Self::DTYPE.code(), value, 0.0, data) };
        element
    }
}

macro_rules! plain_elements {
    ($($type:ty = $dtype:ident),* $(,)?) => {
        $(
            // SAFETY: the same numbers.
            unsafe impl Element for $type {
                const DTYPE: Dtype = Dtype::$dtype;
            }
        )*
    };
}
plain_elements! {
    f64 = F64, f32 = F32, i8 = S8, i16 = S16, i32 = S32, i64 = S64, u8 = U8, u16 = U16, u32 = U32, u64 = U64,
}

macro_rules! coded_elements {
    ($($name:ident($bits:ty)),* $(,)?) => {
        $(
            #[doc = concat!("An element of type [`Dtype::", stringify!($name), "`] as its bits.")]
            #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
            #[repr(transparent)]
            pub struct $name(pub $bits);

            // SAFETY: an integer of the element's size.
            unsafe impl Element for $name {
                const DTYPE: Dtype = Dtype::$name;
            }
        )*
    };
}
coded_elements! {
    F16(u16), Bf16(u16), F8E4M3FN(u8), F8E5M2(u8), F8E4M3FNUZ(u8), F8E5M2FNUZ(u8), F8E4M3B11FNUZ(u8), F8E4M3(u8),
    F8E3M4(u8), F4E2M1FN(u8), F6E2M3FN(u8), F6E3M2FN(u8), F8E8M0FNU(u8),
    I1(u8), S2(i8), S4(i8), U2(u8), U4(u8),
}

macro_rules! complex_elements {
    ($($name:ident($part:ty)),* $(,)?) => {
        $(
            #[doc = concat!("An element of type [`Dtype::", stringify!($name), "`].")]
            #[derive(Clone, Copy, Debug, Default, PartialEq)]
            #[repr(C)]
            pub struct $name {
                pub re: $part,
                pub im: $part,
            }

            // SAFETY: two numbers, one behind the other.
            unsafe impl Element for $name {
                const DTYPE: Dtype = Dtype::$name;
            }
        )*
    };
}
complex_elements! { C64(f32), C128(f64) }

/// Elements of an array of these sizes; an error where a size is negative or the product too large.
pub(crate) fn count_elements(dims: &[i64]) -> Result<usize> {
    let step = |n: usize, &dim: &i64| n.checked_mul(usize::try_from(dim).ok()?);
    let found = if dims.contains(&0) && dims.iter().all(|&d| d >= 0) {
        Some(0)
    } else {
        dims.iter().try_fold(1, step)
    };
    found.ok_or_else(|| Error::invalid(format!("{dims:?} are no sizes of an array")))
}
