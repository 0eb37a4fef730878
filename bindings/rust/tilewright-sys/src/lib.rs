// SPDX-License-Identifier: Apache-2.0
//! The C interface of tilewright as it is. The crate `tilewright` is what programs use.
//!
//! Constants, types and functions are made from the public headers, whose comments say what they mean.
//! `Default` gives structs of zeros, with `struct_size` set where there is one.
#![allow(non_camel_case_types)]
#![allow(rustdoc::broken_intra_doc_links, rustdoc::invalid_html_tags, rustdoc::bare_urls)]

/// A type that is known by name only.
macro_rules! opaque {
    ($name:ident) => {
        #[repr(C)]
        pub struct $name {
            _private: [u8; 0],
        }
    };
}

/// A struct that begins as zeros, for which all types of the headers have a meaning.
macro_rules! zeros {
    ($name:ident) => {
        impl Default for $name {
            fn default() -> Self {
                // SAFETY: numbers, pointers and optional functions may all be zero.
                unsafe { std::mem::zeroed() }
            }
        }
    };
}

/// A struct whose first field is its size.
macro_rules! sized {
    ($name:ident) => {
        impl Default for $name {
            fn default() -> Self {
                // SAFETY: numbers, pointers and optional functions may all be zero.
                let zeros: Self = unsafe { std::mem::zeroed() };
                Self { struct_size: std::mem::size_of::<Self>(), ..zeros }
            }
        }
    };
}

/// Where a field begins.
macro_rules! place {
    ($type:ident, $field:ident) => {{
        let whole = <$type>::default();
        std::ptr::addr_of!(whole.$field) as usize - std::ptr::addr_of!(whole) as usize
    }};
}

#[rustfmt::skip]
mod constants;
#[rustfmt::skip]
mod functions;
#[rustfmt::skip]
mod layouts;
#[rustfmt::skip]
mod types;

pub use constants::*;
pub use functions::*;
#[doc(hidden)]
pub use layouts::layouts;
pub use types::*;
