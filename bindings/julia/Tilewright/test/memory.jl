# SPDX-License-Identifier: Apache-2.0
# Memory that tensors and Julia share: by address, never by copy, where the layout is one.

address(a) = UInt(pointer(a))

@testset "layouts" begin
    vector = Float32[1, 2, 3]
    tensor = Tensor(vector)
    @test address(tensor) == address(vector)
    tensor[2] = 7
    @test vector == [1, 7, 3]
    memory = rand(Float32, 256, 16)
    rows = PermutedDimsArray(memory, (2, 1))
    tensor = Tensor(rows; share = true)
    @test address(tensor) == address(memory) && size(tensor) == (16, 256)
    @test tensor[3, 5] == memory[5, 3] == rows[3, 5]
    columns = rand(Float32, 16, 256)
    copied = Tensor(columns)
    @test copied == columns && address(copied) != address(columns)
    seen = array(copied)
    @test seen == columns && address(parent(seen)) == address(copied)
    close(copied)
    @test seen == columns # the memory lives as long as the array
    @test Tensor(3.5f0)[] == 3.5f0 && size(Tensor(3.5f0)) == ()
    @test collect(filled(:i32, (2, 3), "iota")) == [0 1 2; 3 4 5]
    cube = rand(Float64, 2, 3, 4)
    @test collect(Tensor(cube)) == cube && parent(array(Tensor(cube))) == permutedims(cube, (3, 2, 1))
    @test size(Tensor{Float32}(0, 3)) == (0, 3)
end

@testset "memory that is only read" begin
    graph = mlp()
    memory = rand(Float32, 6, 8)
    rows = PermutedDimsArray(memory, (2, 1))
    tensor = Tensor(rows; readonly = true)
    @test address(tensor) == address(memory) && tensor == rows
    for write in (() -> (tensor[1, 1] = 7), () -> fill!(tensor, "ones"), () -> run!([tensor], Executable(planned(graph)), inputs(graph)...))
        @test thrown(write).status === :failed_precondition
    end
    _, w1, w2 = inputs(graph)
    @test run(planned(graph), tensor, w1, w2)[1] ≈ tanh.(rows * collect(w1)) * collect(w2)
    @test thrown(() -> Tensor(codeunits("text"))[1] = 0x00).status === :failed_precondition
    @test Tensor(codeunits("text"))[4] == UInt8('t')
end

@testset "memory lives as long as it is seen" begin
    make() = array(Tensor(rand(Float32, 1000)))
    arrays = [make() for _ in 1:100]
    GC.gc()
    @test all(0 .<= sum.(arrays) .<= 1000)
end

@testset "element types" begin
    for T in (Float64, Float32, Float16, Int8, Int16, Int32, Int64, UInt8, UInt16, UInt32, UInt64, Bool, ComplexF32, ComplexF64)
        memory = T[1, 0]
        tensor = Tensor(memory)
        @test address(tensor) == address(memory) && eltype(tensor) == T && tensor == memory
        @test Tilewright.julia_type(Tilewright.code_of(Tilewright.dtype_of(tensor))) == T
    end
    for (name, code, T) in Tilewright.DTYPES
        name === :token && continue
        @test Tilewright.spelling(name) == String(name)
        @test sizeof(T) == Tilewright.size_of(name) == sizeof(Tensor(name, (1,)))
    end
    @test Float64(BF16(1.5)) == 1.5 && BF16(1).bits == 0x3f80 && Float64(Code{:i4,UInt8}(99)) == 7
    codes = Tensor(BF16.([1, 2]))
    @test Tilewright.dtype_of(codes) === :bf16
    wide = loads("func.func @main(%x: tensor<2xbf16>) -> tensor<2xf32> {\n %y = stablehlo.convert %x : " *
                 "(tensor<2xbf16>) -> tensor<2xf32>\n return %y : tensor<2xf32>\n}")
    @test evaluate(wide, codes)[1] == [1, 2]
end

@testset "DLPack" begin
    tensor = filled(:f32, (2, 3), "iota")
    at = address(tensor)
    managed = Tilewright.to_dlpack(tensor)
    close(tensor)
    back = Tilewright.from_dlpack(managed)
    @test address(back) == at && back[2, 3] == 5
    again = Tilewright.from_dlpack(Tilewright.to_dlpack(back; versioned = true); versioned = true)
    @test address(again) == at
    @test thrown(() -> Tilewright.to_dlpack(Tensor(Float32[1]))).status === :unimplemented
end

@testset "runs on Julia's arrays" begin
    graph = mlp()
    x, w1, w2 = rand(Float32, 8, 6), rand(Float32, 6, 12), rand(Float32, 12, 6)
    y, = run(planned(graph), x, w1, w2)
    @test y ≈ tanh.(x * w1) * w2
    memory = zeros(Float32, 6, 8)
    run!([Tensor(PermutedDimsArray(memory, (2, 1)))], Executable(planned(graph)), x, w1, w2)
    @test permutedims(memory) ≈ y
end
