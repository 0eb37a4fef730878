"builtin.module"() <{sym_name = "m"}> ({
  "func.func"() <{function_type = (tensor<4xf32>) -> tensor<f32>, sym_name = "forward", arg_attrs = [{mhlo.sharding = "{devices=[4]<=[2,2]T(1,0)}"}]}> ({
  ^bb0(%arg0: tensor<4xf32>):
    %0 = "mhlo.constant"() {value = dense<0.0> : tensor<f32>} : () -> tensor<f32>
    %1 = "mhlo.reduce"(%arg0, %0) ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %2 = "mhlo.add"(%arg1, %arg2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "mhlo.return"(%2) : (tensor<f32>) -> ()
    }) {dimensions = dense<0> : tensor<1xi64>} : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    "func.return"(%1) : (tensor<f32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 4 : i32} : () -> ()
