// SPDX-License-Identifier: Apache-2.0
//! Says where libtilewright is: in the folder that TILEWRIGHT_LIB_DIR names, else where pkg-config knows it,
//! else where the linker looks.
use std::env;
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-env-changed=TILEWRIGHT_LIB_DIR");
    println!("cargo:rerun-if-env-changed=PKG_CONFIG_PATH");
    println!("cargo:rustc-link-lib=dylib=tilewright");
    if let Some(folder) = env::var_os("TILEWRIGHT_LIB_DIR") {
        println!("cargo:rustc-link-search=native={}", folder.to_string_lossy());
        return;
    }
    let asked = Command::new("pkg-config").args(["--variable=libdir", "tilewright"]).output();
    if let Ok(answer) = asked {
        let folder = String::from_utf8_lossy(&answer.stdout);
        if answer.status.success() && !folder.trim().is_empty() {
            println!("cargo:rustc-link-search=native={}", folder.trim());
        }
    }
}
