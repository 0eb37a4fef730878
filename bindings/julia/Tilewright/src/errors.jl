# SPDX-License-Identifier: Apache-2.0
# Failures of the library as exceptions.

"""
A failure of a call. `status` is what the caller can do about it, `:not_found`; `id` is stable, "TW-104", and
`diagnostics()`
explains it. `file`, `line` and `column` are where in the caller's text: "" and 0 where it is about no text.
`notes` are the
source line with a caret, nearest names, causes. `cause` is what a callback threw, else `nothing`.
"""
struct Error <: Exception
    status::Symbol
    id::String
    text::String
    file::String
    line::Int
    column::Int
    notes::Vector{String}
    cause::Any
end

Error(status::Symbol, text) = Error(status, "", text, "", 0, 0, String[], nothing)

invalid(text) = Error(:invalid_argument, text)

function Base.showerror(io::IO, error::Error)
    error.line > 0 && print(io, error.file, ':', error.line, ':', error.column, ": ")
    print(io, error.text)
    isempty(error.id) || print(io, " [", error.id, "]")
    foreach(note -> print(io, '\n', note), error.notes)
    if error.cause !== nothing
        print(io, "\ncaused by: ")
        showerror(io, error.cause)
    end
end

"""A string of the library; "" for NULL."""
text(string::Cstring) = convert(Ptr{UInt8}, string) == C_NULL ? "" : unsafe_string(string)

status_name(code) = Symbol(text(Lib.tw_status_name(code)))

"""What a callback of this task threw, taken away."""
function taken_cause()
    cause = get(task_local_storage(), :tilewright_cause, nothing)
    cause === nothing || delete!(task_local_storage(), :tilewright_cause)
    return cause
end

"""This thread's last failure. No task changes its thread between a call and this, since nothing here
waits."""
function last_error(code)
    taken = Ref{Ptr{Lib.tw_error_t}}(C_NULL)
    Lib.tw_error_take(taken)
    raw = taken[]
    raw == C_NULL && return Error(status_name(code), string(status_name(code)))
    notes = [text(Lib.tw_error_note(raw, i)) for i in 0:Int(Lib.tw_error_num_notes(raw))-1]
    error = Error(
        status_name(Lib.tw_error_status(raw)), text(Lib.tw_error_id(raw)), text(Lib.tw_error_text(raw)),
        text(Lib.tw_error_file(raw)), Lib.tw_error_line(raw), Lib.tw_error_column(raw), notes, taken_cause(),
    )
    Lib.tw_error_release(raw)
    return error
end

"""Throws where the status of a call is a failure."""
check(code) = code == Lib.TW_OK ? nothing : throw(last_error(code))

"""
Calls host code for the library: what it throws becomes this thread's last failure, and the cause of the error
that comes back.
"""
function guarded(body)
    try
        body()
        return Lib.TW_OK
    catch thrown
        task_local_storage(:tilewright_cause, thrown)
        whole = thrown isa Error ? thrown.text : sprint(showerror, thrown)
        said = replace(whole, r"[\n\0]" => ' ')
        if thrown isa Error
            code = something(findfirst(c -> status_name(c) == thrown.status, 1:11), Lib.TW_INVALID_ARGUMENT)
            return Lib.tw_error_set(code, said)
        end
        return Lib.tw_error_set(Lib.TW_INVALID_ARGUMENT, said)
    end
end

"""Every error id, sorted: what it means, and what to do about it."""
function diagnostics()
    one(i) = (
        id = text(Lib.tw_diagnostic_id(i)), meaning = text(Lib.tw_diagnostic_meaning(i)),
        advice = text(Lib.tw_diagnostic_advice(i)),
    )
    return [one(i) for i in 0:Int(Lib.tw_diagnostic_count())-1]
end
