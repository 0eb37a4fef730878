#loc1 = loc("model.py":12:8)
func.func @main(%x: tensor<f32> loc("params['w']")) {
  %0 = stablehlo.abs %x : tensor<f32> loc("jit(f)/abs"(#loc1))
  %1 = stablehlo.abs %x : tensor<f32> loc(callsite("f"(#loc1) at "g"("main.py":1:1)))
  %2 = stablehlo.abs %x : tensor<f32> loc(fused<"x">["scope", "a.py":1:2 to 3:4])
  return loc(unknown)
}
