func.func @main() {
%0 = stablehlo.constant {foo.bar = 1 : i32} dense<1.5> : tensor<4xf32>
return
}
