func.func @main() {
%0 = "mhlo.constant"() {value = dense<1.5> : tensor<4xf32>} : () -> tensor<4xf32>
return
}
