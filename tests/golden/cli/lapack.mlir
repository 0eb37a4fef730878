// As JAX lowers jnp.linalg.cholesky and a triangular solve of batches for CPUs.
module @linear_algebra {
  sdy.mesh @mesh = <["b"=2]>
  func.func public @main(%a: tensor<4x3x3xf64> {sdy.sharding = #sdy.sharding<@mesh, [{"b"}, {}, {}]>}, %b: tensor<4x3x2xf64>)
      -> (tensor<4x3x3xf64>, tensor<4x3x2xf64>, tensor<4xi32>) {
    %0:2 = stablehlo.custom_call @lapack_dpotrf_ffi(%a) {backend_config = "", mhlo.backend_config = {uplo = 76 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<0> : tensor<1xindex>]} : (tensor<4x3x3xf64>) -> (tensor<4x3x3xf64>, tensor<4xi32>)
    %1 = stablehlo.custom_call @lapack_dtrsm_ffi(%0#0, %b) {backend_config = "", mhlo.backend_config = {diag = 78 : ui8, side = 76 : ui8, trans_x = 78 : ui8, uplo = 76 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>]} : (tensor<4x3x3xf64>, tensor<4x3x2xf64>) -> tensor<4x3x2xf64>
    return %0#0, %1, %0#1 : tensor<4x3x3xf64>, tensor<4x3x2xf64>, tensor<4xi32>
  }
}
