# SPDX-License-Identifier: Apache-2.0
# Pictures of how arrays lie over a mesh.

function drawn(call; form = nothing, theme = nothing, scale = 0, bare = false)
    texts = Texts()
    GC.@preserve texts begin
        options = Ref(filled_struct(
            Lib.tw_picture_options_t; form = address(texts, form), theme = address(texts, theme), scale = scale, bare = bare,
        ))
        return blob_bytes(out -> call(options, out))
    end
end

"""
    picture(sharding; name, dtype, form, theme, scale, bare)
    picture(plan, "params*wq*", "x"; ..)
    picture(program, collective; ..)
    picture(redistribution; name, ..)

The bytes of a file: the tiles and who holds them; values of a plan beside each other (all arguments where none
is named); what a collective, counted from 0, or a redistribution moves. `form` is "svg", "png", or "text" for a
terminal; `theme` is "auto", "light", "dark", or "page" for SVG inside HTML; `scale` is pixels of PNG for each
of the picture's own; `bare` leaves out the words around the tiles.
"""
picture(sharding::Sharding; name = "", dtype = nothing, options...) = drawn(; options...) do how, out
    element_type = dtype === nothing ? "" : spelling(dtype)
    Lib.tw_sharding_picture(sharding, c_text(name), element_type, how, out)
end

function picture(plan::Plan, values...; options...)
    texts = Texts()
    names = Cstring[address(texts, value) for value in values]
    GC.@preserve texts names return drawn(; options...) do how, out
        Lib.tw_plan_picture(plan, pointer(names), length(names), how, out)
    end
end

picture(program::Program, collective; options...) = drawn(; options...) do how, out
    Lib.tw_program_collective_picture(program, c_number(collective), how, out)
end

picture(plan::Redistribution; name = "", options...) = drawn(; options...) do how, out
    Lib.tw_redistribution_picture(plan, c_text(name), how, out)
end

Base.show(io::IO, ::MIME"image/svg+xml", sharding::Sharding) = write(io, picture(sharding))
