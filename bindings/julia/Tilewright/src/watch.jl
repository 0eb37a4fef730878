# SPDX-License-Identifier: Apache-2.0
# Long calls: how far they are, and giving them up.

"""A function that is asked, and what it threw."""
mutable struct Asked
    progress::Any
    thrown::Any
end

function call_progress(user::Ptr{Cvoid}, seconds::Cdouble)::Cint
    asked = unsafe_pointer_to_objref(user)::Asked
    asked.thrown === nothing || return 1
    try
        return asked.progress(seconds) === true
    catch thrown
        asked.thrown = thrown
        return 1
    end
end

"""A function that is called once, what it returned, and what it threw."""
mutable struct Body
    run::Any
    result::Any
    thrown::Any
end

function call_body(user::Ptr{Cvoid})::Lib.tw_status_t
    body = unsafe_pointer_to_objref(user)::Body
    try
        body.result = body.run()
    catch thrown
        body.thrown = thrown
    end
    return Lib.TW_OK
end

# The library knows who watches by thread, and the last one that came goes first: tasks of a thread take turns.
const WATCH_LOCKS = Dict{Int,ReentrantLock}()
const WATCH_LOCKS_GUARD = Threads.SpinLock()

"""Does something that begins and ends in one thread, in which no other task does so meanwhile."""
function in_one_thread(body)
    task = current_task()
    before, task.sticky = task.sticky, true
    try
        mine = lock(() -> get!(ReentrantLock, WATCH_LOCKS, Threads.threadid()), WATCH_LOCKS_GUARD)
        return lock(body, mine)
    finally
        task.sticky = before
    end
end

"""
    watch(seconds -> seconds > 10; interval = 0) do
        infer_propagate!(plan)
    end

Watches what takes long: planning, lowering, making executables, reports of programs, and the search for
redistributions. The first function is asked every `interval` seconds (0: 0.05) with the seconds since the
body began. Where it answers true the call is given up: it throws an error of status `:cancelled`, and has
changed nothing; of a spec the actions before the one at work stay. What either function throws is thrown; else `watch` returns what
the body does. Calls in other threads are not watched. The body does not wait for other tasks: those of its
thread would be watched too. `compare` and `cancel!` give up comparisons and runs in their own ways.
"""
function watch(body, progress; interval = 0)
    asked, called = Asked(progress, nothing), Body(body, nothing, nothing)
    ask, run = @cfunction(call_progress, Cint, (Ptr{Cvoid}, Cdouble)), @cfunction(call_body, Lib.tw_status_t, (Ptr{Cvoid},))
    GC.@preserve asked called in_one_thread() do
        options = filled_struct(
            Lib.tw_watch_options_t; progress = ask, user = pointer_from_objref(asked), interval = interval,
        )
        check(Lib.tw_watch_calls(run, pointer_from_objref(called), Ref(options)))
    end
    asked.thrown === nothing || throw(asked.thrown)
    called.thrown === nothing || throw(called.thrown)
    return called.result
end
