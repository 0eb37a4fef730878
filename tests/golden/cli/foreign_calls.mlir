// Calls of foreign code with all that such calls carry.
#config = {uplo = 76 : ui8, text = "a, \"b\" } // #c"}
#layout = dense<[1, 2, 0]> : tensor<3xindex>
#aliases = #stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>
!row = tensor<8xi32>
module @foreign {
  sdy.mesh @mesh = <["b"=4]>
  func.func public @main(%a: tensor<8x3x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b"}, {}, {}]>}, %n: tensor<i32>) -> (tensor<8x3x3xf32>, tensor<8xi32>, tensor<8x3x3xf32>) {
    %0:2 = stablehlo.custom_call @lapack_spotrf_ffi(%a) {api_version = 4 : i32, has_side_effect = true, backend_config = #config, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [#layout], output_operand_aliases = [#aliases], result_layouts = [#layout, dense<0> : tensor<1xindex>]} : (tensor<8x3x3xf32>) -> (tensor<8x3x3xf32>, tensor<8xi32>)
    %1:2 = stablehlo.custom_call @lapack_spotrf_ffi(%a) {backend_config = "", mhlo.backend_config = {uplo = 76 : ui8}, mhlo.memory_kind = "pinned_host", operand_layouts = [#layout], result_layouts = [#layout, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i]) {i=8, j=3, k=3, l=3, m=3}, custom>} : (tensor<8x3x3xf32>) -> (tensor<8x3x3xf32>, tensor<8xi32>)
    %2 = "stablehlo.custom_call"(%1#1, %0#1) <{api_version = 2 : i32, backend_config = "{\22json\22: [1, 2]}", call_target_name = "two words", called_computations = [@fold, @"other fold"], operand_layouts = [], result_layouts = []}> {flag, "odd \22name\22" = #other.attribute<x -> y, z>, my.axis = [1, 2], my.type = !row} : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi32>
    %3:2 = stablehlo.while(%i = %n, %x = %1#0) : tensor<i32>, tensor<8x3x3xf32>
      cond {
        %c = stablehlo.constant dense<3> : tensor<i32>
        %p = stablehlo.compare LT, %i, %c : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %p : tensor<i1>
      } do {
        %c = stablehlo.constant dense<1> : tensor<i32>
        %j = stablehlo.add %i, %c : tensor<i32>
        stablehlo.custom_call @report(%j) {backend_config = "#hash\\\00", has_side_effect = true} : (tensor<i32>) -> ()
        %y = stablehlo.custom_call @step(%x) {called_computations = [@fold], operand_layouts = [#layout], result_layouts = [#layout]} : (tensor<8x3x3xf32>) -> tensor<8x3x3xf32>
        stablehlo.return %j, %y : tensor<i32>, tensor<8x3x3xf32>
      }
    return %0#0, %2, %3#1 : tensor<8x3x3xf32>, tensor<8xi32>, tensor<8x3x3xf32>
  }
  func.func private @fold(%a: tensor<i32> loc("x.py":1:2), %b: tensor<i32>) -> tensor<i32> {
    %0 = func.call @deeper(%a, %b) : (tensor<i32>, tensor<i32>) -> tensor<i32> loc("x.py":3:4)
    return %0 : tensor<i32>
  }
  func.func private @deeper(%a: tensor<i32>, %b: tensor<i32>) -> tensor<i32> {
    %0:2 = stablehlo.custom_call @pair(%a) {backend_config = #config} : (tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %1 = stablehlo.add %0#1, %b : tensor<i32>
    return %1 : tensor<i32>
  }
  "func.func"() <{function_type = (!row, !row) -> !row, sym_name = "other fold", sym_visibility = "private"}> ({
  ^bb0(%a: !row, %b: !row):
    "func.return"(%a) : (!row) -> ()
  }) : () -> ()
  func.func private @unused(%a: tensor<i32>) -> tensor<i32> {
    return %a : tensor<i32>
  }
}
