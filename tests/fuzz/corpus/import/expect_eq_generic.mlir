func.func @main(%a: tensor<2xi32>, %b: tensor<2xi32>) {
"check.expect_eq"(%a, %b) : (tensor<2xi32>, tensor<2xi32>) -> ()
return
}
