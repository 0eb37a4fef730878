# SPDX-License-Identifier: Apache-2.0
# All tests of the package. TILEWRIGHT_LIB_DIR names the folder of the library.
include("support.jl")

@testset "Tilewright" begin
    include("misuse.jl")
    include("life.jl")
    include("memory.jl")
    include("callbacks.jl")
    include("walking.jl")
end
