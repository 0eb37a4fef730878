func.func @main(%a: tensor<2xf32>, %b: tensor<2xf32>) {
"check.expect_close"(%a, %b) : (tensor<2xf32>, tensor<2xf32>) -> ()
return
}
