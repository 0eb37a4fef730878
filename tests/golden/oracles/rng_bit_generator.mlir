// SPDX-License-Identifier: Apache-2.0
// Written by make.py through XLA's CPU client; do not edit.
func.func @three_fry_2_ui32_1() {
  %c = stablehlo.constant dense<[3, 12345]> : tensor<2xui64>
  %output_state, %output = stablehlo.rng_bit_generator %c, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<7xui32>)
  %c_0 = stablehlo.constant dense<[3, 12349]> : tensor<2xui64>
  stablehlo.custom_call @check.expect_eq(%output_state, %c_0) {has_side_effect = true} : (tensor<2xui64>, tensor<2xui64>) -> ()
  %c_1 = stablehlo.constant dense<[2830167180, 2982616212, 3343512147, 1034183260, 2391123990, 4190716835, 3724329700]> : tensor<7xui32>
  stablehlo.custom_call @check.expect_eq(%output, %c_1) {has_side_effect = true} : (tensor<7xui32>, tensor<7xui32>) -> ()
  return
}

// -----

func.func @three_fry_2_ui32_2() {
  %c = stablehlo.constant dense<[3, 12345]> : tensor<2xui64>
  %output_state, %output = stablehlo.rng_bit_generator %c, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x4xui32>)
  %c_0 = stablehlo.constant dense<[3, 12351]> : tensor<2xui64>
  stablehlo.custom_call @check.expect_eq(%output_state, %c_0) {has_side_effect = true} : (tensor<2xui64>, tensor<2xui64>) -> ()
  %c_1 = stablehlo.constant dense<[[2830167180, 2982616212, 3343512147, 1034183260], [2391123990, 4190716835, 3724329700, 2506949688], [1942954082, 4253500590, 2764904895, 3261851945]]> : tensor<3x4xui32>
  stablehlo.custom_call @check.expect_eq(%output, %c_1) {has_side_effect = true} : (tensor<3x4xui32>, tensor<3x4xui32>) -> ()
  return
}

// -----

func.func @three_fry_2_ui64_1() {
  %c = stablehlo.constant dense<[3, 12345]> : tensor<2xui64>
  %output_state, %output = stablehlo.rng_bit_generator %c, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5xui64>)
  %c_0 = stablehlo.constant dense<[3, 12350]> : tensor<2xui64>
  stablehlo.custom_call @check.expect_eq(%output_state, %c_0) {has_side_effect = true} : (tensor<2xui64>, tensor<2xui64>) -> ()
  %c_1 = stablehlo.constant dense<[12810239089889569932, 4441783283114177107, 17998991755512752150, 10767266926401733348, 18268645929509658722]> : tensor<5xui64>
  stablehlo.custom_call @check.expect_eq(%output, %c_1) {has_side_effect = true} : (tensor<5xui64>, tensor<5xui64>) -> ()
  return
}

// -----

func.func @philox_2_ui32_1() {
  %c = stablehlo.constant dense<[3, 12345]> : tensor<2xui64>
  %output_state, %output = stablehlo.rng_bit_generator %c, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<7xui32>)
  %c_0 = stablehlo.constant dense<[3, 12347]> : tensor<2xui64>
  stablehlo.custom_call @check.expect_eq(%output_state, %c_0) {has_side_effect = true} : (tensor<2xui64>, tensor<2xui64>) -> ()
  %c_1 = stablehlo.constant dense<[2091736723, 2340078050, 919195227, 2477786294, 2822114468, 2070853260, 2783736534]> : tensor<7xui32>
  stablehlo.custom_call @check.expect_eq(%output, %c_1) {has_side_effect = true} : (tensor<7xui32>, tensor<7xui32>) -> ()
  return
}

// -----

