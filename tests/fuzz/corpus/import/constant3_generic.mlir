func.func @main() {
%0 = "stablehlo.constant"() {value = dense<1> : tensor<i8>} : () -> tensor<i8>
return
}
