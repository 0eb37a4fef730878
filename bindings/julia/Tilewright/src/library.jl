# SPDX-License-Identifier: Apache-2.0
# What this library is: its versions, its build, and the forms of text that it prints.

"""The release of the library that is running; its API version, MAJOR * 10000 + MINOR * 100 + PATCH; its
build, as JSON."""
library_version() = text(Lib.tw_version())
api_version() = Int(Lib.tw_api_version())
build_info() = blob_text(Lib.tw_build_info)

"""A form of `emit`. `of_plan` says whether plans print it, else programs do; `passes` are those of
`emit_after`."""
struct Form
    name::String
    "Empty where the form before it tells of this one too."
    doc::String
    of_plan::Bool
    "Whether it is no text: `emit_bytes` gives it."
    binary::Bool
    passes::Vector{String}
end

function form(i)
    passes = String[]
    while (pass = text(Lib.tw_debug_pass(i, length(passes)))) != ""
        push!(passes, pass)
    end
    of_plan, binary = Lib.tw_form_is_of_plan(i) != 0, Lib.tw_form_is_binary(i) != 0
    return Form(text(Lib.tw_form_name(i)), text(Lib.tw_form_doc(i)), of_plan, binary, passes)
end

"""All forms, in the order in which `tw emit` lists them."""
forms() = [form(i) for i in 0:Int(Lib.tw_form_count())-1]

"""The form of a name, also of one that it had before; nothing where there is none."""
function find_form(name)
    i = Lib.tw_form_find(c_text(name))
    return i < Lib.tw_form_count() ? form(i) : nothing
end
