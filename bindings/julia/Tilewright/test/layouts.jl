# SPDX-License-Identifier: Apache-2.0
# Prints the sizes of structs and the places of their fields, which bindings/layouts.py compares with C's.
using Tilewright

for struct_ in Tilewright.Lib.structs
    println(nameof(struct_), ' ', sizeof(struct_))
    for (i, field) in enumerate(fieldnames(struct_))
        println(nameof(struct_), '.', field, ' ', fieldoffset(struct_, i))
    end
end
