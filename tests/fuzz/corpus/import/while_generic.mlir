func.func @main(%a: tensor<2xf32>, %i: tensor<i32>) -> tensor<2xf32> {
  %0:2 = "mhlo.while"(%i, %a) ({
  ^bb0(%it: tensor<i32>, %it_0: tensor<2xf32>):
    %1 = "mhlo.compare"(%it, %i) {comparison_direction = #mhlo<comparison_direction LT>} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "mhlo.return"(%1) : (tensor<i1>) -> ()
  }, {
  ^bb0(%it: tensor<i32>, %it_0: tensor<2xf32>):
    %1 = mhlo.add %it_0, %a : tensor<2xf32>
    mhlo.return %it, %1 : tensor<i32>, tensor<2xf32>
  }) : (tensor<i32>, tensor<2xf32>) -> (tensor<i32>, tensor<2xf32>)
  return %0#1 : tensor<2xf32>
}
