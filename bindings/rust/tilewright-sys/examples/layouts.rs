// SPDX-License-Identifier: Apache-2.0
//! Prints the sizes of structs and the places of their fields, which bindings/layouts.py compares with C's.
fn main() {
    for (name, number) in tilewright_sys::layouts() {
        println!("{name} {number}");
    }
}
