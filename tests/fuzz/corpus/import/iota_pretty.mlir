func.func @main() {
%0 = stablehlo.iota dim = 1 : tensor<2x3xi32>
return
}
