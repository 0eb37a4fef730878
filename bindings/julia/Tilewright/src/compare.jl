# SPDX-License-Identifier: Apache-2.0
# How results compare with what was expected.

"""How a tensor compares with an expectation. `passes` says whether they are equal by the rule `judged_by`."""
struct Comparison
    passes::Bool
    bit_equal::Bool
    "Largest distance, and that divided by the largest expected magnitude."
    max_abs::Float64
    max_rel::Float64
    "Passing says little: most of the expectation is one value, or not finite."
    mistrusted::Bool
    nonfinite::Int
    ":bits, :tolerance or :double."
    judged_by::Symbol
    tolerance::Float64
    "Largest distances of both from the program in double precision; nothing: it was not evaluated."
    from_double::Union{Nothing,Float64}
    expected_from_double::Union{Nothing,Float64}
    "The number of the first argument that the expectation equals within its tolerance, from 1; nothing: none."
    equal_argument::Union{Nothing,Int}
end

const JUDGES = [:bits => Lib.TW_JUDGED_BY_BITS, :tolerance => Lib.TW_JUDGED_BY_TOLERANCE, :double => Lib.TW_JUDGED_BY_DOUBLE]

function Comparison(raw::Lib.tw_comparison_t)
    distances = raw.from_double < 0 ? (nothing, nothing) : (raw.from_double, raw.expected_from_double)
    return Comparison(
        raw.passes != 0, raw.bit_equal != 0, raw.max_abs, raw.max_rel, raw.mistrusted != 0, raw.nonfinite,
        name_in(JUDGES, raw.judged_by), raw.tolerance, distances...,
        raw.equal_argument < 0 ? nothing : Int(raw.equal_argument) + 1,
    )
end

"""How a tensor compares with what was expected. Integers, and with `exact` floats, are judged by bits."""
function compare(result, expected; exact = false)
    a, b = Tensor(result), Tensor(expected)
    call(out) = Lib.tw_tensor_compare(a, b, exact, out)
    return sharing(() -> Comparison(viewed(Lib.tw_comparison_t, call)), a, b)
end

"""Options of `compare(program, ..)`. The function lives as long as `asked`."""
function compare_options(asked, other_run, seconds)
    progress = asked === nothing ? C_NULL : @cfunction(call_progress, Cint, (Ptr{Cvoid}, Cdouble))
    user = asked === nothing ? C_NULL : pointer_from_objref(asked)
    return filled_struct(
        Lib.tw_compare_options_t; other_run = other_run, seconds = seconds, progress = progress, user = user,
    )
end