func.func @philox_2_ui32_2() {
  %c = stablehlo.constant dense<[3, 12345]> : tensor<2xui64>
  %output_state, %output = stablehlo.rng_bit_generator %c, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x4xui32>)
  %c_0 = stablehlo.constant dense<[3, 12348]> : tensor<2xui64>
  stablehlo.custom_call @check.expect_eq(%output_state, %c_0) {has_side_effect = true} : (tensor<2xui64>, tensor<2xui64>) -> ()
  %c_1 = stablehlo.constant dense<[[2091736723, 2340078050, 919195227, 2477786294], [2822114468, 2070853260, 2783736534, 2075258988], [1341289762, 4056716492, 275423088, 475482798]]> : tensor<3x4xui32>
  stablehlo.custom_call @check.expect_eq(%output, %c_1) {has_side_effect = true} : (tensor<3x4xui32>, tensor<3x4xui32>) -> ()
  return
}

// -----

func.func @philox_2_ui64_1() {
  %c = stablehlo.constant dense<[3, 12345]> : tensor<2xui64>
  %output_state, %output = stablehlo.rng_bit_generator %c, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5xui64>)
  %c_0 = stablehlo.constant dense<[3, 12348]> : tensor<2xui64>
  stablehlo.custom_call @check.expect_eq(%output_state, %c_0) {has_side_effect = true} : (tensor<2xui64>, tensor<2xui64>) -> ()
  %c_1 = stablehlo.constant dense<[10050558696929189523, 10642011100126236251, 8894247029337099428, 8913169486973792982, 17423464663625135394]> : tensor<5xui64>
  stablehlo.custom_call @check.expect_eq(%output, %c_1) {has_side_effect = true} : (tensor<5xui64>, tensor<5xui64>) -> ()
  return
}

// -----

func.func @philox_3_ui32_1() {
  %c = stablehlo.constant dense<[3, 12345, 7]> : tensor<3xui64>
  %output_state, %output = stablehlo.rng_bit_generator %c, algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<7xui32>)
  %c_0 = stablehlo.constant dense<[3, 12347, 7]> : tensor<3xui64>
  stablehlo.custom_call @check.expect_eq(%output_state, %c_0) {has_side_effect = true} : (tensor<3xui64>, tensor<3xui64>) -> ()
  %c_1 = stablehlo.constant dense<[2244412626, 1355898749, 2077677868, 817159773, 1347633339, 1148658465, 3167171775]> : tensor<7xui32>
  stablehlo.custom_call @check.expect_eq(%output, %c_1) {has_side_effect = true} : (tensor<7xui32>, tensor<7xui32>) -> ()
  return
}

// -----

func.func @philox_3_ui32_2() {
  %c = stablehlo.constant dense<[3, 12345, 7]> : tensor<3xui64>
  %output_state, %output = stablehlo.rng_bit_generator %c, algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<3x4xui32>)
  %c_0 = stablehlo.constant dense<[3, 12348, 7]> : tensor<3xui64>
  stablehlo.custom_call @check.expect_eq(%output_state, %c_0) {has_side_effect = true} : (tensor<3xui64>, tensor<3xui64>) -> ()
  %c_1 = stablehlo.constant dense<[[2244412626, 1355898749, 2077677868, 817159773], [1347633339, 1148658465, 3167171775, 4244948132], [1619956321, 1701923159, 658027079, 3663444725]]> : tensor<3x4xui32>
  stablehlo.custom_call @check.expect_eq(%output, %c_1) {has_side_effect = true} : (tensor<3x4xui32>, tensor<3x4xui32>) -> ()
  return
}

// -----

func.func @philox_3_ui64_1() {
  %c = stablehlo.constant dense<[3, 12345, 7]> : tensor<3xui64>
  %output_state, %output = stablehlo.rng_bit_generator %c, algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<5xui64>)
  %c_0 = stablehlo.constant dense<[3, 12348, 7]> : tensor<3xui64>
  stablehlo.custom_call @check.expect_eq(%output_state, %c_0) {has_side_effect = true} : (tensor<3xui64>, tensor<3xui64>) -> ()
  %c_1 = stablehlo.constant dense<[5823540785886725330, 3509674502719461676, 4933450542796193979, 18231913403323462847, 7309704309829964385]> : tensor<5xui64>
  stablehlo.custom_call @check.expect_eq(%output, %c_1) {has_side_effect = true} : (tensor<5xui64>, tensor<5xui64>) -> ()
  return
}
