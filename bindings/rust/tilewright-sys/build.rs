// SPDX-License-Identifier: Apache-2.0
//! Says where libtilewright is: in the folder that TILEWRIGHT_LIB_DIR names, else where pkg-config knows it,
//! else where the linker looks. `cargo run` lets programs find libraries in the folders of build scripts
//! alone, so the library is linked into ours.
use std::env;
use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=TILEWRIGHT_LIB_DIR");
    println!("cargo:rerun-if-env-changed=PKG_CONFIG_PATH");
    println!("cargo:rustc-link-lib=dylib=tilewright");
    match folder() {
        Some(folder) => {
            println!("cargo:rustc-link-search=native={}", folder.display());
            let ours = PathBuf::from(env::var_os("OUT_DIR").expect("cargo says where"));
            match link_libraries(&folder, &ours) {
                Ok(0) => println!("cargo:warning=there is no libtilewright.so in {}", folder.display()),
                Ok(_) => println!("cargo:rustc-link-search=native={}", ours.display()),
                Err(error) => println!("cargo:warning=cannot link to {}: {error}", folder.display()),
            }
        }
        None => println!(
            "cargo:warning=neither TILEWRIGHT_LIB_DIR nor pkg-config says where libtilewright is. Where the linker \
             does not find it: TILEWRIGHT_LIB_DIR=FOLDER cargo build, with the folder of libtilewright.so"
        ),
    }
}

fn folder() -> Option<PathBuf> {
    if let Some(folder) = env::var_os("TILEWRIGHT_LIB_DIR") {
        return fs::canonicalize(&folder).ok().or_else(|| Some(folder.into()));
    }
    let asked = Command::new("pkg-config").args(["--variable=libdir", "tilewright"]).output().ok()?;
    let folder = String::from_utf8_lossy(&asked.stdout).trim().to_owned();
    (asked.status.success() && !folder.is_empty()).then(|| folder.into())
}

/// The library and its plug-ins, which it looks for beside itself; how many they are.
fn link_libraries(folder: &Path, ours: &Path) -> io::Result<usize> {
    let mut count = 0;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        let text = name.to_string_lossy();
        if !text.starts_with("libtilewright")
            || !(text.contains(".so") || text.ends_with(".dylib"))
            || entry.path().is_dir()
        {
            continue;
        }
        let link = ours.join(&name);
        if link.symlink_metadata().is_ok() {
            fs::remove_file(&link)?;
        }
        symlink(entry.path(), link)?;
        count += 1;
    }
    Ok(count)
}
