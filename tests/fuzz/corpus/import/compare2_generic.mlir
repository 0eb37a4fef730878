func.func @main(%a: tensor<2xi32>) {
%0 = "mhlo.compare"(%a, %a) {comparison_direction = "GE"} : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
return
}
