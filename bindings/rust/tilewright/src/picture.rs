// SPDX-License-Identifier: Apache-2.0
//! Pictures of how arrays lie over a mesh.
use crate::dtype::Dtype;
use crate::error::Result;
use crate::plan::Plan;
use crate::program::Program;
use crate::redistribution::Redistribution;
use crate::sharding::Sharding;
use crate::text::{addresses, blob_bytes, c_string, c_strings, Maybe};
use std::ptr;
use tilewright_sys as sys;

/// How a picture is drawn.
///
/// ```
/// use tilewright::{Dtype, Mesh, PictureOptions, Sharding};
/// # fn main() -> tilewright::Result<()> {
/// let mesh = Mesh::parse("data=2,model=4")?;
/// let sharding = Sharding::parse(&mesh, "[{data}, {model}]", &[16, 8])?;
/// let text = PictureOptions { form: Some("text".into()), ..Default::default() };
/// let picture = sharding.picture("w", Some(Dtype::F32), &text)?;
/// assert!(picture.starts_with(b"w  f32[16,8]  [{data}, {model}]"));
/// # Ok(()) }
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PictureOptions {
    /// "svg" (`None`), "png", or "text" for a terminal.
    pub form: Option<String>,
    /// "auto" (`None`): as the reader's screen is; "light"; "dark"; "page": SVG inside HTML, where text has the
    /// colour of the text around it.
    pub theme: Option<String>,
    /// Of PNG: pixels for each of the picture's own; 0: 2.
    pub scale: f64,
    /// Leaves out the words around the tiles.
    pub bare: bool,
}

impl PictureOptions {
    fn drawn(
        &self,
        call: impl FnOnce(*const sys::tw_picture_options_t, *mut *mut sys::tw_blob_t) -> sys::tw_status_t,
    ) -> Result<Vec<u8>> {
        let (form, theme) = (Maybe::new(self.form.as_deref())?, Maybe::new(self.theme.as_deref())?);
        let raw = sys::tw_picture_options_t {
            form: form.as_ptr(),
            theme: theme.as_ptr(),
            scale: self.scale,
            bare: self.bare.into(),
            ..Default::default()
        };
        blob_bytes(|out| call(&raw, out))
    }
}

impl Sharding {
    /// A file that shows the tiles and who holds them. `name` may be empty.
    pub fn picture(&self, name: &str, dtype: Option<Dtype>, options: &PictureOptions) -> Result<Vec<u8>> {
        let (name, dtype) = (c_string(name)?, Maybe::new(dtype.map(|dtype| dtype.name()))?);
        // SAFETY: a sharding, and texts that are read. So it is below.
        options.drawn(|how, out| unsafe {
            sys::tw_sharding_picture(self.as_ptr(), name.as_ptr(), dtype.as_ptr(), how, out)
        })
    }
}

impl Plan {
    /// A file that shows values beside each other, by name or pattern; without names, all arguments.
    pub fn picture<S: AsRef<str>>(&self, values: &[S], options: &PictureOptions) -> Result<Vec<u8>> {
        let kept = c_strings(values)?;
        let names = addresses(&kept);
        let first = if names.is_empty() { ptr::null() } else { names.as_ptr() };
        options.drawn(|how, out| unsafe { sys::tw_plan_picture(self.raw.as_ptr(), first, names.len(), how, out) })
    }
}

impl Program {
    /// A file that shows what a collective moves: the array before and after, and who sends what.
    pub fn picture(&self, collective: usize, options: &PictureOptions) -> Result<Vec<u8>> {
        options.drawn(|how, out| unsafe {
            sys::tw_program_collective_picture(self.as_ptr(), collective, how, out)
        })
    }
}

impl Redistribution {
    /// A file that shows the array before and after, and who sends what. `name` may be empty.
    pub fn picture(&self, name: &str, options: &PictureOptions) -> Result<Vec<u8>> {
        let name = c_string(name)?;
        options.drawn(|how, out| unsafe {
            sys::tw_redistribution_picture(self.as_ptr(), name.as_ptr(), how, out)
        })
    }
}
