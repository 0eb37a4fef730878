// A GPT training step, written by gpt_step.py with jax 0.10.2: layers 4, d 128, heads 8, ffn 512, vocab 512, seq 64, batch 8, lr 0.001.
// To write it again: python gpt_step.py > gpt_step.mlir
module @jit_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<128x512xf32> {tf.aliasing_output = 0 : i32} loc("params['head']"), %arg1: tensor<128xf32> {tf.aliasing_output = 1 : i32} loc("params['layer0']['b_down']"), %arg2: tensor<512xf32> {tf.aliasing_output = 2 : i32} loc("params['layer0']['b_up']"), %arg3: tensor<128xf32> {tf.aliasing_output = 3 : i32} loc("params['layer0']['bk']"), %arg4: tensor<128xf32> {tf.aliasing_output = 4 : i32} loc("params['layer0']['bo']"), %arg5: tensor<128xf32> {tf.aliasing_output = 5 : i32} loc("params['layer0']['bq']"), %arg6: tensor<128xf32> {tf.aliasing_output = 6 : i32} loc("params['layer0']['bv']"), %arg7: tensor<128xf32> {tf.aliasing_output = 7 : i32} loc("params['layer0']['ln1']['bias']"), %arg8: tensor<128xf32> {tf.aliasing_output = 8 : i32} loc("params['layer0']['ln1']['scale']"), %arg9: tensor<128xf32> {tf.aliasing_output = 9 : i32} loc("params['layer0']['ln2']['bias']"), %arg10: tensor<128xf32> {tf.aliasing_output = 10 : i32} loc("params['layer0']['ln2']['scale']"), %arg11: tensor<512x128xf32> {tf.aliasing_output = 11 : i32} loc("params['layer0']['w_down']"), %arg12: tensor<128x512xf32> {tf.aliasing_output = 12 : i32} loc("params['layer0']['w_up']"), %arg13: tensor<128x128xf32> {tf.aliasing_output = 13 : i32} loc("params['layer0']['wk']"), %arg14: tensor<128x128xf32> {tf.aliasing_output = 14 : i32} loc("params['layer0']['wo']"), %arg15: tensor<128x128xf32> {tf.aliasing_output = 15 : i32} loc("params['layer0']['wq']"), %arg16: tensor<128x128xf32> {tf.aliasing_output = 16 : i32} loc("params['layer0']['wv']"), %arg17: tensor<128xf32> {tf.aliasing_output = 17 : i32} loc("params['layer1']['b_down']"), %arg18: tensor<512xf32> {tf.aliasing_output = 18 : i32} loc("params['layer1']['b_up']"), %arg19: tensor<128xf32> {tf.aliasing_output = 19 : i32} loc("params['layer1']['bk']"), %arg20: tensor<128xf32> {tf.aliasing_output = 20 : i32} loc("params['layer1']['bo']"), %arg21: tensor<128xf32> {tf.aliasing_output = 21 : i32} loc("params['layer1']['bq']"), %arg22: tensor<128xf32> {tf.aliasing_output = 22 : i32} loc("params['layer1']['bv']"), %arg23: tensor<128xf32> {tf.aliasing_output = 23 : i32} loc("params['layer1']['ln1']['bias']"), %arg24: tensor<128xf32> {tf.aliasing_output = 24 : i32} loc("params['layer1']['ln1']['scale']"), %arg25: tensor<128xf32> {tf.aliasing_output = 25 : i32} loc("params['layer1']['ln2']['bias']"), %arg26: tensor<128xf32> {tf.aliasing_output = 26 : i32} loc("params['layer1']['ln2']['scale']"), %arg27: tensor<512x128xf32> {tf.aliasing_output = 27 : i32} loc("params['layer1']['w_down']"), %arg28: tensor<128x512xf32> {tf.aliasing_output = 28 : i32} loc("params['layer1']['w_up']"), %arg29: tensor<128x128xf32> {tf.aliasing_output = 29 : i32} loc("params['layer1']['wk']"), %arg30: tensor<128x128xf32> {tf.aliasing_output = 30 : i32} loc("params['layer1']['wo']"), %arg31: tensor<128x128xf32> {tf.aliasing_output = 31 : i32} loc("params['layer1']['wq']"), %arg32: tensor<128x128xf32> {tf.aliasing_output = 32 : i32} loc("params['layer1']['wv']"), %arg33: tensor<128xf32> {tf.aliasing_output = 33 : i32} loc("params['layer2']['b_down']"), %arg34: tensor<512xf32> {tf.aliasing_output = 34 : i32} loc("params['layer2']['b_up']"), %arg35: tensor<128xf32> {tf.aliasing_output = 35 : i32} loc("params['layer2']['bk']"), %arg36: tensor<128xf32> {tf.aliasing_output = 36 : i32} loc("params['layer2']['bo']"), %arg37: tensor<128xf32> {tf.aliasing_output = 37 : i32} loc("params['layer2']['bq']"), %arg38: tensor<128xf32> {tf.aliasing_output = 38 : i32} loc("params['layer2']['bv']"), %arg39: tensor<128xf32> {tf.aliasing_output = 39 : i32} loc("params['layer2']['ln1']['bias']"), %arg40: tensor<128xf32> {tf.aliasing_output = 40 : i32} loc("params['layer2']['ln1']['scale']"), %arg41: tensor<128xf32> {tf.aliasing_output = 41 : i32} loc("params['layer2']['ln2']['bias']"), %arg42: tensor<128xf32> {tf.aliasing_output = 42 : i32} loc("params['layer2']['ln2']['scale']"), %arg43: tensor<512x128xf32> {tf.aliasing_output = 43 : i32} loc("params['layer2']['w_down']"), %arg44: tensor<128x512xf32> {tf.aliasing_output = 44 : i32} loc("params['layer2']['w_up']"), %arg45: tensor<128x128xf32> {tf.aliasing_output = 45 : i32} loc("params['layer2']['wk']"), %arg46: tensor<128x128xf32> {tf.aliasing_output = 46 : i32} loc("params['layer2']['wo']"), %arg47: tensor<128x128xf32> {tf.aliasing_output = 47 : i32} loc("params['layer2']['wq']"), %arg48: tensor<128x128xf32> {tf.aliasing_output = 48 : i32} loc("params['layer2']['wv']"), %arg49: tensor<128xf32> {tf.aliasing_output = 49 : i32} loc("params['layer3']['b_down']"), %arg50: tensor<512xf32> {tf.aliasing_output = 50 : i32} loc("params['layer3']['b_up']"), %arg51: tensor<128xf32> {tf.aliasing_output = 51 : i32} loc("params['layer3']['bk']"), %arg52: tensor<128xf32> {tf.aliasing_output = 52 : i32} loc("params['layer3']['bo']"), %arg53: tensor<128xf32> {tf.aliasing_output = 53 : i32} loc("params['layer3']['bq']"), %arg54: tensor<128xf32> {tf.aliasing_output = 54 : i32} loc("params['layer3']['bv']"), %arg55: tensor<128xf32> {tf.aliasing_output = 55 : i32} loc("params['layer3']['ln1']['bias']"), %arg56: tensor<128xf32> {tf.aliasing_output = 56 : i32} loc("params['layer3']['ln1']['scale']"), %arg57: tensor<128xf32> {tf.aliasing_output = 57 : i32} loc("params['layer3']['ln2']['bias']"), %arg58: tensor<128xf32> {tf.aliasing_output = 58 : i32} loc("params['layer3']['ln2']['scale']"), %arg59: tensor<512x128xf32> {tf.aliasing_output = 59 : i32} loc("params['layer3']['w_down']"), %arg60: tensor<128x512xf32> {tf.aliasing_output = 60 : i32} loc("params['layer3']['w_up']"), %arg61: tensor<128x128xf32> {tf.aliasing_output = 61 : i32} loc("params['layer3']['wk']"), %arg62: tensor<128x128xf32> {tf.aliasing_output = 62 : i32} loc("params['layer3']['wo']"), %arg63: tensor<128x128xf32> {tf.aliasing_output = 63 : i32} loc("params['layer3']['wq']"), %arg64: tensor<128x128xf32> {tf.aliasing_output = 64 : i32} loc("params['layer3']['wv']"), %arg65: tensor<128xf32> {tf.aliasing_output = 65 : i32} loc("params['ln_f']['bias']"), %arg66: tensor<128xf32> {tf.aliasing_output = 66 : i32} loc("params['ln_f']['scale']"), %arg67: tensor<64x128xf32> {tf.aliasing_output = 67 : i32} loc("params['positions']"), %arg68: tensor<512x128xf32> {tf.aliasing_output = 68 : i32} loc("params['tokens']"), %arg69: tensor<i32> {tf.aliasing_output = 69 : i32} loc("opt['count']"), %arg70: tensor<128x512xf32> {tf.aliasing_output = 70 : i32} loc("opt['m']['head']"), %arg71: tensor<128xf32> {tf.aliasing_output = 71 : i32} loc("opt['m']['layer0']['b_down']"), %arg72: tensor<512xf32> {tf.aliasing_output = 72 : i32} loc("opt['m']['layer0']['b_up']"), %arg73: tensor<128xf32> {tf.aliasing_output = 73 : i32} loc("opt['m']['layer0']['bk']"), %arg74: tensor<128xf32> {tf.aliasing_output = 74 : i32} loc("opt['m']['layer0']['bo']"), %arg75: tensor<128xf32> {tf.aliasing_output = 75 : i32} loc("opt['m']['layer0']['bq']"), %arg76: tensor<128xf32> {tf.aliasing_output = 76 : i32} loc("opt['m']['layer0']['bv']"), %arg77: tensor<128xf32> {tf.aliasing_output = 77 : i32} loc("opt['m']['layer0']['ln1']['bias']"), %arg78: tensor<128xf32> {tf.aliasing_output = 78 : i32} loc("opt['m']['layer0']['ln1']['scale']"), %arg79: tensor<128xf32> {tf.aliasing_output = 79 : i32} loc("opt['m']['layer0']['ln2']['bias']"), %arg80: tensor<128xf32> {tf.aliasing_output = 80 : i32} loc("opt['m']['layer0']['ln2']['scale']"), %arg81: tensor<512x128xf32> {tf.aliasing_output = 81 : i32} loc("opt['m']['layer0']['w_down']"), %arg82: tensor<128x512xf32> {tf.aliasing_output = 82 : i32} loc("opt['m']['layer0']['w_up']"), %arg83: tensor<128x128xf32> {tf.aliasing_output = 83 : i32} loc("opt['m']['layer0']['wk']"), %arg84: tensor<128x128xf32> {tf.aliasing_output = 84 : i32} loc("opt['m']['layer0']['wo']"), %arg85: tensor<128x128xf32> {tf.aliasing_output = 85 : i32} loc("opt['m']['layer0']['wq']"), %arg86: tensor<128x128xf32> {tf.aliasing_output = 86 : i32} loc("opt['m']['layer0']['wv']"), %arg87: tensor<128xf32> {tf.aliasing_output = 87 : i32} loc("opt['m']['layer1']['b_down']"), %arg88: tensor<512xf32> {tf.aliasing_output = 88 : i32} loc("opt['m']['layer1']['b_up']"), %arg89: tensor<128xf32> {tf.aliasing_output = 89 : i32} loc("opt['m']['layer1']['bk']"), %arg90: tensor<128xf32> {tf.aliasing_output = 90 : i32} loc("opt['m']['layer1']['bo']"), %arg91: tensor<128xf32> {tf.aliasing_output = 91 : i32} loc("opt['m']['layer1']['bq']"), %arg92: tensor<128xf32> {tf.aliasing_output = 92 : i32} loc("opt['m']['layer1']['bv']"), %arg93: tensor<128xf32> {tf.aliasing_output = 93 : i32} loc("opt['m']['layer1']['ln1']['bias']"), %arg94: tensor<128xf32> {tf.aliasing_output = 94 : i32} loc("opt['m']['layer1']['ln1']['scale']"), %arg95: tensor<128xf32> {tf.aliasing_output = 95 : i32} loc("opt['m']['layer1']['ln2']['bias']"), %arg96: tensor<128xf32> {tf.aliasing_output = 96 : i32} loc("opt['m']['layer1']['ln2']['scale']"), %arg97: tensor<512x128xf32> {tf.aliasing_output = 97 : i32} loc("opt['m']['layer1']['w_down']"), %arg98: tensor<128x512xf32> {tf.aliasing_output = 98 : i32} loc("opt['m']['layer1']['w_up']"), %arg99: tensor<128x128xf32> {tf.aliasing_output = 99 : i32} loc("opt['m']['layer1']['wk']"), %arg100: tensor<128x128xf32> {tf.aliasing_output = 100 : i32} loc("opt['m']['layer1']['wo']"), %arg101: tensor<128x128xf32> {tf.aliasing_output = 101 : i32} loc("opt['m']['layer1']['wq']"), %arg102: tensor<128x128xf32> {tf.aliasing_output = 102 : i32} loc("opt['m']['layer1']['wv']"), %arg103: tensor<128xf32> {tf.aliasing_output = 103 : i32} loc("opt['m']['layer2']['b_down']"), %arg104: tensor<512xf32> {tf.aliasing_output = 104 : i32} loc("opt['m']['layer2']['b_up']"), %arg105: tensor<128xf32> {tf.aliasing_output = 105 : i32} loc("opt['m']['layer2']['bk']"), %arg106: tensor<128xf32> {tf.aliasing_output = 106 : i32} loc("opt['m']['layer2']['bo']"), %arg107: tensor<128xf32> {tf.aliasing_output = 107 : i32} loc("opt['m']['layer2']['bq']"), %arg108: tensor<128xf32> {tf.aliasing_output = 108 : i32} loc("opt['m']['layer2']['bv']"), %arg109: tensor<128xf32> {tf.aliasing_output = 109 : i32} loc("opt['m']['layer2']['ln1']['bias']"), %arg110: tensor<128xf32> {tf.aliasing_output = 110 : i32} loc("opt['m']['layer2']['ln1']['scale']"), %arg111: tensor<128xf32> {tf.aliasing_output = 111 : i32} loc("opt['m']['layer2']['ln2']['bias']"), %arg112: tensor<128xf32> {tf.aliasing_output = 112 : i32} loc("opt['m']['layer2']['ln2']['scale']"), %arg113: tensor<512x128xf32> {tf.aliasing_output = 113 : i32} loc("opt['m']['layer2']['w_down']"), %arg114: tensor<128x512xf32> {tf.aliasing_output = 114 : i32} loc("opt['m']['layer2']['w_up']"), %arg115: tensor<128x128xf32> {tf.aliasing_output = 115 : i32} loc("opt['m']['layer2']['wk']"), %arg116: tensor<128x128xf32> {tf.aliasing_output = 116 : i32} loc("opt['m']['layer2']['wo']"), %arg117: tensor<128x128xf32> {tf.aliasing_output = 117 : i32} loc("opt['m']['layer2']['wq']"), %arg118: tensor<128x128xf32> {tf.aliasing_output = 118 : i32} loc("opt['m']['layer2']['wv']"), %arg119: tensor<128xf32> {tf.aliasing_output = 119 : i32} loc("opt['m']['layer3']['b_down']"), %arg120: tensor<512xf32> {tf.aliasing_output = 120 : i32} loc("opt['m']['layer3']['b_up']"), %arg121: tensor<128xf32> {tf.aliasing_output = 121 : i32} loc("opt['m']['layer3']['bk']"), %arg122: tensor<128xf32> {tf.aliasing_output = 122 : i32} loc("opt['m']['layer3']['bo']"), %arg123: tensor<128xf32> {tf.aliasing_output = 123 : i32} loc("opt['m']['layer3']['bq']"), %arg124: tensor<128xf32> {tf.aliasing_output = 124 : i32} loc("opt['m']['layer3']['bv']"), %arg125: tensor<128xf32> {tf.aliasing_output = 125 : i32} loc("opt['m']['layer3']['ln1']['bias']"), %arg126: tensor<128xf32> {tf.aliasing_output = 126 : i32} loc("opt['m']['layer3']['ln1']['scale']"), %arg127: tensor<128xf32> {tf.aliasing_output = 127 : i32} loc("opt['m']['layer3']['ln2']['bias']"), %arg128: tensor<128xf32> {tf.aliasing_output = 128 : i32} loc("opt['m']['layer3']['ln2']['scale']"), %arg129: tensor<512x128xf32> {tf.aliasing_output = 129 : i32} loc("opt['m']['layer3']['w_down']"), %arg130: tensor<128x512xf32> {tf.aliasing_output = 130 : i32} loc("opt['m']['layer3']['w_up']"), %arg131: tensor<128x128xf32> {tf.aliasing_output = 131 : i32} loc("opt['m']['layer3']['wk']"), %arg132: tensor<128x128xf32> {tf.aliasing_output = 132 : i32} loc("opt['m']['layer3']['wo']"), %arg133: tensor<128x128xf32> {tf.aliasing_output = 133 : i32} loc("opt['m']['layer3']['wq']"), %arg134: tensor<128x128xf32> {tf.aliasing_output = 134 : i32} loc("opt['m']['layer3']['wv']"), %arg135: tensor<128xf32> {tf.aliasing_output = 135 : i32} loc("opt['m']['ln_f']['bias']"), %arg136: tensor<128xf32> {tf.aliasing_output = 136 : i32} loc("opt['m']['ln_f']['scale']"), %arg137: tensor<64x128xf32> {tf.aliasing_output = 137 : i32} loc("opt['m']['positions']"), %arg138: tensor<512x128xf32> {tf.aliasing_output = 138 : i32} loc("opt['m']['tokens']"), %arg139: tensor<128x512xf32> {tf.aliasing_output = 139 : i32} loc("opt['v']['head']"), %arg140: tensor<128xf32> {tf.aliasing_output = 140 : i32} loc("opt['v']['layer0']['b_down']"), %arg141: tensor<512xf32> {tf.aliasing_output = 141 : i32} loc("opt['v']['layer0']['b_up']"), %arg142: tensor<128xf32> {tf.aliasing_output = 142 : i32} loc("opt['v']['layer0']['bk']"), %arg143: tensor<128xf32> {tf.aliasing_output = 143 : i32} loc("opt['v']['layer0']['bo']"), %arg144: tensor<128xf32> {tf.aliasing_output = 144 : i32} loc("opt['v']['layer0']['bq']"), %arg145: tensor<128xf32> {tf.aliasing_output = 145 : i32} loc("opt['v']['layer0']['bv']"), %arg146: tensor<128xf32> {tf.aliasing_output = 146 : i32} loc("opt['v']['layer0']['ln1']['bias']"), %arg147: tensor<128xf32> {tf.aliasing_output = 147 : i32} loc("opt['v']['layer0']['ln1']['scale']"), %arg148: tensor<128xf32> {tf.aliasing_output = 148 : i32} loc("opt['v']['layer0']['ln2']['bias']"), %arg149: tensor<128xf32> {tf.aliasing_output = 149 : i32} loc("opt['v']['layer0']['ln2']['scale']"), %arg150: tensor<512x128xf32> {tf.aliasing_output = 150 : i32} loc("opt['v']['layer0']['w_down']"), %arg151: tensor<128x512xf32> {tf.aliasing_output = 151 : i32} loc("opt['v']['layer0']['w_up']"), %arg152: tensor<128x128xf32> {tf.aliasing_output = 152 : i32} loc("opt['v']['layer0']['wk']"), %arg153: tensor<128x128xf32> {tf.aliasing_output = 153 : i32} loc("opt['v']['layer0']['wo']"), %arg154: tensor<128x128xf32> {tf.aliasing_output = 154 : i32} loc("opt['v']['layer0']['wq']"), %arg155: tensor<128x128xf32> {tf.aliasing_output = 155 : i32} loc("opt['v']['layer0']['wv']"), %arg156: tensor<128xf32> {tf.aliasing_output = 156 : i32} loc("opt['v']['layer1']['b_down']"), %arg157: tensor<512xf32> {tf.aliasing_output = 157 : i32} loc("opt['v']['layer1']['b_up']"), %arg158: tensor<128xf32> {tf.aliasing_output = 158 : i32} loc("opt['v']['layer1']['bk']"), %arg159: tensor<128xf32> {tf.aliasing_output = 159 : i32} loc("opt['v']['layer1']['bo']"), %arg160: tensor<128xf32> {tf.aliasing_output = 160 : i32} loc("opt['v']['layer1']['bq']"), %arg161: tensor<128xf32> {tf.aliasing_output = 161 : i32} loc("opt['v']['layer1']['bv']"), %arg162: tensor<128xf32> {tf.aliasing_output = 162 : i32} loc("opt['v']['layer1']['ln1']['bias']"), %arg163: tensor<128xf32> {tf.aliasing_output = 163 : i32} loc("opt['v']['layer1']['ln1']['scale']"), %arg164: tensor<128xf32> {tf.aliasing_output = 164 : i32} loc("opt['v']['layer1']['ln2']['bias']"), %arg165: tensor<128xf32> {tf.aliasing_output = 165 : i32} loc("opt['v']['layer1']['ln2']['scale']"), %arg166: tensor<512x128xf32> {tf.aliasing_output = 166 : i32} loc("opt['v']['layer1']['w_down']"), %arg167: tensor<128x512xf32> {tf.aliasing_output = 167 : i32} loc("opt['v']['layer1']['w_up']"), %arg168: tensor<128x128xf32> {tf.aliasing_output = 168 : i32} loc("opt['v']['layer1']['wk']"), %arg169: tensor<128x128xf32> {tf.aliasing_output = 169 : i32} loc("opt['v']['layer1']['wo']"), %arg170: tensor<128x128xf32> {tf.aliasing_output = 170 : i32} loc("opt['v']['layer1']['wq']"), %arg171: tensor<128x128xf32> {tf.aliasing_output = 171 : i32} loc("opt['v']['layer1']['wv']"), %arg172: tensor<128xf32> {tf.aliasing_output = 172 : i32} loc("opt['v']['layer2']['b_down']"), %arg173: tensor<512xf32> {tf.aliasing_output = 173 : i32} loc("opt['v']['layer2']['b_up']"), %arg174: tensor<128xf32> {tf.aliasing_output = 174 : i32} loc("opt['v']['layer2']['bk']"), %arg175: tensor<128xf32> {tf.aliasing_output = 175 : i32} loc("opt['v']['layer2']['bo']"), %arg176: tensor<128xf32> {tf.aliasing_output = 176 : i32} loc("opt['v']['layer2']['bq']"), %arg177: tensor<128xf32> {tf.aliasing_output = 177 : i32} loc("opt['v']['layer2']['bv']"), %arg178: tensor<128xf32> {tf.aliasing_output = 178 : i32} loc("opt['v']['layer2']['ln1']['bias']"), %arg179: tensor<128xf32> {tf.aliasing_output = 179 : i32} loc("opt['v']['layer2']['ln1']['scale']"), %arg180: tensor<128xf32> {tf.aliasing_output = 180 : i32} loc("opt['v']['layer2']['ln2']['bias']"), %arg181: tensor<128xf32> {tf.aliasing_output = 181 : i32} loc("opt['v']['layer2']['ln2']['scale']"), %arg182: tensor<512x128xf32> {tf.aliasing_output = 182 : i32} loc("opt['v']['layer2']['w_down']"), %arg183: tensor<128x512xf32> {tf.aliasing_output = 183 : i32} loc("opt['v']['layer2']['w_up']"), %arg184: tensor<128x128xf32> {tf.aliasing_output = 184 : i32} loc("opt['v']['layer2']['wk']"), %arg185: tensor<128x128xf32> {tf.aliasing_output = 185 : i32} loc("opt['v']['layer2']['wo']"), %arg186: tensor<128x128xf32> {tf.aliasing_output = 186 : i32} loc("opt['v']['layer2']['wq']"), %arg187: tensor<128x128xf32> {tf.aliasing_output = 187 : i32} loc("opt['v']['layer2']['wv']"), %arg188: tensor<128xf32> {tf.aliasing_output = 188 : i32} loc("opt['v']['layer3']['b_down']"), %arg189: tensor<512xf32> {tf.aliasing_output = 189 : i32} loc("opt['v']['layer3']['b_up']"), %arg190: tensor<128xf32> {tf.aliasing_output = 190 : i32} loc("opt['v']['layer3']['bk']"), %arg191: tensor<128xf32> {tf.aliasing_output = 191 : i32} loc("opt['v']['layer3']['bo']"), %arg192: tensor<128xf32> {tf.aliasing_output = 192 : i32} loc("opt['v']['layer3']['bq']"), %arg193: tensor<128xf32> {tf.aliasing_output = 193 : i32} loc("opt['v']['layer3']['bv']"), %arg194: tensor<128xf32> {tf.aliasing_output = 194 : i32} loc("opt['v']['layer3']['ln1']['bias']"), %arg195: tensor<128xf32> {tf.aliasing_output = 195 : i32} loc("opt['v']['layer3']['ln1']['scale']"), %arg196: tensor<128xf32> {tf.aliasing_output = 196 : i32} loc("opt['v']['layer3']['ln2']['bias']"), %arg197: tensor<128xf32> {tf.aliasing_output = 197 : i32} loc("opt['v']['layer3']['ln2']['scale']"), %arg198: tensor<512x128xf32> {tf.aliasing_output = 198 : i32} loc("opt['v']['layer3']['w_down']"), %arg199: tensor<128x512xf32> {tf.aliasing_output = 199 : i32} loc("opt['v']['layer3']['w_up']"), %arg200: tensor<128x128xf32> {tf.aliasing_output = 200 : i32} loc("opt['v']['layer3']['wk']"), %arg201: tensor<128x128xf32> {tf.aliasing_output = 201 : i32} loc("opt['v']['layer3']['wo']"), %arg202: tensor<128x128xf32> {tf.aliasing_output = 202 : i32} loc("opt['v']['layer3']['wq']"), %arg203: tensor<128x128xf32> {tf.aliasing_output = 203 : i32} loc("opt['v']['layer3']['wv']"), %arg204: tensor<128xf32> {tf.aliasing_output = 204 : i32} loc("opt['v']['ln_f']['bias']"), %arg205: tensor<128xf32> {tf.aliasing_output = 205 : i32} loc("opt['v']['ln_f']['scale']"), %arg206: tensor<64x128xf32> {tf.aliasing_output = 206 : i32} loc("opt['v']['positions']"), %arg207: tensor<512x128xf32> {tf.aliasing_output = 207 : i32} loc("opt['v']['tokens']"), %arg208: tensor<8x64xi32> loc("tokens"), %arg209: tensor<8x64xi32> loc("targets")) -> (tensor<128x512xf32> {jax.result_info = "result[0]['head']"}, tensor<128xf32> {jax.result_info = "result[0]['layer0']['b_down']"}, tensor<512xf32> {jax.result_info = "result[0]['layer0']['b_up']"}, tensor<128xf32> {jax.result_info = "result[0]['layer0']['bk']"}, tensor<128xf32> {jax.result_info = "result[0]['layer0']['bo']"}, tensor<128xf32> {jax.result_info = "result[0]['layer0']['bq']"}, tensor<128xf32> {jax.result_info = "result[0]['layer0']['bv']"}, tensor<128xf32> {jax.result_info = "result[0]['layer0']['ln1']['bias']"}, tensor<128xf32> {jax.result_info = "result[0]['layer0']['ln1']['scale']"}, tensor<128xf32> {jax.result_info = "result[0]['layer0']['ln2']['bias']"}, tensor<128xf32> {jax.result_info = "result[0]['layer0']['ln2']['scale']"}, tensor<512x128xf32> {jax.result_info = "result[0]['layer0']['w_down']"}, tensor<128x512xf32> {jax.result_info = "result[0]['layer0']['w_up']"}, tensor<128x128xf32> {jax.result_info = "result[0]['layer0']['wk']"}, tensor<128x128xf32> {jax.result_info = "result[0]['layer0']['wo']"}, tensor<128x128xf32> {jax.result_info = "result[0]['layer0']['wq']"}, tensor<128x128xf32> {jax.result_info = "result[0]['layer0']['wv']"}, tensor<128xf32> {jax.result_info = "result[0]['layer1']['b_down']"}, tensor<512xf32> {jax.result_info = "result[0]['layer1']['b_up']"}, tensor<128xf32> {jax.result_info = "result[0]['layer1']['bk']"}, tensor<128xf32> {jax.result_info = "result[0]['layer1']['bo']"}, tensor<128xf32> {jax.result_info = "result[0]['layer1']['bq']"}, tensor<128xf32> {jax.result_info = "result[0]['layer1']['bv']"}, tensor<128xf32> {jax.result_info = "result[0]['layer1']['ln1']['bias']"}, tensor<128xf32> {jax.result_info = "result[0]['layer1']['ln1']['scale']"}, tensor<128xf32> {jax.result_info = "result[0]['layer1']['ln2']['bias']"}, tensor<128xf32> {jax.result_info = "result[0]['layer1']['ln2']['scale']"}, tensor<512x128xf32> {jax.result_info = "result[0]['layer1']['w_down']"}, tensor<128x512xf32> {jax.result_info = "result[0]['layer1']['w_up']"}, tensor<128x128xf32> {jax.result_info = "result[0]['layer1']['wk']"}, tensor<128x128xf32> {jax.result_info = "result[0]['layer1']['wo']"}, tensor<128x128xf32> {jax.result_info = "result[0]['layer1']['wq']"}, tensor<128x128xf32> {jax.result_info = "result[0]['layer1']['wv']"}, tensor<128xf32> {jax.result_info = "result[0]['layer2']['b_down']"}, tensor<512xf32> {jax.result_info = "result[0]['layer2']['b_up']"}, tensor<128xf32> {jax.result_info = "result[0]['layer2']['bk']"}, tensor<128xf32> {jax.result_info = "result[0]['layer2']['bo']"}, tensor<128xf32> {jax.result_info = "result[0]['layer2']['bq']"}, tensor<128xf32> {jax.result_info = "result[0]['layer2']['bv']"}, tensor<128xf32> {jax.result_info = "result[0]['layer2']['ln1']['bias']"}, tensor<128xf32> {jax.result_info = "result[0]['layer2']['ln1']['scale']"}, tensor<128xf32> {jax.result_info = "result[0]['layer2']['ln2']['bias']"}, tensor<128xf32> {jax.result_info = "result[0]['layer2']['ln2']['scale']"}, tensor<512x128xf32> {jax.result_info = "result[0]['layer2']['w_down']"}, tensor<128x512xf32> {jax.result_info = "result[0]['layer2']['w_up']"}, tensor<128x128xf32> {jax.result_info = "result[0]['layer2']['wk']"}, tensor<128x128xf32> {jax.result_info = "result[0]['layer2']['wo']"}, tensor<128x128xf32> {jax.result_info = "result[0]['layer2']['wq']"}, tensor<128x128xf32> {jax.result_info = "result[0]['layer2']['wv']"}, tensor<128xf32> {jax.result_info = "result[0]['layer3']['b_down']"}, tensor<512xf32> {jax.result_info = "result[0]['layer3']['b_up']"}, tensor<128xf32> {jax.result_info = "result[0]['layer3']['bk']"}, tensor<128xf32> {jax.result_info = "result[0]['layer3']['bo']"}, tensor<128xf32> {jax.result_info = "result[0]['layer3']['bq']"}, tensor<128xf32> {jax.result_info = "result[0]['layer3']['bv']"}, tensor<128xf32> {jax.result_info = "result[0]['layer3']['ln1']['bias']"}, tensor<128xf32> {jax.result_info = "result[0]['layer3']['ln1']['scale']"}, tensor<128xf32> {jax.result_info = "result[0]['layer3']['ln2']['bias']"}, tensor<128xf32> {jax.result_info = "result[0]['layer3']['ln2']['scale']"}, tensor<512x128xf32> {jax.result_info = "result[0]['layer3']['w_down']"}, tensor<128x512xf32> {jax.result_info = "result[0]['layer3']['w_up']"}, tensor<128x128xf32> {jax.result_info = "result[0]['layer3']['wk']"}, tensor<128x128xf32> {jax.result_info = "result[0]['layer3']['wo']"}, tensor<128x128xf32> {jax.result_info = "result[0]['layer3']['wq']"}, tensor<128x128xf32> {jax.result_info = "result[0]['layer3']['wv']"}, tensor<128xf32> {jax.result_info = "result[0]['ln_f']['bias']"}, tensor<128xf32> {jax.result_info = "result[0]['ln_f']['scale']"}, tensor<64x128xf32> {jax.result_info = "result[0]['positions']"}, tensor<512x128xf32> {jax.result_info = "result[0]['tokens']"}, tensor<i32> {jax.result_info = "result[1]['count']"}, tensor<128x512xf32> {jax.result_info = "result[1]['m']['head']"}, tensor<128xf32> {jax.result_info = "result[1]['m']['layer0']['b_down']"}, tensor<512xf32> {jax.result_info = "result[1]['m']['layer0']['b_up']"}, tensor<128xf32> {jax.result_info = "result[1]['m']['layer0']['bk']"}, tensor<128xf32> {jax.result_info = "result[1]['m']['layer0']['bo']"}, tensor<128xf32> {jax.result_info = "result[1]['m']['layer0']['bq']"}, tensor<128xf32> {jax.result_info = "result[1]['m']['layer0']['bv']"}, tensor<128xf32> {jax.result_info = "result[1]['m']['layer0']['ln1']['bias']"}, tensor<128xf32> {jax.result_info = "result[1]['m']['layer0']['ln1']['scale']"}, tensor<128xf32> {jax.result_info = "result[1]['m']['layer0']['ln2']['bias']"}, tensor<128xf32> {jax.result_info = "result[1]['m']['layer0']['ln2']['scale']"}, tensor<512x128xf32> {jax.result_info = "result[1]['m']['layer0']['w_down']"}, tensor<128x512xf32> {jax.result_info = "result[1]['m']['layer0']['w_up']"}, tensor<128x128xf32> {jax.result_info = "result[1]['m']['layer0']['wk']"}, tensor<128x128xf32> {jax.result_info = "result[1]['m']['layer0']['wo']"}, tensor<128x128xf32> {jax.result_info = "result[1]['m']['layer0']['wq']"}, tensor<128x128xf32> {jax.result_info = "result[1]['m']['layer0']['wv']"}, tensor<128xf32> {jax.result_info = "result[1]['m']['layer1']['b_down']"}, tensor<512xf32> {jax.result_info = "result[1]['m']['layer1']['b_up']"}, tensor<128xf32> {jax.result_info = "result[1]['m']['layer1']['bk']"}, tensor<128xf32> {jax.result_info = "result[1]['m']['layer1']['bo']"}, tensor<128xf32> {jax.result_info = "result[1]['m']['layer1']['bq']"}, tensor<128xf32> {jax.result_info = "result[1]['m']['layer1']['bv']"}, tensor<128xf32> {jax.result_info = "result[1]['m']['layer1']['ln1']['bias']"}, tensor<128xf32> {jax.result_info = "result[1]['m']['layer1']['ln1']['scale']"}, tensor<128xf32> {jax.result_info = "result[1]['m']['layer1']['ln2']['bias']"}, tensor<128xf32> {jax.result_info = "result[1]['m']['layer1']['ln2']['scale']"}, tensor<512x128xf32> {jax.result_info = "result[1]['m']['layer1']['w_down']"}, tensor<128x512xf32> {jax.result_info = "result[1]['m']['layer1']['w_up']"}, tensor<128x128xf32> {jax.result_info = "result[1]['m']['layer1']['wk']"}, tensor<128x128xf32> {jax.result_info = "result[1]['m']['layer1']['wo']"}, tensor<128x128xf32> {jax.result_info = "result[1]['m']['layer1']['wq']"}, tensor<128x128xf32> {jax.result_info = "result[1]['m']['layer1']['wv']"}, tensor<128xf32> {jax.result_info = "result[1]['m']['layer2']['b_down']"}, tensor<512xf32> {jax.result_info = "result[1]['m']['layer2']['b_up']"}, tensor<128xf32> {jax.result_info = "result[1]['m']['layer2']['bk']"}, tensor<128xf32> {jax.result_info = "result[1]['m']['layer2']['bo']"}, tensor<128xf32> {jax.result_info = "result[1]['m']['layer2']['bq']"}, tensor<128xf32> {jax.result_info = "result[1]['m']['layer2']['bv']"}, tensor<128xf32> {jax.result_info = "result[1]['m']['layer2']['ln1']['bias']"}, tensor<128xf32> {jax.result_info = "result[1]['m']['layer2']['ln1']['scale']"}, tensor<128xf32> {jax.result_info = "result[1]['m']['layer2']['ln2']['bias']"}, tensor<128xf32> {jax.result_info = "result[1]['m']['layer2']['ln2']['scale']"}, tensor<512x128xf32> {jax.result_info = "result[1]['m']['layer2']['w_down']"}, tensor<128x512xf32> {jax.result_info = "result[1]['m']['layer2']['w_up']"}, tensor<128x128xf32> {jax.result_info = "result[1]['m']['layer2']['wk']"}, tensor<128x128xf32> {jax.result_info = "result[1]['m']['layer2']['wo']"}, tensor<128x128xf32> {jax.result_info = "result[1]['m']['layer2']['wq']"}, tensor<128x128xf32> {jax.result_info = "result[1]['m']['layer2']['wv']"}, tensor<128xf32> {jax.result_info = "result[1]['m']['layer3']['b_down']"}, tensor<512xf32> {jax.result_info = "result[1]['m']['layer3']['b_up']"}, tensor<128xf32> {jax.result_info = "result[1]['m']['layer3']['bk']"}, tensor<128xf32> {jax.result_info = "result[1]['m']['layer3']['bo']"}, tensor<128xf32> {jax.result_info = "result[1]['m']['layer3']['bq']"}, tensor<128xf32> {jax.result_info = "result[1]['m']['layer3']['bv']"}, tensor<128xf32> {jax.result_info = "result[1]['m']['layer3']['ln1']['bias']"}, tensor<128xf32> {jax.result_info = "result[1]['m']['layer3']['ln1']['scale']"}, tensor<128xf32> {jax.result_info = "result[1]['m']['layer3']['ln2']['bias']"}, tensor<128xf32> {jax.result_info = "result[1]['m']['layer3']['ln2']['scale']"}, tensor<512x128xf32> {jax.result_info = "result[1]['m']['layer3']['w_down']"}, tensor<128x512xf32> {jax.result_info = "result[1]['m']['layer3']['w_up']"}, tensor<128x128xf32> {jax.result_info = "result[1]['m']['layer3']['wk']"}, tensor<128x128xf32> {jax.result_info = "result[1]['m']['layer3']['wo']"}, tensor<128x128xf32> {jax.result_info = "result[1]['m']['layer3']['wq']"}, tensor<128x128xf32> {jax.result_info = "result[1]['m']['layer3']['wv']"}, tensor<128xf32> {jax.result_info = "result[1]['m']['ln_f']['bias']"}, tensor<128xf32> {jax.result_info = "result[1]['m']['ln_f']['scale']"}, tensor<64x128xf32> {jax.result_info = "result[1]['m']['positions']"}, tensor<512x128xf32> {jax.result_info = "result[1]['m']['tokens']"}, tensor<128x512xf32> {jax.result_info = "result[1]['v']['head']"}, tensor<128xf32> {jax.result_info = "result[1]['v']['layer0']['b_down']"}, tensor<512xf32> {jax.result_info = "result[1]['v']['layer0']['b_up']"}, tensor<128xf32> {jax.result_info = "result[1]['v']['layer0']['bk']"}, tensor<128xf32> {jax.result_info = "result[1]['v']['layer0']['bo']"}, tensor<128xf32> {jax.result_info = "result[1]['v']['layer0']['bq']"}, tensor<128xf32> {jax.result_info = "result[1]['v']['layer0']['bv']"}, tensor<128xf32> {jax.result_info = "result[1]['v']['layer0']['ln1']['bias']"}, tensor<128xf32> {jax.result_info = "result[1]['v']['layer0']['ln1']['scale']"}, tensor<128xf32> {jax.result_info = "result[1]['v']['layer0']['ln2']['bias']"}, tensor<128xf32> {jax.result_info = "result[1]['v']['layer0']['ln2']['scale']"}, tensor<512x128xf32> {jax.result_info = "result[1]['v']['layer0']['w_down']"}, tensor<128x512xf32> {jax.result_info = "result[1]['v']['layer0']['w_up']"}, tensor<128x128xf32> {jax.result_info = "result[1]['v']['layer0']['wk']"}, tensor<128x128xf32> {jax.result_info = "result[1]['v']['layer0']['wo']"}, tensor<128x128xf32> {jax.result_info = "result[1]['v']['layer0']['wq']"}, tensor<128x128xf32> {jax.result_info = "result[1]['v']['layer0']['wv']"}, tensor<128xf32> {jax.result_info = "result[1]['v']['layer1']['b_down']"}, tensor<512xf32> {jax.result_info = "result[1]['v']['layer1']['b_up']"}, tensor<128xf32> {jax.result_info = "result[1]['v']['layer1']['bk']"}, tensor<128xf32> {jax.result_info = "result[1]['v']['layer1']['bo']"}, tensor<128xf32> {jax.result_info = "result[1]['v']['layer1']['bq']"}, tensor<128xf32> {jax.result_info = "result[1]['v']['layer1']['bv']"}, tensor<128xf32> {jax.result_info = "result[1]['v']['layer1']['ln1']['bias']"}, tensor<128xf32> {jax.result_info = "result[1]['v']['layer1']['ln1']['scale']"}, tensor<128xf32> {jax.result_info = "result[1]['v']['layer1']['ln2']['bias']"}, tensor<128xf32> {jax.result_info = "result[1]['v']['layer1']['ln2']['scale']"}, tensor<512x128xf32> {jax.result_info = "result[1]['v']['layer1']['w_down']"}, tensor<128x512xf32> {jax.result_info = "result[1]['v']['layer1']['w_up']"}, tensor<128x128xf32> {jax.result_info = "result[1]['v']['layer1']['wk']"}, tensor<128x128xf32> {jax.result_info = "result[1]['v']['layer1']['wo']"}, tensor<128x128xf32> {jax.result_info = "result[1]['v']['layer1']['wq']"}, tensor<128x128xf32> {jax.result_info = "result[1]['v']['layer1']['wv']"}, tensor<128xf32> {jax.result_info = "result[1]['v']['layer2']['b_down']"}, tensor<512xf32> {jax.result_info = "result[1]['v']['layer2']['b_up']"}, tensor<128xf32> {jax.result_info = "result[1]['v']['layer2']['bk']"}, tensor<128xf32> {jax.result_info = "result[1]['v']['layer2']['bo']"}, tensor<128xf32> {jax.result_info = "result[1]['v']['layer2']['bq']"}, tensor<128xf32> {jax.result_info = "result[1]['v']['layer2']['bv']"}, tensor<128xf32> {jax.result_info = "result[1]['v']['layer2']['ln1']['bias']"}, tensor<128xf32> {jax.result_info = "result[1]['v']['layer2']['ln1']['scale']"}, tensor<128xf32> {jax.result_info = "result[1]['v']['layer2']['ln2']['bias']"}, tensor<128xf32> {jax.result_info = "result[1]['v']['layer2']['ln2']['scale']"}, tensor<512x128xf32> {jax.result_info = "result[1]['v']['layer2']['w_down']"}, tensor<128x512xf32> {jax.result_info = "result[1]['v']['layer2']['w_up']"}, tensor<128x128xf32> {jax.result_info = "result[1]['v']['layer2']['wk']"}, tensor<128x128xf32> {jax.result_info = "result[1]['v']['layer2']['wo']"}, tensor<128x128xf32> {jax.result_info = "result[1]['v']['layer2']['wq']"}, tensor<128x128xf32> {jax.result_info = "result[1]['v']['layer2']['wv']"}, tensor<128xf32> {jax.result_info = "result[1]['v']['layer3']['b_down']"}, tensor<512xf32> {jax.result_info = "result[1]['v']['layer3']['b_up']"}, tensor<128xf32> {jax.result_info = "result[1]['v']['layer3']['bk']"}, tensor<128xf32> {jax.result_info = "result[1]['v']['layer3']['bo']"}, tensor<128xf32> {jax.result_info = "result[1]['v']['layer3']['bq']"}, tensor<128xf32> {jax.result_info = "result[1]['v']['layer3']['bv']"}, tensor<128xf32> {jax.result_info = "result[1]['v']['layer3']['ln1']['bias']"}, tensor<128xf32> {jax.result_info = "result[1]['v']['layer3']['ln1']['scale']"}, tensor<128xf32> {jax.result_info = "result[1]['v']['layer3']['ln2']['bias']"}, tensor<128xf32> {jax.result_info = "result[1]['v']['layer3']['ln2']['scale']"}, tensor<512x128xf32> {jax.result_info = "result[1]['v']['layer3']['w_down']"}, tensor<128x512xf32> {jax.result_info = "result[1]['v']['layer3']['w_up']"}, tensor<128x128xf32> {jax.result_info = "result[1]['v']['layer3']['wk']"}, tensor<128x128xf32> {jax.result_info = "result[1]['v']['layer3']['wo']"}, tensor<128x128xf32> {jax.result_info = "result[1]['v']['layer3']['wq']"}, tensor<128x128xf32> {jax.result_info = "result[1]['v']['layer3']['wv']"}, tensor<128xf32> {jax.result_info = "result[1]['v']['ln_f']['bias']"}, tensor<128xf32> {jax.result_info = "result[1]['v']['ln_f']['scale']"}, tensor<64x128xf32> {jax.result_info = "result[1]['v']['positions']"}, tensor<512x128xf32> {jax.result_info = "result[1]['v']['tokens']"}, tensor<f32> {jax.result_info = "result[2]"}) {
    %0 = stablehlo.broadcast_in_dim %arg208, dims = [0, 1] : (tensor<8x64xi32>) -> tensor<8x64x1xi32>
    %1 = "stablehlo.gather"(%arg68, %0) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 128>}> : (tensor<512x128xf32>, tensor<8x64x1xi32>) -> tensor<8x64x128xf32>
    %2 = stablehlo.broadcast_in_dim %arg67, dims = [1, 2] : (tensor<64x128xf32>) -> tensor<1x64x128xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1, 2] : (tensor<1x64x128xf32>) -> tensor<8x64x128xf32>
    %4 = stablehlo.add %1, %3 : tensor<8x64x128xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.reduce(%4 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<8x64xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1] : (tensor<8x64xf32>) -> tensor<8x64x1xf32>
    %cst_0 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %8 = stablehlo.divide %6, %7 : tensor<8x64x1xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<8x64x1xf32>) -> tensor<8x64x128xf32>
    %10 = stablehlo.subtract %4, %9 : tensor<8x64x128xf32>
    %11 = stablehlo.multiply %10, %10 : tensor<8x64x128xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.reduce(%11 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<8x64xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1] : (tensor<8x64xf32>) -> tensor<8x64x1xf32>
    %cst_2 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %15 = stablehlo.divide %13, %14 : tensor<8x64x1xf32>
    %cst_3 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %17 = stablehlo.add %15, %16 : tensor<8x64x1xf32>
    %18 = stablehlo.rsqrt %17 : tensor<8x64x1xf32>
    %19 = stablehlo.divide %18, %17 : tensor<8x64x1xf32>
    %cst_4 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %21 = stablehlo.multiply %20, %19 : tensor<8x64x1xf32>
    %22 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2] : (tensor<8x64x1xf32>) -> tensor<8x64x128xf32>
    %23 = stablehlo.multiply %10, %22 : tensor<8x64x128xf32>
    %24 = stablehlo.broadcast_in_dim %arg8, dims = [2] : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %25 = stablehlo.broadcast_in_dim %24, dims = [0, 1, 2] : (tensor<1x1x128xf32>) -> tensor<8x64x128xf32>
    %26 = stablehlo.multiply %23, %25 : tensor<8x64x128xf32>
    %27 = stablehlo.broadcast_in_dim %arg7, dims = [2] : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %28 = stablehlo.broadcast_in_dim %27, dims = [0, 1, 2] : (tensor<1x1x128xf32>) -> tensor<8x64x128xf32>
    %29 = stablehlo.add %26, %28 : tensor<8x64x128xf32>
    %30 = stablehlo.dot_general %29, %arg15, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<128x128xf32>) -> tensor<8x64x128xf32>
    %31 = stablehlo.broadcast_in_dim %arg5, dims = [2] : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %32 = stablehlo.broadcast_in_dim %31, dims = [0, 1, 2] : (tensor<1x1x128xf32>) -> tensor<8x64x128xf32>
    %33 = stablehlo.add %30, %32 : tensor<8x64x128xf32>
    %34 = stablehlo.reshape %33 : (tensor<8x64x128xf32>) -> tensor<8x64x8x16xf32>
    %35 = stablehlo.dot_general %29, %arg13, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<128x128xf32>) -> tensor<8x64x128xf32>
    %36 = stablehlo.broadcast_in_dim %arg3, dims = [2] : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %37 = stablehlo.broadcast_in_dim %36, dims = [0, 1, 2] : (tensor<1x1x128xf32>) -> tensor<8x64x128xf32>
    %38 = stablehlo.add %35, %37 : tensor<8x64x128xf32>
    %39 = stablehlo.reshape %38 : (tensor<8x64x128xf32>) -> tensor<8x64x8x16xf32>
    %40 = stablehlo.dot_general %29, %arg16, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<128x128xf32>) -> tensor<8x64x128xf32>
    %41 = stablehlo.broadcast_in_dim %arg6, dims = [2] : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %42 = stablehlo.broadcast_in_dim %41, dims = [0, 1, 2] : (tensor<1x1x128xf32>) -> tensor<8x64x128xf32>
    %43 = stablehlo.add %40, %42 : tensor<8x64x128xf32>
    %44 = stablehlo.reshape %43 : (tensor<8x64x128xf32>) -> tensor<8x64x8x16xf32>
    %45 = stablehlo.dot_general %34, %39, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<8x64x8x16xf32>, tensor<8x64x8x16xf32>) -> tensor<8x8x64x64xf32>
    %cst_5 = stablehlo.constant dense<2.500000e-01> : tensor<f32>
    %46 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<8x8x64x64xf32>
    %47 = stablehlo.multiply %45, %46 : tensor<8x8x64x64xf32>
    %48 = stablehlo.iota dim = 0 : tensor<64x64xi32>
    %49 = stablehlo.iota dim = 1 : tensor<64x64xi32>
    %50 = stablehlo.compare GE, %48, %49, SIGNED : (tensor<64x64xi32>, tensor<64x64xi32>) -> tensor<64x64xi1>
    %51 = stablehlo.broadcast_in_dim %50, dims = [2, 3] : (tensor<64x64xi1>) -> tensor<8x8x64x64xi1>
    %cst_6 = stablehlo.constant dense<-1.000000e+30> : tensor<f32>
    %52 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<8x8x64x64xf32>
    %53 = stablehlo.select %51, %47, %52 : tensor<8x8x64x64xi1>, tensor<8x8x64x64xf32>
    %cst_7 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %54 = stablehlo.reduce(%53 init: %cst_7) applies stablehlo.maximum across dimensions = [3] : (tensor<8x8x64x64xf32>, tensor<f32>) -> tensor<8x8x64xf32>
    %55 = stablehlo.broadcast_in_dim %54, dims = [0, 1, 2] : (tensor<8x8x64xf32>) -> tensor<8x8x64x1xf32>
    %56 = stablehlo.broadcast_in_dim %55, dims = [0, 1, 2, 3] : (tensor<8x8x64x1xf32>) -> tensor<8x8x64x64xf32>
    %57 = stablehlo.subtract %53, %56 : tensor<8x8x64x64xf32>
    %58 = stablehlo.exponential %57 : tensor<8x8x64x64xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %59 = stablehlo.reduce(%58 init: %cst_8) applies stablehlo.add across dimensions = [3] : (tensor<8x8x64x64xf32>, tensor<f32>) -> tensor<8x8x64xf32>
    %60 = stablehlo.broadcast_in_dim %59, dims = [0, 1, 2] : (tensor<8x8x64xf32>) -> tensor<8x8x64x1xf32>
    %61 = stablehlo.broadcast_in_dim %60, dims = [0, 1, 2, 3] : (tensor<8x8x64x1xf32>) -> tensor<8x8x64x64xf32>
    %62 = stablehlo.divide %58, %61 : tensor<8x8x64x64xf32>
    %63 = stablehlo.multiply %60, %60 : tensor<8x8x64x1xf32>
    %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %64 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<8x8x64x1xf32>
    %65 = stablehlo.divide %64, %63 : tensor<8x8x64x1xf32>
    %66 = stablehlo.dot_general %44, %62, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<8x64x8x16xf32>, tensor<8x8x64x64xf32>) -> tensor<8x8x16x64xf32>
    %67 = stablehlo.transpose %66, dims = [0, 3, 1, 2] : (tensor<8x8x16x64xf32>) -> tensor<8x64x8x16xf32>
    %68 = stablehlo.reshape %67 : (tensor<8x64x8x16xf32>) -> tensor<8x64x128xf32>
    %69 = stablehlo.dot_general %68, %arg14, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<128x128xf32>) -> tensor<8x64x128xf32>
    %70 = stablehlo.broadcast_in_dim %arg4, dims = [2] : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %71 = stablehlo.broadcast_in_dim %70, dims = [0, 1, 2] : (tensor<1x1x128xf32>) -> tensor<8x64x128xf32>
    %72 = stablehlo.add %69, %71 : tensor<8x64x128xf32>
    %73 = stablehlo.add %4, %72 : tensor<8x64x128xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %74 = stablehlo.reduce(%73 init: %cst_10) applies stablehlo.add across dimensions = [2] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<8x64xf32>
    %75 = stablehlo.broadcast_in_dim %74, dims = [0, 1] : (tensor<8x64xf32>) -> tensor<8x64x1xf32>
    %cst_11 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %76 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %77 = stablehlo.divide %75, %76 : tensor<8x64x1xf32>
    %78 = stablehlo.broadcast_in_dim %77, dims = [0, 1, 2] : (tensor<8x64x1xf32>) -> tensor<8x64x128xf32>
    %79 = stablehlo.subtract %73, %78 : tensor<8x64x128xf32>
    %80 = stablehlo.multiply %79, %79 : tensor<8x64x128xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %81 = stablehlo.reduce(%80 init: %cst_12) applies stablehlo.add across dimensions = [2] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<8x64xf32>
    %82 = stablehlo.broadcast_in_dim %81, dims = [0, 1] : (tensor<8x64xf32>) -> tensor<8x64x1xf32>
    %cst_13 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %83 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %84 = stablehlo.divide %82, %83 : tensor<8x64x1xf32>
    %cst_14 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %85 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %86 = stablehlo.add %84, %85 : tensor<8x64x1xf32>
    %87 = stablehlo.rsqrt %86 : tensor<8x64x1xf32>
    %88 = stablehlo.divide %87, %86 : tensor<8x64x1xf32>
    %cst_15 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %89 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %90 = stablehlo.multiply %89, %88 : tensor<8x64x1xf32>
    %91 = stablehlo.broadcast_in_dim %87, dims = [0, 1, 2] : (tensor<8x64x1xf32>) -> tensor<8x64x128xf32>
    %92 = stablehlo.multiply %79, %91 : tensor<8x64x128xf32>
    %93 = stablehlo.broadcast_in_dim %arg10, dims = [2] : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %94 = stablehlo.broadcast_in_dim %93, dims = [0, 1, 2] : (tensor<1x1x128xf32>) -> tensor<8x64x128xf32>
    %95 = stablehlo.multiply %92, %94 : tensor<8x64x128xf32>
    %96 = stablehlo.broadcast_in_dim %arg9, dims = [2] : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %97 = stablehlo.broadcast_in_dim %96, dims = [0, 1, 2] : (tensor<1x1x128xf32>) -> tensor<8x64x128xf32>
    %98 = stablehlo.add %95, %97 : tensor<8x64x128xf32>
    %99 = stablehlo.dot_general %98, %arg12, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<128x512xf32>) -> tensor<8x64x512xf32>
    %100 = stablehlo.broadcast_in_dim %arg2, dims = [2] : (tensor<512xf32>) -> tensor<1x1x512xf32>
    %101 = stablehlo.broadcast_in_dim %100, dims = [0, 1, 2] : (tensor<1x1x512xf32>) -> tensor<8x64x512xf32>
    %102 = stablehlo.add %99, %101 : tensor<8x64x512xf32>
    %cst_16 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %103 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<8x64x512xf32>
    %104 = stablehlo.multiply %103, %102 : tensor<8x64x512xf32>
    %cst_17 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %105 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<8x64x512xf32>
    %106 = stablehlo.multiply %105, %102 : tensor<8x64x512xf32>
    %107 = stablehlo.multiply %106, %102 : tensor<8x64x512xf32>
    %108 = stablehlo.multiply %107, %102 : tensor<8x64x512xf32>
    %109 = stablehlo.add %102, %108 : tensor<8x64x512xf32>
    %cst_18 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %110 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<8x64x512xf32>
    %111 = stablehlo.multiply %110, %109 : tensor<8x64x512xf32>
    %112 = stablehlo.tanh %111 : tensor<8x64x512xf32>
    %cst_19 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %113 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<8x64x512xf32>
    %114 = stablehlo.subtract %113, %112 : tensor<8x64x512xf32>
    %cst_20 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %115 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<8x64x512xf32>
    %116 = stablehlo.add %115, %112 : tensor<8x64x512xf32>
    %117 = stablehlo.multiply %104, %116 : tensor<8x64x512xf32>
    %118 = stablehlo.dot_general %117, %arg11, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x64x512xf32>, tensor<512x128xf32>) -> tensor<8x64x128xf32>
    %119 = stablehlo.add %73, %118 : tensor<8x64x128xf32>
    %120 = stablehlo.broadcast_in_dim %arg1, dims = [2] : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %121 = stablehlo.broadcast_in_dim %120, dims = [0, 1, 2] : (tensor<1x1x128xf32>) -> tensor<8x64x128xf32>
    %122 = stablehlo.add %119, %121 : tensor<8x64x128xf32>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %123 = stablehlo.reduce(%122 init: %cst_21) applies stablehlo.add across dimensions = [2] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<8x64xf32>
    %124 = stablehlo.broadcast_in_dim %123, dims = [0, 1] : (tensor<8x64xf32>) -> tensor<8x64x1xf32>
    %cst_22 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %125 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %126 = stablehlo.divide %124, %125 : tensor<8x64x1xf32>
    %127 = stablehlo.broadcast_in_dim %126, dims = [0, 1, 2] : (tensor<8x64x1xf32>) -> tensor<8x64x128xf32>
    %128 = stablehlo.subtract %122, %127 : tensor<8x64x128xf32>
    %129 = stablehlo.multiply %128, %128 : tensor<8x64x128xf32>
    %cst_23 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %130 = stablehlo.reduce(%129 init: %cst_23) applies stablehlo.add across dimensions = [2] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<8x64xf32>
    %131 = stablehlo.broadcast_in_dim %130, dims = [0, 1] : (tensor<8x64xf32>) -> tensor<8x64x1xf32>
    %cst_24 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %132 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %133 = stablehlo.divide %131, %132 : tensor<8x64x1xf32>
    %cst_25 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %134 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %135 = stablehlo.add %133, %134 : tensor<8x64x1xf32>
    %136 = stablehlo.rsqrt %135 : tensor<8x64x1xf32>
    %137 = stablehlo.divide %136, %135 : tensor<8x64x1xf32>
    %cst_26 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %138 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %139 = stablehlo.multiply %138, %137 : tensor<8x64x1xf32>
    %140 = stablehlo.broadcast_in_dim %136, dims = [0, 1, 2] : (tensor<8x64x1xf32>) -> tensor<8x64x128xf32>
    %141 = stablehlo.multiply %128, %140 : tensor<8x64x128xf32>
    %142 = stablehlo.broadcast_in_dim %arg24, dims = [2] : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %143 = stablehlo.broadcast_in_dim %142, dims = [0, 1, 2] : (tensor<1x1x128xf32>) -> tensor<8x64x128xf32>
    %144 = stablehlo.multiply %141, %143 : tensor<8x64x128xf32>
    %145 = stablehlo.broadcast_in_dim %arg23, dims = [2] : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %146 = stablehlo.broadcast_in_dim %145, dims = [0, 1, 2] : (tensor<1x1x128xf32>) -> tensor<8x64x128xf32>
    %147 = stablehlo.add %144, %146 : tensor<8x64x128xf32>
    %148 = stablehlo.dot_general %147, %arg31, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<128x128xf32>) -> tensor<8x64x128xf32>
    %149 = stablehlo.broadcast_in_dim %arg21, dims = [2] : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %150 = stablehlo.broadcast_in_dim %149, dims = [0, 1, 2] : (tensor<1x1x128xf32>) -> tensor<8x64x128xf32>
    %151 = stablehlo.add %148, %150 : tensor<8x64x128xf32>
    %152 = stablehlo.reshape %151 : (tensor<8x64x128xf32>) -> tensor<8x64x8x16xf32>
    %153 = stablehlo.dot_general %147, %arg29, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<128x128xf32>) -> tensor<8x64x128xf32>
    %154 = stablehlo.broadcast_in_dim %arg19, dims = [2] : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %155 = stablehlo.broadcast_in_dim %154, dims = [0, 1, 2] : (tensor<1x1x128xf32>) -> tensor<8x64x128xf32>
    %156 = stablehlo.add %153, %155 : tensor<8x64x128xf32>
    %157 = stablehlo.reshape %156 : (tensor<8x64x128xf32>) -> tensor<8x64x8x16xf32>
    %158 = stablehlo.dot_general %147, %arg32, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<128x128xf32>) -> tensor<8x64x128xf32>
    %159 = stablehlo.broadcast_in_dim %arg22, dims = [2] : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %160 = stablehlo.broadcast_in_dim %159, dims = [0, 1, 2] : (tensor<1x1x128xf32>) -> tensor<8x64x128xf32>
    %161 = stablehlo.add %158, %160 : tensor<8x64x128xf32>
    %162 = stablehlo.reshape %161 : (tensor<8x64x128xf32>) -> tensor<8x64x8x16xf32>
    %163 = stablehlo.dot_general %152, %157, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<8x64x8x16xf32>, tensor<8x64x8x16xf32>) -> tensor<8x8x64x64xf32>
    %cst_27 = stablehlo.constant dense<2.500000e-01> : tensor<f32>
    %164 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<8x8x64x64xf32>
    %165 = stablehlo.multiply %163, %164 : tensor<8x8x64x64xf32>
    %166 = stablehlo.iota dim = 0 : tensor<64x64xi32>
    %167 = stablehlo.iota dim = 1 : tensor<64x64xi32>
    %168 = stablehlo.compare GE, %166, %167, SIGNED : (tensor<64x64xi32>, tensor<64x64xi32>) -> tensor<64x64xi1>
    %169 = stablehlo.broadcast_in_dim %168, dims = [2, 3] : (tensor<64x64xi1>) -> tensor<8x8x64x64xi1>
    %cst_28 = stablehlo.constant dense<-1.000000e+30> : tensor<f32>
    %170 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<8x8x64x64xf32>
    %171 = stablehlo.select %169, %165, %170 : tensor<8x8x64x64xi1>, tensor<8x8x64x64xf32>
    %cst_29 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %172 = stablehlo.reduce(%171 init: %cst_29) applies stablehlo.maximum across dimensions = [3] : (tensor<8x8x64x64xf32>, tensor<f32>) -> tensor<8x8x64xf32>
    %173 = stablehlo.broadcast_in_dim %172, dims = [0, 1, 2] : (tensor<8x8x64xf32>) -> tensor<8x8x64x1xf32>
    %174 = stablehlo.broadcast_in_dim %173, dims = [0, 1, 2, 3] : (tensor<8x8x64x1xf32>) -> tensor<8x8x64x64xf32>
    %175 = stablehlo.subtract %171, %174 : tensor<8x8x64x64xf32>
    %176 = stablehlo.exponential %175 : tensor<8x8x64x64xf32>
    %cst_30 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %177 = stablehlo.reduce(%176 init: %cst_30) applies stablehlo.add across dimensions = [3] : (tensor<8x8x64x64xf32>, tensor<f32>) -> tensor<8x8x64xf32>
    %178 = stablehlo.broadcast_in_dim %177, dims = [0, 1, 2] : (tensor<8x8x64xf32>) -> tensor<8x8x64x1xf32>
    %179 = stablehlo.broadcast_in_dim %178, dims = [0, 1, 2, 3] : (tensor<8x8x64x1xf32>) -> tensor<8x8x64x64xf32>
    %180 = stablehlo.divide %176, %179 : tensor<8x8x64x64xf32>
    %181 = stablehlo.multiply %178, %178 : tensor<8x8x64x1xf32>
    %cst_31 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %182 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<8x8x64x1xf32>
    %183 = stablehlo.divide %182, %181 : tensor<8x8x64x1xf32>
    %184 = stablehlo.dot_general %162, %180, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<8x64x8x16xf32>, tensor<8x8x64x64xf32>) -> tensor<8x8x16x64xf32>
    %185 = stablehlo.transpose %184, dims = [0, 3, 1, 2] : (tensor<8x8x16x64xf32>) -> tensor<8x64x8x16xf32>
    %186 = stablehlo.reshape %185 : (tensor<8x64x8x16xf32>) -> tensor<8x64x128xf32>
    %187 = stablehlo.dot_general %186, %arg30, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<128x128xf32>) -> tensor<8x64x128xf32>
    %188 = stablehlo.broadcast_in_dim %arg20, dims = [2] : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %189 = stablehlo.broadcast_in_dim %188, dims = [0, 1, 2] : (tensor<1x1x128xf32>) -> tensor<8x64x128xf32>
    %190 = stablehlo.add %187, %189 : tensor<8x64x128xf32>
    %191 = stablehlo.add %122, %190 : tensor<8x64x128xf32>
    %cst_32 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %192 = stablehlo.reduce(%191 init: %cst_32) applies stablehlo.add across dimensions = [2] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<8x64xf32>
    %193 = stablehlo.broadcast_in_dim %192, dims = [0, 1] : (tensor<8x64xf32>) -> tensor<8x64x1xf32>
    %cst_33 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %194 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %195 = stablehlo.divide %193, %194 : tensor<8x64x1xf32>
    %196 = stablehlo.broadcast_in_dim %195, dims = [0, 1, 2] : (tensor<8x64x1xf32>) -> tensor<8x64x128xf32>
    %197 = stablehlo.subtract %191, %196 : tensor<8x64x128xf32>
    %198 = stablehlo.multiply %197, %197 : tensor<8x64x128xf32>
    %cst_34 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %199 = stablehlo.reduce(%198 init: %cst_34) applies stablehlo.add across dimensions = [2] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<8x64xf32>
    %200 = stablehlo.broadcast_in_dim %199, dims = [0, 1] : (tensor<8x64xf32>) -> tensor<8x64x1xf32>
    %cst_35 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %201 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %202 = stablehlo.divide %200, %201 : tensor<8x64x1xf32>
    %cst_36 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %203 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %204 = stablehlo.add %202, %203 : tensor<8x64x1xf32>
    %205 = stablehlo.rsqrt %204 : tensor<8x64x1xf32>
    %206 = stablehlo.divide %205, %204 : tensor<8x64x1xf32>
    %cst_37 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %207 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %208 = stablehlo.multiply %207, %206 : tensor<8x64x1xf32>
    %209 = stablehlo.broadcast_in_dim %205, dims = [0, 1, 2] : (tensor<8x64x1xf32>) -> tensor<8x64x128xf32>
    %210 = stablehlo.multiply %197, %209 : tensor<8x64x128xf32>
    %211 = stablehlo.broadcast_in_dim %arg26, dims = [2] : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %212 = stablehlo.broadcast_in_dim %211, dims = [0, 1, 2] : (tensor<1x1x128xf32>) -> tensor<8x64x128xf32>
    %213 = stablehlo.multiply %210, %212 : tensor<8x64x128xf32>
    %214 = stablehlo.broadcast_in_dim %arg25, dims = [2] : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %215 = stablehlo.broadcast_in_dim %214, dims = [0, 1, 2] : (tensor<1x1x128xf32>) -> tensor<8x64x128xf32>
    %216 = stablehlo.add %213, %215 : tensor<8x64x128xf32>
    %217 = stablehlo.dot_general %216, %arg28, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<128x512xf32>) -> tensor<8x64x512xf32>
    %218 = stablehlo.broadcast_in_dim %arg18, dims = [2] : (tensor<512xf32>) -> tensor<1x1x512xf32>
    %219 = stablehlo.broadcast_in_dim %218, dims = [0, 1, 2] : (tensor<1x1x512xf32>) -> tensor<8x64x512xf32>
    %220 = stablehlo.add %217, %219 : tensor<8x64x512xf32>
    %cst_38 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %221 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<8x64x512xf32>
    %222 = stablehlo.multiply %221, %220 : tensor<8x64x512xf32>
    %cst_39 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %223 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<8x64x512xf32>
    %224 = stablehlo.multiply %223, %220 : tensor<8x64x512xf32>
    %225 = stablehlo.multiply %224, %220 : tensor<8x64x512xf32>
    %226 = stablehlo.multiply %225, %220 : tensor<8x64x512xf32>
    %227 = stablehlo.add %220, %226 : tensor<8x64x512xf32>
    %cst_40 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %228 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<8x64x512xf32>
    %229 = stablehlo.multiply %228, %227 : tensor<8x64x512xf32>
    %230 = stablehlo.tanh %229 : tensor<8x64x512xf32>
    %cst_41 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %231 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<8x64x512xf32>
    %232 = stablehlo.subtract %231, %230 : tensor<8x64x512xf32>
    %cst_42 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %233 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<8x64x512xf32>
    %234 = stablehlo.add %233, %230 : tensor<8x64x512xf32>
    %235 = stablehlo.multiply %222, %234 : tensor<8x64x512xf32>
    %236 = stablehlo.dot_general %235, %arg27, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x64x512xf32>, tensor<512x128xf32>) -> tensor<8x64x128xf32>
    %237 = stablehlo.add %191, %236 : tensor<8x64x128xf32>
    %238 = stablehlo.broadcast_in_dim %arg17, dims = [2] : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %239 = stablehlo.broadcast_in_dim %238, dims = [0, 1, 2] : (tensor<1x1x128xf32>) -> tensor<8x64x128xf32>
    %240 = stablehlo.add %237, %239 : tensor<8x64x128xf32>
    %cst_43 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %241 = stablehlo.reduce(%240 init: %cst_43) applies stablehlo.add across dimensions = [2] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<8x64xf32>
    %242 = stablehlo.broadcast_in_dim %241, dims = [0, 1] : (tensor<8x64xf32>) -> tensor<8x64x1xf32>
    %cst_44 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %243 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %244 = stablehlo.divide %242, %243 : tensor<8x64x1xf32>
    %245 = stablehlo.broadcast_in_dim %244, dims = [0, 1, 2] : (tensor<8x64x1xf32>) -> tensor<8x64x128xf32>
    %246 = stablehlo.subtract %240, %245 : tensor<8x64x128xf32>
    %247 = stablehlo.multiply %246, %246 : tensor<8x64x128xf32>
    %cst_45 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %248 = stablehlo.reduce(%247 init: %cst_45) applies stablehlo.add across dimensions = [2] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<8x64xf32>
    %249 = stablehlo.broadcast_in_dim %248, dims = [0, 1] : (tensor<8x64xf32>) -> tensor<8x64x1xf32>
    %cst_46 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %250 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %251 = stablehlo.divide %249, %250 : tensor<8x64x1xf32>
    %cst_47 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %252 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %253 = stablehlo.add %251, %252 : tensor<8x64x1xf32>
    %254 = stablehlo.rsqrt %253 : tensor<8x64x1xf32>
    %255 = stablehlo.divide %254, %253 : tensor<8x64x1xf32>
    %cst_48 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %256 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %257 = stablehlo.multiply %256, %255 : tensor<8x64x1xf32>
    %258 = stablehlo.broadcast_in_dim %254, dims = [0, 1, 2] : (tensor<8x64x1xf32>) -> tensor<8x64x128xf32>
    %259 = stablehlo.multiply %246, %258 : tensor<8x64x128xf32>
    %260 = stablehlo.broadcast_in_dim %arg40, dims = [2] : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %261 = stablehlo.broadcast_in_dim %260, dims = [0, 1, 2] : (tensor<1x1x128xf32>) -> tensor<8x64x128xf32>
    %262 = stablehlo.multiply %259, %261 : tensor<8x64x128xf32>
    %263 = stablehlo.broadcast_in_dim %arg39, dims = [2] : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %264 = stablehlo.broadcast_in_dim %263, dims = [0, 1, 2] : (tensor<1x1x128xf32>) -> tensor<8x64x128xf32>
    %265 = stablehlo.add %262, %264 : tensor<8x64x128xf32>
    %266 = stablehlo.dot_general %265, %arg47, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<128x128xf32>) -> tensor<8x64x128xf32>
    %267 = stablehlo.broadcast_in_dim %arg37, dims = [2] : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %268 = stablehlo.broadcast_in_dim %267, dims = [0, 1, 2] : (tensor<1x1x128xf32>) -> tensor<8x64x128xf32>
    %269 = stablehlo.add %266, %268 : tensor<8x64x128xf32>
    %270 = stablehlo.reshape %269 : (tensor<8x64x128xf32>) -> tensor<8x64x8x16xf32>
    %271 = stablehlo.dot_general %265, %arg45, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<128x128xf32>) -> tensor<8x64x128xf32>
    %272 = stablehlo.broadcast_in_dim %arg35, dims = [2] : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %273 = stablehlo.broadcast_in_dim %272, dims = [0, 1, 2] : (tensor<1x1x128xf32>) -> tensor<8x64x128xf32>
    %274 = stablehlo.add %271, %273 : tensor<8x64x128xf32>
    %275 = stablehlo.reshape %274 : (tensor<8x64x128xf32>) -> tensor<8x64x8x16xf32>
    %276 = stablehlo.dot_general %265, %arg48, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<128x128xf32>) -> tensor<8x64x128xf32>
    %277 = stablehlo.broadcast_in_dim %arg38, dims = [2] : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %278 = stablehlo.broadcast_in_dim %277, dims = [0, 1, 2] : (tensor<1x1x128xf32>) -> tensor<8x64x128xf32>
    %279 = stablehlo.add %276, %278 : tensor<8x64x128xf32>
    %280 = stablehlo.reshape %279 : (tensor<8x64x128xf32>) -> tensor<8x64x8x16xf32>
    %281 = stablehlo.dot_general %270, %275, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<8x64x8x16xf32>, tensor<8x64x8x16xf32>) -> tensor<8x8x64x64xf32>
    %cst_49 = stablehlo.constant dense<2.500000e-01> : tensor<f32>
    %282 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<8x8x64x64xf32>
    %283 = stablehlo.multiply %281, %282 : tensor<8x8x64x64xf32>
    %284 = stablehlo.iota dim = 0 : tensor<64x64xi32>
    %285 = stablehlo.iota dim = 1 : tensor<64x64xi32>
    %286 = stablehlo.compare GE, %284, %285, SIGNED : (tensor<64x64xi32>, tensor<64x64xi32>) -> tensor<64x64xi1>
    %287 = stablehlo.broadcast_in_dim %286, dims = [2, 3] : (tensor<64x64xi1>) -> tensor<8x8x64x64xi1>
    %cst_50 = stablehlo.constant dense<-1.000000e+30> : tensor<f32>
    %288 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f32>) -> tensor<8x8x64x64xf32>
    %289 = stablehlo.select %287, %283, %288 : tensor<8x8x64x64xi1>, tensor<8x8x64x64xf32>
    %cst_51 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %290 = stablehlo.reduce(%289 init: %cst_51) applies stablehlo.maximum across dimensions = [3] : (tensor<8x8x64x64xf32>, tensor<f32>) -> tensor<8x8x64xf32>
    %291 = stablehlo.broadcast_in_dim %290, dims = [0, 1, 2] : (tensor<8x8x64xf32>) -> tensor<8x8x64x1xf32>
    %292 = stablehlo.broadcast_in_dim %291, dims = [0, 1, 2, 3] : (tensor<8x8x64x1xf32>) -> tensor<8x8x64x64xf32>
    %293 = stablehlo.subtract %289, %292 : tensor<8x8x64x64xf32>
    %294 = stablehlo.exponential %293 : tensor<8x8x64x64xf32>
    %cst_52 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %295 = stablehlo.reduce(%294 init: %cst_52) applies stablehlo.add across dimensions = [3] : (tensor<8x8x64x64xf32>, tensor<f32>) -> tensor<8x8x64xf32>
    %296 = stablehlo.broadcast_in_dim %295, dims = [0, 1, 2] : (tensor<8x8x64xf32>) -> tensor<8x8x64x1xf32>
    %297 = stablehlo.broadcast_in_dim %296, dims = [0, 1, 2, 3] : (tensor<8x8x64x1xf32>) -> tensor<8x8x64x64xf32>
    %298 = stablehlo.divide %294, %297 : tensor<8x8x64x64xf32>
    %299 = stablehlo.multiply %296, %296 : tensor<8x8x64x1xf32>
    %cst_53 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %300 = stablehlo.broadcast_in_dim %cst_53, dims = [] : (tensor<f32>) -> tensor<8x8x64x1xf32>
    %301 = stablehlo.divide %300, %299 : tensor<8x8x64x1xf32>
    %302 = stablehlo.dot_general %280, %298, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<8x64x8x16xf32>, tensor<8x8x64x64xf32>) -> tensor<8x8x16x64xf32>
    %303 = stablehlo.transpose %302, dims = [0, 3, 1, 2] : (tensor<8x8x16x64xf32>) -> tensor<8x64x8x16xf32>
    %304 = stablehlo.reshape %303 : (tensor<8x64x8x16xf32>) -> tensor<8x64x128xf32>
    %305 = stablehlo.dot_general %304, %arg46, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<128x128xf32>) -> tensor<8x64x128xf32>
    %306 = stablehlo.broadcast_in_dim %arg36, dims = [2] : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %307 = stablehlo.broadcast_in_dim %306, dims = [0, 1, 2] : (tensor<1x1x128xf32>) -> tensor<8x64x128xf32>
    %308 = stablehlo.add %305, %307 : tensor<8x64x128xf32>
    %309 = stablehlo.add %240, %308 : tensor<8x64x128xf32>
    %cst_54 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %310 = stablehlo.reduce(%309 init: %cst_54) applies stablehlo.add across dimensions = [2] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<8x64xf32>
    %311 = stablehlo.broadcast_in_dim %310, dims = [0, 1] : (tensor<8x64xf32>) -> tensor<8x64x1xf32>
    %cst_55 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %312 = stablehlo.broadcast_in_dim %cst_55, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %313 = stablehlo.divide %311, %312 : tensor<8x64x1xf32>
    %314 = stablehlo.broadcast_in_dim %313, dims = [0, 1, 2] : (tensor<8x64x1xf32>) -> tensor<8x64x128xf32>
    %315 = stablehlo.subtract %309, %314 : tensor<8x64x128xf32>
    %316 = stablehlo.multiply %315, %315 : tensor<8x64x128xf32>
    %cst_56 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %317 = stablehlo.reduce(%316 init: %cst_56) applies stablehlo.add across dimensions = [2] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<8x64xf32>
    %318 = stablehlo.broadcast_in_dim %317, dims = [0, 1] : (tensor<8x64xf32>) -> tensor<8x64x1xf32>
    %cst_57 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %319 = stablehlo.broadcast_in_dim %cst_57, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %320 = stablehlo.divide %318, %319 : tensor<8x64x1xf32>
    %cst_58 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %321 = stablehlo.broadcast_in_dim %cst_58, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %322 = stablehlo.add %320, %321 : tensor<8x64x1xf32>
    %323 = stablehlo.rsqrt %322 : tensor<8x64x1xf32>
    %324 = stablehlo.divide %323, %322 : tensor<8x64x1xf32>
    %cst_59 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %325 = stablehlo.broadcast_in_dim %cst_59, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %326 = stablehlo.multiply %325, %324 : tensor<8x64x1xf32>
    %327 = stablehlo.broadcast_in_dim %323, dims = [0, 1, 2] : (tensor<8x64x1xf32>) -> tensor<8x64x128xf32>
    %328 = stablehlo.multiply %315, %327 : tensor<8x64x128xf32>
    %329 = stablehlo.broadcast_in_dim %arg42, dims = [2] : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %330 = stablehlo.broadcast_in_dim %329, dims = [0, 1, 2] : (tensor<1x1x128xf32>) -> tensor<8x64x128xf32>
    %331 = stablehlo.multiply %328, %330 : tensor<8x64x128xf32>
    %332 = stablehlo.broadcast_in_dim %arg41, dims = [2] : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %333 = stablehlo.broadcast_in_dim %332, dims = [0, 1, 2] : (tensor<1x1x128xf32>) -> tensor<8x64x128xf32>
    %334 = stablehlo.add %331, %333 : tensor<8x64x128xf32>
    %335 = stablehlo.dot_general %334, %arg44, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<128x512xf32>) -> tensor<8x64x512xf32>
    %336 = stablehlo.broadcast_in_dim %arg34, dims = [2] : (tensor<512xf32>) -> tensor<1x1x512xf32>
    %337 = stablehlo.broadcast_in_dim %336, dims = [0, 1, 2] : (tensor<1x1x512xf32>) -> tensor<8x64x512xf32>
    %338 = stablehlo.add %335, %337 : tensor<8x64x512xf32>
    %cst_60 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %339 = stablehlo.broadcast_in_dim %cst_60, dims = [] : (tensor<f32>) -> tensor<8x64x512xf32>
    %340 = stablehlo.multiply %339, %338 : tensor<8x64x512xf32>
    %cst_61 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %341 = stablehlo.broadcast_in_dim %cst_61, dims = [] : (tensor<f32>) -> tensor<8x64x512xf32>
    %342 = stablehlo.multiply %341, %338 : tensor<8x64x512xf32>
    %343 = stablehlo.multiply %342, %338 : tensor<8x64x512xf32>
    %344 = stablehlo.multiply %343, %338 : tensor<8x64x512xf32>
    %345 = stablehlo.add %338, %344 : tensor<8x64x512xf32>
    %cst_62 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %346 = stablehlo.broadcast_in_dim %cst_62, dims = [] : (tensor<f32>) -> tensor<8x64x512xf32>
    %347 = stablehlo.multiply %346, %345 : tensor<8x64x512xf32>
    %348 = stablehlo.tanh %347 : tensor<8x64x512xf32>
    %cst_63 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %349 = stablehlo.broadcast_in_dim %cst_63, dims = [] : (tensor<f32>) -> tensor<8x64x512xf32>
    %350 = stablehlo.subtract %349, %348 : tensor<8x64x512xf32>
    %cst_64 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %351 = stablehlo.broadcast_in_dim %cst_64, dims = [] : (tensor<f32>) -> tensor<8x64x512xf32>
    %352 = stablehlo.add %351, %348 : tensor<8x64x512xf32>
    %353 = stablehlo.multiply %340, %352 : tensor<8x64x512xf32>
    %354 = stablehlo.dot_general %353, %arg43, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x64x512xf32>, tensor<512x128xf32>) -> tensor<8x64x128xf32>
    %355 = stablehlo.add %309, %354 : tensor<8x64x128xf32>
    %356 = stablehlo.broadcast_in_dim %arg33, dims = [2] : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %357 = stablehlo.broadcast_in_dim %356, dims = [0, 1, 2] : (tensor<1x1x128xf32>) -> tensor<8x64x128xf32>
    %358 = stablehlo.add %355, %357 : tensor<8x64x128xf32>
    %cst_65 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %359 = stablehlo.reduce(%358 init: %cst_65) applies stablehlo.add across dimensions = [2] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<8x64xf32>
    %360 = stablehlo.broadcast_in_dim %359, dims = [0, 1] : (tensor<8x64xf32>) -> tensor<8x64x1xf32>
    %cst_66 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %361 = stablehlo.broadcast_in_dim %cst_66, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %362 = stablehlo.divide %360, %361 : tensor<8x64x1xf32>
    %363 = stablehlo.broadcast_in_dim %362, dims = [0, 1, 2] : (tensor<8x64x1xf32>) -> tensor<8x64x128xf32>
    %364 = stablehlo.subtract %358, %363 : tensor<8x64x128xf32>
    %365 = stablehlo.multiply %364, %364 : tensor<8x64x128xf32>
    %cst_67 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %366 = stablehlo.reduce(%365 init: %cst_67) applies stablehlo.add across dimensions = [2] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<8x64xf32>
    %367 = stablehlo.broadcast_in_dim %366, dims = [0, 1] : (tensor<8x64xf32>) -> tensor<8x64x1xf32>
    %cst_68 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %368 = stablehlo.broadcast_in_dim %cst_68, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %369 = stablehlo.divide %367, %368 : tensor<8x64x1xf32>
    %cst_69 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %370 = stablehlo.broadcast_in_dim %cst_69, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %371 = stablehlo.add %369, %370 : tensor<8x64x1xf32>
    %372 = stablehlo.rsqrt %371 : tensor<8x64x1xf32>
    %373 = stablehlo.divide %372, %371 : tensor<8x64x1xf32>
    %cst_70 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %374 = stablehlo.broadcast_in_dim %cst_70, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %375 = stablehlo.multiply %374, %373 : tensor<8x64x1xf32>
    %376 = stablehlo.broadcast_in_dim %372, dims = [0, 1, 2] : (tensor<8x64x1xf32>) -> tensor<8x64x128xf32>
    %377 = stablehlo.multiply %364, %376 : tensor<8x64x128xf32>
    %378 = stablehlo.broadcast_in_dim %arg56, dims = [2] : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %379 = stablehlo.broadcast_in_dim %378, dims = [0, 1, 2] : (tensor<1x1x128xf32>) -> tensor<8x64x128xf32>
    %380 = stablehlo.multiply %377, %379 : tensor<8x64x128xf32>
    %381 = stablehlo.broadcast_in_dim %arg55, dims = [2] : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %382 = stablehlo.broadcast_in_dim %381, dims = [0, 1, 2] : (tensor<1x1x128xf32>) -> tensor<8x64x128xf32>
    %383 = stablehlo.add %380, %382 : tensor<8x64x128xf32>
    %384 = stablehlo.dot_general %383, %arg63, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<128x128xf32>) -> tensor<8x64x128xf32>
    %385 = stablehlo.broadcast_in_dim %arg53, dims = [2] : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %386 = stablehlo.broadcast_in_dim %385, dims = [0, 1, 2] : (tensor<1x1x128xf32>) -> tensor<8x64x128xf32>
    %387 = stablehlo.add %384, %386 : tensor<8x64x128xf32>
    %388 = stablehlo.reshape %387 : (tensor<8x64x128xf32>) -> tensor<8x64x8x16xf32>
    %389 = stablehlo.dot_general %383, %arg61, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<128x128xf32>) -> tensor<8x64x128xf32>
    %390 = stablehlo.broadcast_in_dim %arg51, dims = [2] : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %391 = stablehlo.broadcast_in_dim %390, dims = [0, 1, 2] : (tensor<1x1x128xf32>) -> tensor<8x64x128xf32>
    %392 = stablehlo.add %389, %391 : tensor<8x64x128xf32>
    %393 = stablehlo.reshape %392 : (tensor<8x64x128xf32>) -> tensor<8x64x8x16xf32>
    %394 = stablehlo.dot_general %383, %arg64, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<128x128xf32>) -> tensor<8x64x128xf32>
    %395 = stablehlo.broadcast_in_dim %arg54, dims = [2] : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %396 = stablehlo.broadcast_in_dim %395, dims = [0, 1, 2] : (tensor<1x1x128xf32>) -> tensor<8x64x128xf32>
    %397 = stablehlo.add %394, %396 : tensor<8x64x128xf32>
    %398 = stablehlo.reshape %397 : (tensor<8x64x128xf32>) -> tensor<8x64x8x16xf32>
    %399 = stablehlo.dot_general %388, %393, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<8x64x8x16xf32>, tensor<8x64x8x16xf32>) -> tensor<8x8x64x64xf32>
    %cst_71 = stablehlo.constant dense<2.500000e-01> : tensor<f32>
    %400 = stablehlo.broadcast_in_dim %cst_71, dims = [] : (tensor<f32>) -> tensor<8x8x64x64xf32>
    %401 = stablehlo.multiply %399, %400 : tensor<8x8x64x64xf32>
    %402 = stablehlo.iota dim = 0 : tensor<64x64xi32>
    %403 = stablehlo.iota dim = 1 : tensor<64x64xi32>
    %404 = stablehlo.compare GE, %402, %403, SIGNED : (tensor<64x64xi32>, tensor<64x64xi32>) -> tensor<64x64xi1>
    %405 = stablehlo.broadcast_in_dim %404, dims = [2, 3] : (tensor<64x64xi1>) -> tensor<8x8x64x64xi1>
    %cst_72 = stablehlo.constant dense<-1.000000e+30> : tensor<f32>
    %406 = stablehlo.broadcast_in_dim %cst_72, dims = [] : (tensor<f32>) -> tensor<8x8x64x64xf32>
    %407 = stablehlo.select %405, %401, %406 : tensor<8x8x64x64xi1>, tensor<8x8x64x64xf32>
    %cst_73 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %408 = stablehlo.reduce(%407 init: %cst_73) applies stablehlo.maximum across dimensions = [3] : (tensor<8x8x64x64xf32>, tensor<f32>) -> tensor<8x8x64xf32>
    %409 = stablehlo.broadcast_in_dim %408, dims = [0, 1, 2] : (tensor<8x8x64xf32>) -> tensor<8x8x64x1xf32>
    %410 = stablehlo.broadcast_in_dim %409, dims = [0, 1, 2, 3] : (tensor<8x8x64x1xf32>) -> tensor<8x8x64x64xf32>
    %411 = stablehlo.subtract %407, %410 : tensor<8x8x64x64xf32>
    %412 = stablehlo.exponential %411 : tensor<8x8x64x64xf32>
    %cst_74 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %413 = stablehlo.reduce(%412 init: %cst_74) applies stablehlo.add across dimensions = [3] : (tensor<8x8x64x64xf32>, tensor<f32>) -> tensor<8x8x64xf32>
    %414 = stablehlo.broadcast_in_dim %413, dims = [0, 1, 2] : (tensor<8x8x64xf32>) -> tensor<8x8x64x1xf32>
    %415 = stablehlo.broadcast_in_dim %414, dims = [0, 1, 2, 3] : (tensor<8x8x64x1xf32>) -> tensor<8x8x64x64xf32>
    %416 = stablehlo.divide %412, %415 : tensor<8x8x64x64xf32>
    %417 = stablehlo.multiply %414, %414 : tensor<8x8x64x1xf32>
    %cst_75 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %418 = stablehlo.broadcast_in_dim %cst_75, dims = [] : (tensor<f32>) -> tensor<8x8x64x1xf32>
    %419 = stablehlo.divide %418, %417 : tensor<8x8x64x1xf32>
    %420 = stablehlo.dot_general %398, %416, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<8x64x8x16xf32>, tensor<8x8x64x64xf32>) -> tensor<8x8x16x64xf32>
    %421 = stablehlo.transpose %420, dims = [0, 3, 1, 2] : (tensor<8x8x16x64xf32>) -> tensor<8x64x8x16xf32>
    %422 = stablehlo.reshape %421 : (tensor<8x64x8x16xf32>) -> tensor<8x64x128xf32>
    %423 = stablehlo.dot_general %422, %arg62, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<128x128xf32>) -> tensor<8x64x128xf32>
    %424 = stablehlo.broadcast_in_dim %arg52, dims = [2] : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %425 = stablehlo.broadcast_in_dim %424, dims = [0, 1, 2] : (tensor<1x1x128xf32>) -> tensor<8x64x128xf32>
    %426 = stablehlo.add %423, %425 : tensor<8x64x128xf32>
    %427 = stablehlo.add %358, %426 : tensor<8x64x128xf32>
    %cst_76 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %428 = stablehlo.reduce(%427 init: %cst_76) applies stablehlo.add across dimensions = [2] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<8x64xf32>
    %429 = stablehlo.broadcast_in_dim %428, dims = [0, 1] : (tensor<8x64xf32>) -> tensor<8x64x1xf32>
    %cst_77 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %430 = stablehlo.broadcast_in_dim %cst_77, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %431 = stablehlo.divide %429, %430 : tensor<8x64x1xf32>
    %432 = stablehlo.broadcast_in_dim %431, dims = [0, 1, 2] : (tensor<8x64x1xf32>) -> tensor<8x64x128xf32>
    %433 = stablehlo.subtract %427, %432 : tensor<8x64x128xf32>
    %434 = stablehlo.multiply %433, %433 : tensor<8x64x128xf32>
    %cst_78 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %435 = stablehlo.reduce(%434 init: %cst_78) applies stablehlo.add across dimensions = [2] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<8x64xf32>
    %436 = stablehlo.broadcast_in_dim %435, dims = [0, 1] : (tensor<8x64xf32>) -> tensor<8x64x1xf32>
    %cst_79 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %437 = stablehlo.broadcast_in_dim %cst_79, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %438 = stablehlo.divide %436, %437 : tensor<8x64x1xf32>
    %cst_80 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %439 = stablehlo.broadcast_in_dim %cst_80, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %440 = stablehlo.add %438, %439 : tensor<8x64x1xf32>
    %441 = stablehlo.rsqrt %440 : tensor<8x64x1xf32>
    %442 = stablehlo.divide %441, %440 : tensor<8x64x1xf32>
    %cst_81 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %443 = stablehlo.broadcast_in_dim %cst_81, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %444 = stablehlo.multiply %443, %442 : tensor<8x64x1xf32>
    %445 = stablehlo.broadcast_in_dim %441, dims = [0, 1, 2] : (tensor<8x64x1xf32>) -> tensor<8x64x128xf32>
    %446 = stablehlo.multiply %433, %445 : tensor<8x64x128xf32>
    %447 = stablehlo.broadcast_in_dim %arg58, dims = [2] : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %448 = stablehlo.broadcast_in_dim %447, dims = [0, 1, 2] : (tensor<1x1x128xf32>) -> tensor<8x64x128xf32>
    %449 = stablehlo.multiply %446, %448 : tensor<8x64x128xf32>
    %450 = stablehlo.broadcast_in_dim %arg57, dims = [2] : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %451 = stablehlo.broadcast_in_dim %450, dims = [0, 1, 2] : (tensor<1x1x128xf32>) -> tensor<8x64x128xf32>
    %452 = stablehlo.add %449, %451 : tensor<8x64x128xf32>
    %453 = stablehlo.dot_general %452, %arg60, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<128x512xf32>) -> tensor<8x64x512xf32>
    %454 = stablehlo.broadcast_in_dim %arg50, dims = [2] : (tensor<512xf32>) -> tensor<1x1x512xf32>
    %455 = stablehlo.broadcast_in_dim %454, dims = [0, 1, 2] : (tensor<1x1x512xf32>) -> tensor<8x64x512xf32>
    %456 = stablehlo.add %453, %455 : tensor<8x64x512xf32>
    %cst_82 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %457 = stablehlo.broadcast_in_dim %cst_82, dims = [] : (tensor<f32>) -> tensor<8x64x512xf32>
    %458 = stablehlo.multiply %457, %456 : tensor<8x64x512xf32>
    %cst_83 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %459 = stablehlo.broadcast_in_dim %cst_83, dims = [] : (tensor<f32>) -> tensor<8x64x512xf32>
    %460 = stablehlo.multiply %459, %456 : tensor<8x64x512xf32>
    %461 = stablehlo.multiply %460, %456 : tensor<8x64x512xf32>
    %462 = stablehlo.multiply %461, %456 : tensor<8x64x512xf32>
    %463 = stablehlo.add %456, %462 : tensor<8x64x512xf32>
    %cst_84 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %464 = stablehlo.broadcast_in_dim %cst_84, dims = [] : (tensor<f32>) -> tensor<8x64x512xf32>
    %465 = stablehlo.multiply %464, %463 : tensor<8x64x512xf32>
    %466 = stablehlo.tanh %465 : tensor<8x64x512xf32>
    %cst_85 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %467 = stablehlo.broadcast_in_dim %cst_85, dims = [] : (tensor<f32>) -> tensor<8x64x512xf32>
    %468 = stablehlo.subtract %467, %466 : tensor<8x64x512xf32>
    %cst_86 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %469 = stablehlo.broadcast_in_dim %cst_86, dims = [] : (tensor<f32>) -> tensor<8x64x512xf32>
    %470 = stablehlo.add %469, %466 : tensor<8x64x512xf32>
    %471 = stablehlo.multiply %458, %470 : tensor<8x64x512xf32>
    %472 = stablehlo.dot_general %471, %arg59, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x64x512xf32>, tensor<512x128xf32>) -> tensor<8x64x128xf32>
    %473 = stablehlo.add %427, %472 : tensor<8x64x128xf32>
    %474 = stablehlo.broadcast_in_dim %arg49, dims = [2] : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %475 = stablehlo.broadcast_in_dim %474, dims = [0, 1, 2] : (tensor<1x1x128xf32>) -> tensor<8x64x128xf32>
    %476 = stablehlo.add %473, %475 : tensor<8x64x128xf32>
    %cst_87 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %477 = stablehlo.reduce(%476 init: %cst_87) applies stablehlo.add across dimensions = [2] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<8x64xf32>
    %478 = stablehlo.broadcast_in_dim %477, dims = [0, 1] : (tensor<8x64xf32>) -> tensor<8x64x1xf32>
    %cst_88 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %479 = stablehlo.broadcast_in_dim %cst_88, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %480 = stablehlo.divide %478, %479 : tensor<8x64x1xf32>
    %481 = stablehlo.broadcast_in_dim %480, dims = [0, 1, 2] : (tensor<8x64x1xf32>) -> tensor<8x64x128xf32>
    %482 = stablehlo.subtract %476, %481 : tensor<8x64x128xf32>
    %483 = stablehlo.multiply %482, %482 : tensor<8x64x128xf32>
    %cst_89 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %484 = stablehlo.reduce(%483 init: %cst_89) applies stablehlo.add across dimensions = [2] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<8x64xf32>
    %485 = stablehlo.broadcast_in_dim %484, dims = [0, 1] : (tensor<8x64xf32>) -> tensor<8x64x1xf32>
    %cst_90 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %486 = stablehlo.broadcast_in_dim %cst_90, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %487 = stablehlo.divide %485, %486 : tensor<8x64x1xf32>
    %cst_91 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %488 = stablehlo.broadcast_in_dim %cst_91, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %489 = stablehlo.add %487, %488 : tensor<8x64x1xf32>
    %490 = stablehlo.rsqrt %489 : tensor<8x64x1xf32>
    %491 = stablehlo.divide %490, %489 : tensor<8x64x1xf32>
    %cst_92 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %492 = stablehlo.broadcast_in_dim %cst_92, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %493 = stablehlo.multiply %492, %491 : tensor<8x64x1xf32>
    %494 = stablehlo.broadcast_in_dim %490, dims = [0, 1, 2] : (tensor<8x64x1xf32>) -> tensor<8x64x128xf32>
    %495 = stablehlo.multiply %482, %494 : tensor<8x64x128xf32>
    %496 = stablehlo.broadcast_in_dim %arg66, dims = [2] : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %497 = stablehlo.broadcast_in_dim %496, dims = [0, 1, 2] : (tensor<1x1x128xf32>) -> tensor<8x64x128xf32>
    %498 = stablehlo.multiply %495, %497 : tensor<8x64x128xf32>
    %499 = stablehlo.broadcast_in_dim %arg65, dims = [2] : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %500 = stablehlo.broadcast_in_dim %499, dims = [0, 1, 2] : (tensor<1x1x128xf32>) -> tensor<8x64x128xf32>
    %501 = stablehlo.add %498, %500 : tensor<8x64x128xf32>
    %502 = stablehlo.dot_general %501, %arg0, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<128x512xf32>) -> tensor<8x64x512xf32>
    %cst_93 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %503 = stablehlo.reduce(%502 init: %cst_93) applies stablehlo.maximum across dimensions = [2] : (tensor<8x64x512xf32>, tensor<f32>) -> tensor<8x64xf32>
    %504 = stablehlo.broadcast_in_dim %503, dims = [0, 1] : (tensor<8x64xf32>) -> tensor<8x64x1xf32>
    %505 = stablehlo.broadcast_in_dim %504, dims = [0, 1, 2] : (tensor<8x64x1xf32>) -> tensor<8x64x512xf32>
    %506 = stablehlo.subtract %502, %505 : tensor<8x64x512xf32>
    %507 = stablehlo.iota dim = 2 : tensor<8x64x512xi32>
    %508 = stablehlo.broadcast_in_dim %arg209, dims = [0, 1] : (tensor<8x64xi32>) -> tensor<8x64x1xi32>
    %509 = stablehlo.broadcast_in_dim %508, dims = [0, 1, 2] : (tensor<8x64x1xi32>) -> tensor<8x64x512xi32>
    %510 = stablehlo.compare EQ, %507, %509, SIGNED : (tensor<8x64x512xi32>, tensor<8x64x512xi32>) -> tensor<8x64x512xi1>
    %cst_94 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %511 = stablehlo.broadcast_in_dim %cst_94, dims = [] : (tensor<f32>) -> tensor<8x64x512xf32>
    %512 = stablehlo.select %510, %506, %511 : tensor<8x64x512xi1>, tensor<8x64x512xf32>
    %cst_95 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %513 = stablehlo.reduce(%512 init: %cst_95) applies stablehlo.add across dimensions = [2] : (tensor<8x64x512xf32>, tensor<f32>) -> tensor<8x64xf32>
    %514 = stablehlo.exponential %506 : tensor<8x64x512xf32>
    %cst_96 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %515 = stablehlo.reduce(%514 init: %cst_96) applies stablehlo.add across dimensions = [2] : (tensor<8x64x512xf32>, tensor<f32>) -> tensor<8x64xf32>
    %516 = stablehlo.log %515 : tensor<8x64xf32>
    %517 = stablehlo.subtract %516, %513 : tensor<8x64xf32>
    %cst_97 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %518 = stablehlo.reduce(%517 init: %cst_97) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x64xf32>, tensor<f32>) -> tensor<f32>
    %cst_98 = stablehlo.constant dense<5.120000e+02> : tensor<f32>
    %519 = stablehlo.divide %518, %cst_98 : tensor<f32>
    %cst_99 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_100 = stablehlo.constant dense<5.120000e+02> : tensor<f32>
    %520 = stablehlo.divide %cst_99, %cst_100 : tensor<f32>
    %521 = stablehlo.broadcast_in_dim %520, dims = [] : (tensor<f32>) -> tensor<8x64xf32>
    %522 = stablehlo.negate %521 : tensor<8x64xf32>
    %523 = stablehlo.divide %521, %515 : tensor<8x64xf32>
    %524 = stablehlo.broadcast_in_dim %523, dims = [0, 1] : (tensor<8x64xf32>) -> tensor<8x64x512xf32>
    %525 = stablehlo.multiply %524, %514 : tensor<8x64x512xf32>
    %526 = stablehlo.broadcast_in_dim %522, dims = [0, 1] : (tensor<8x64xf32>) -> tensor<8x64x512xf32>
    %cst_101 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %527 = stablehlo.broadcast_in_dim %cst_101, dims = [] : (tensor<f32>) -> tensor<8x64x512xf32>
    %528 = stablehlo.select %510, %526, %527 : tensor<8x64x512xi1>, tensor<8x64x512xf32>
    %529 = stablehlo.add %525, %528 : tensor<8x64x512xf32>
    %530 = stablehlo.dot_general %529, %501, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x64x512xf32>, tensor<8x64x128xf32>) -> tensor<512x128xf32>
    %531 = stablehlo.transpose %530, dims = [1, 0] : (tensor<512x128xf32>) -> tensor<128x512xf32>
    %532 = stablehlo.dot_general %529, %arg0, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x64x512xf32>, tensor<128x512xf32>) -> tensor<8x64x128xf32>
    %cst_102 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %533 = stablehlo.reduce(%532 init: %cst_102) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<128xf32>
    %534 = stablehlo.reshape %533 : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %cst_103 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %535 = stablehlo.reduce(%534 init: %cst_103) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
    %536 = stablehlo.multiply %495, %532 : tensor<8x64x128xf32>
    %cst_104 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %537 = stablehlo.reduce(%536 init: %cst_104) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<128xf32>
    %538 = stablehlo.reshape %537 : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %539 = stablehlo.broadcast_in_dim %496, dims = [0, 1, 2] : (tensor<1x1x128xf32>) -> tensor<8x64x128xf32>
    %540 = stablehlo.multiply %532, %539 : tensor<8x64x128xf32>
    %cst_105 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %541 = stablehlo.reduce(%538 init: %cst_105) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
    %542 = stablehlo.multiply %482, %540 : tensor<8x64x128xf32>
    %cst_106 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %543 = stablehlo.reduce(%542 init: %cst_106) applies stablehlo.add across dimensions = [2] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<8x64xf32>
    %544 = stablehlo.reshape %543 : (tensor<8x64xf32>) -> tensor<8x64x1xf32>
    %545 = stablehlo.broadcast_in_dim %490, dims = [0, 1, 2] : (tensor<8x64x1xf32>) -> tensor<8x64x128xf32>
    %546 = stablehlo.multiply %540, %545 : tensor<8x64x128xf32>
    %547 = stablehlo.multiply %544, %493 : tensor<8x64x1xf32>
    %cst_107 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %548 = stablehlo.broadcast_in_dim %cst_107, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %549 = stablehlo.divide %547, %548 : tensor<8x64x1xf32>
    %cst_108 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %550 = stablehlo.reduce(%549 init: %cst_108) applies stablehlo.add across dimensions = [2] : (tensor<8x64x1xf32>, tensor<f32>) -> tensor<8x64xf32>
    %551 = stablehlo.broadcast_in_dim %550, dims = [0, 1] : (tensor<8x64xf32>) -> tensor<8x64x128xf32>
    %552 = stablehlo.multiply %482, %551 : tensor<8x64x128xf32>
    %553 = stablehlo.add %546, %552 : tensor<8x64x128xf32>
    %554 = stablehlo.multiply %551, %482 : tensor<8x64x128xf32>
    %555 = stablehlo.add %553, %554 : tensor<8x64x128xf32>
    %556 = stablehlo.negate %555 : tensor<8x64x128xf32>
    %cst_109 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %557 = stablehlo.reduce(%556 init: %cst_109) applies stablehlo.add across dimensions = [2] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<8x64xf32>
    %558 = stablehlo.reshape %557 : (tensor<8x64xf32>) -> tensor<8x64x1xf32>
    %cst_110 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %559 = stablehlo.broadcast_in_dim %cst_110, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %560 = stablehlo.divide %558, %559 : tensor<8x64x1xf32>
    %cst_111 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %561 = stablehlo.reduce(%560 init: %cst_111) applies stablehlo.add across dimensions = [2] : (tensor<8x64x1xf32>, tensor<f32>) -> tensor<8x64xf32>
    %562 = stablehlo.broadcast_in_dim %561, dims = [0, 1] : (tensor<8x64xf32>) -> tensor<8x64x128xf32>
    %563 = stablehlo.add %555, %562 : tensor<8x64x128xf32>
    %cst_112 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %564 = stablehlo.reduce(%563 init: %cst_112) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<128xf32>
    %565 = stablehlo.reshape %564 : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %cst_113 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %566 = stablehlo.reduce(%565 init: %cst_113) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
    %567 = stablehlo.dot_general %563, %471, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<8x64x512xf32>) -> tensor<128x512xf32>
    %568 = stablehlo.transpose %567, dims = [1, 0] : (tensor<128x512xf32>) -> tensor<512x128xf32>
    %569 = stablehlo.dot_general %563, %arg59, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<512x128xf32>) -> tensor<8x64x512xf32>
    %570 = stablehlo.multiply %458, %569 : tensor<8x64x512xf32>
    %571 = stablehlo.multiply %569, %470 : tensor<8x64x512xf32>
    %572 = stablehlo.multiply %570, %468 : tensor<8x64x512xf32>
    %573 = stablehlo.multiply %572, %466 : tensor<8x64x512xf32>
    %574 = stablehlo.add %572, %573 : tensor<8x64x512xf32>
    %cst_114 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %575 = stablehlo.broadcast_in_dim %cst_114, dims = [] : (tensor<f32>) -> tensor<8x64x512xf32>
    %576 = stablehlo.multiply %575, %574 : tensor<8x64x512xf32>
    %577 = stablehlo.multiply %461, %576 : tensor<8x64x512xf32>
    %578 = stablehlo.add %576, %577 : tensor<8x64x512xf32>
    %579 = stablehlo.multiply %576, %456 : tensor<8x64x512xf32>
    %580 = stablehlo.multiply %460, %579 : tensor<8x64x512xf32>
    %581 = stablehlo.add %578, %580 : tensor<8x64x512xf32>
    %582 = stablehlo.multiply %579, %456 : tensor<8x64x512xf32>
    %cst_115 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %583 = stablehlo.broadcast_in_dim %cst_115, dims = [] : (tensor<f32>) -> tensor<8x64x512xf32>
    %584 = stablehlo.multiply %583, %582 : tensor<8x64x512xf32>
    %585 = stablehlo.add %581, %584 : tensor<8x64x512xf32>
    %cst_116 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %586 = stablehlo.broadcast_in_dim %cst_116, dims = [] : (tensor<f32>) -> tensor<8x64x512xf32>
    %587 = stablehlo.multiply %586, %571 : tensor<8x64x512xf32>
    %588 = stablehlo.add %585, %587 : tensor<8x64x512xf32>
    %cst_117 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %589 = stablehlo.reduce(%588 init: %cst_117) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x64x512xf32>, tensor<f32>) -> tensor<512xf32>
    %590 = stablehlo.reshape %589 : (tensor<512xf32>) -> tensor<1x1x512xf32>
    %cst_118 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %591 = stablehlo.reduce(%590 init: %cst_118) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x512xf32>, tensor<f32>) -> tensor<512xf32>
    %592 = stablehlo.dot_general %588, %452, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x64x512xf32>, tensor<8x64x128xf32>) -> tensor<512x128xf32>
    %593 = stablehlo.transpose %592, dims = [1, 0] : (tensor<512x128xf32>) -> tensor<128x512xf32>
    %594 = stablehlo.dot_general %588, %arg60, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x64x512xf32>, tensor<128x512xf32>) -> tensor<8x64x128xf32>
    %cst_119 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %595 = stablehlo.reduce(%594 init: %cst_119) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<128xf32>
    %596 = stablehlo.reshape %595 : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %cst_120 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %597 = stablehlo.reduce(%596 init: %cst_120) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
    %598 = stablehlo.multiply %446, %594 : tensor<8x64x128xf32>
    %cst_121 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %599 = stablehlo.reduce(%598 init: %cst_121) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<128xf32>
    %600 = stablehlo.reshape %599 : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %601 = stablehlo.broadcast_in_dim %447, dims = [0, 1, 2] : (tensor<1x1x128xf32>) -> tensor<8x64x128xf32>
    %602 = stablehlo.multiply %594, %601 : tensor<8x64x128xf32>
    %cst_122 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %603 = stablehlo.reduce(%600 init: %cst_122) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
    %604 = stablehlo.multiply %433, %602 : tensor<8x64x128xf32>
    %cst_123 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %605 = stablehlo.reduce(%604 init: %cst_123) applies stablehlo.add across dimensions = [2] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<8x64xf32>
    %606 = stablehlo.reshape %605 : (tensor<8x64xf32>) -> tensor<8x64x1xf32>
    %607 = stablehlo.broadcast_in_dim %441, dims = [0, 1, 2] : (tensor<8x64x1xf32>) -> tensor<8x64x128xf32>
    %608 = stablehlo.multiply %602, %607 : tensor<8x64x128xf32>
    %609 = stablehlo.multiply %606, %444 : tensor<8x64x1xf32>
    %cst_124 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %610 = stablehlo.broadcast_in_dim %cst_124, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %611 = stablehlo.divide %609, %610 : tensor<8x64x1xf32>
    %cst_125 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %612 = stablehlo.reduce(%611 init: %cst_125) applies stablehlo.add across dimensions = [2] : (tensor<8x64x1xf32>, tensor<f32>) -> tensor<8x64xf32>
    %613 = stablehlo.broadcast_in_dim %612, dims = [0, 1] : (tensor<8x64xf32>) -> tensor<8x64x128xf32>
    %614 = stablehlo.multiply %433, %613 : tensor<8x64x128xf32>
    %615 = stablehlo.add %608, %614 : tensor<8x64x128xf32>
    %616 = stablehlo.multiply %613, %433 : tensor<8x64x128xf32>
    %617 = stablehlo.add %615, %616 : tensor<8x64x128xf32>
    %618 = stablehlo.negate %617 : tensor<8x64x128xf32>
    %cst_126 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %619 = stablehlo.reduce(%618 init: %cst_126) applies stablehlo.add across dimensions = [2] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<8x64xf32>
    %620 = stablehlo.reshape %619 : (tensor<8x64xf32>) -> tensor<8x64x1xf32>
    %621 = stablehlo.add %563, %617 : tensor<8x64x128xf32>
    %cst_127 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %622 = stablehlo.broadcast_in_dim %cst_127, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %623 = stablehlo.divide %620, %622 : tensor<8x64x1xf32>
    %cst_128 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %624 = stablehlo.reduce(%623 init: %cst_128) applies stablehlo.add across dimensions = [2] : (tensor<8x64x1xf32>, tensor<f32>) -> tensor<8x64xf32>
    %625 = stablehlo.broadcast_in_dim %624, dims = [0, 1] : (tensor<8x64xf32>) -> tensor<8x64x128xf32>
    %626 = stablehlo.add %621, %625 : tensor<8x64x128xf32>
    %cst_129 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %627 = stablehlo.reduce(%626 init: %cst_129) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<128xf32>
    %628 = stablehlo.reshape %627 : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %cst_130 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %629 = stablehlo.reduce(%628 init: %cst_130) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
    %630 = stablehlo.dot_general %626, %422, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<8x64x128xf32>) -> tensor<128x128xf32>
    %631 = stablehlo.transpose %630, dims = [1, 0] : (tensor<128x128xf32>) -> tensor<128x128xf32>
    %632 = stablehlo.dot_general %626, %arg62, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<128x128xf32>) -> tensor<8x64x128xf32>
    %633 = stablehlo.reshape %632 : (tensor<8x64x128xf32>) -> tensor<8x64x8x16xf32>
    %634 = stablehlo.transpose %633, dims = [0, 2, 3, 1] : (tensor<8x64x8x16xf32>) -> tensor<8x8x16x64xf32>
    %635 = stablehlo.dot_general %634, %398, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<8x8x16x64xf32>, tensor<8x64x8x16xf32>) -> tensor<8x8x64x64xf32>
    %636 = stablehlo.dot_general %634, %416, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x8x16x64xf32>, tensor<8x8x64x64xf32>) -> tensor<8x8x16x64xf32>
    %637 = stablehlo.transpose %636, dims = [0, 3, 1, 2] : (tensor<8x8x16x64xf32>) -> tensor<8x64x8x16xf32>
    %638 = stablehlo.broadcast_in_dim %419, dims = [0, 1, 2, 3] : (tensor<8x8x64x1xf32>) -> tensor<8x8x64x64xf32>
    %639 = stablehlo.multiply %635, %638 : tensor<8x8x64x64xf32>
    %640 = stablehlo.multiply %639, %412 : tensor<8x8x64x64xf32>
    %cst_131 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %641 = stablehlo.reduce(%640 init: %cst_131) applies stablehlo.add across dimensions = [3] : (tensor<8x8x64x64xf32>, tensor<f32>) -> tensor<8x8x64xf32>
    %642 = stablehlo.reshape %641 : (tensor<8x8x64xf32>) -> tensor<8x8x64x1xf32>
    %643 = stablehlo.negate %642 : tensor<8x8x64x1xf32>
    %644 = stablehlo.broadcast_in_dim %414, dims = [0, 1, 2, 3] : (tensor<8x8x64x1xf32>) -> tensor<8x8x64x64xf32>
    %645 = stablehlo.divide %635, %644 : tensor<8x8x64x64xf32>
    %cst_132 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %646 = stablehlo.reduce(%643 init: %cst_132) applies stablehlo.add across dimensions = [3] : (tensor<8x8x64x1xf32>, tensor<f32>) -> tensor<8x8x64xf32>
    %647 = stablehlo.broadcast_in_dim %646, dims = [0, 1, 2] : (tensor<8x8x64xf32>) -> tensor<8x8x64x64xf32>
    %648 = stablehlo.add %645, %647 : tensor<8x8x64x64xf32>
    %649 = stablehlo.multiply %648, %412 : tensor<8x8x64x64xf32>
    %cst_133 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %650 = stablehlo.broadcast_in_dim %cst_133, dims = [] : (tensor<f32>) -> tensor<8x8x64x64xf32>
    %651 = stablehlo.select %405, %649, %650 : tensor<8x8x64x64xi1>, tensor<8x8x64x64xf32>
    %cst_134 = stablehlo.constant dense<2.500000e-01> : tensor<f32>
    %652 = stablehlo.broadcast_in_dim %cst_134, dims = [] : (tensor<f32>) -> tensor<8x8x64x64xf32>
    %653 = stablehlo.multiply %651, %652 : tensor<8x8x64x64xf32>
    %654 = stablehlo.dot_general %653, %388, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8x64x64xf32>, tensor<8x64x8x16xf32>) -> tensor<8x8x64x16xf32>
    %655 = stablehlo.transpose %654, dims = [0, 2, 1, 3] : (tensor<8x8x64x16xf32>) -> tensor<8x64x8x16xf32>
    %656 = stablehlo.dot_general %653, %393, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8x64x64xf32>, tensor<8x64x8x16xf32>) -> tensor<8x8x64x16xf32>
    %657 = stablehlo.transpose %656, dims = [0, 2, 1, 3] : (tensor<8x8x64x16xf32>) -> tensor<8x64x8x16xf32>
    %658 = stablehlo.reshape %637 : (tensor<8x64x8x16xf32>) -> tensor<8x64x128xf32>
    %cst_135 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %659 = stablehlo.reduce(%658 init: %cst_135) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<128xf32>
    %660 = stablehlo.reshape %659 : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %cst_136 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %661 = stablehlo.reduce(%660 init: %cst_136) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
    %662 = stablehlo.dot_general %658, %383, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<8x64x128xf32>) -> tensor<128x128xf32>
    %663 = stablehlo.transpose %662, dims = [1, 0] : (tensor<128x128xf32>) -> tensor<128x128xf32>
    %664 = stablehlo.dot_general %658, %arg64, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<128x128xf32>) -> tensor<8x64x128xf32>
    %665 = stablehlo.reshape %655 : (tensor<8x64x8x16xf32>) -> tensor<8x64x128xf32>
    %cst_137 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %666 = stablehlo.reduce(%665 init: %cst_137) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<128xf32>
    %667 = stablehlo.reshape %666 : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %cst_138 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %668 = stablehlo.reduce(%667 init: %cst_138) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
    %669 = stablehlo.dot_general %665, %383, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<8x64x128xf32>) -> tensor<128x128xf32>
    %670 = stablehlo.transpose %669, dims = [1, 0] : (tensor<128x128xf32>) -> tensor<128x128xf32>
    %671 = stablehlo.dot_general %665, %arg61, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<128x128xf32>) -> tensor<8x64x128xf32>
    %672 = stablehlo.add %664, %671 : tensor<8x64x128xf32>
    %673 = stablehlo.reshape %657 : (tensor<8x64x8x16xf32>) -> tensor<8x64x128xf32>
    %cst_139 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %674 = stablehlo.reduce(%673 init: %cst_139) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<128xf32>
    %675 = stablehlo.reshape %674 : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %cst_140 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %676 = stablehlo.reduce(%675 init: %cst_140) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
    %677 = stablehlo.dot_general %673, %383, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<8x64x128xf32>) -> tensor<128x128xf32>
    %678 = stablehlo.transpose %677, dims = [1, 0] : (tensor<128x128xf32>) -> tensor<128x128xf32>
    %679 = stablehlo.dot_general %673, %arg63, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<128x128xf32>) -> tensor<8x64x128xf32>
    %680 = stablehlo.add %672, %679 : tensor<8x64x128xf32>
    %cst_141 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %681 = stablehlo.reduce(%680 init: %cst_141) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<128xf32>
    %682 = stablehlo.reshape %681 : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %cst_142 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %683 = stablehlo.reduce(%682 init: %cst_142) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
    %684 = stablehlo.multiply %377, %680 : tensor<8x64x128xf32>
    %cst_143 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %685 = stablehlo.reduce(%684 init: %cst_143) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<128xf32>
    %686 = stablehlo.reshape %685 : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %687 = stablehlo.broadcast_in_dim %378, dims = [0, 1, 2] : (tensor<1x1x128xf32>) -> tensor<8x64x128xf32>
    %688 = stablehlo.multiply %680, %687 : tensor<8x64x128xf32>
    %cst_144 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %689 = stablehlo.reduce(%686 init: %cst_144) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
    %690 = stablehlo.multiply %364, %688 : tensor<8x64x128xf32>
    %cst_145 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %691 = stablehlo.reduce(%690 init: %cst_145) applies stablehlo.add across dimensions = [2] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<8x64xf32>
    %692 = stablehlo.reshape %691 : (tensor<8x64xf32>) -> tensor<8x64x1xf32>
    %693 = stablehlo.broadcast_in_dim %372, dims = [0, 1, 2] : (tensor<8x64x1xf32>) -> tensor<8x64x128xf32>
    %694 = stablehlo.multiply %688, %693 : tensor<8x64x128xf32>
    %695 = stablehlo.multiply %692, %375 : tensor<8x64x1xf32>
    %cst_146 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %696 = stablehlo.broadcast_in_dim %cst_146, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %697 = stablehlo.divide %695, %696 : tensor<8x64x1xf32>
    %cst_147 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %698 = stablehlo.reduce(%697 init: %cst_147) applies stablehlo.add across dimensions = [2] : (tensor<8x64x1xf32>, tensor<f32>) -> tensor<8x64xf32>
    %699 = stablehlo.broadcast_in_dim %698, dims = [0, 1] : (tensor<8x64xf32>) -> tensor<8x64x128xf32>
    %700 = stablehlo.multiply %364, %699 : tensor<8x64x128xf32>
    %701 = stablehlo.add %694, %700 : tensor<8x64x128xf32>
    %702 = stablehlo.multiply %699, %364 : tensor<8x64x128xf32>
    %703 = stablehlo.add %701, %702 : tensor<8x64x128xf32>
    %704 = stablehlo.negate %703 : tensor<8x64x128xf32>
    %cst_148 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %705 = stablehlo.reduce(%704 init: %cst_148) applies stablehlo.add across dimensions = [2] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<8x64xf32>
    %706 = stablehlo.reshape %705 : (tensor<8x64xf32>) -> tensor<8x64x1xf32>
    %707 = stablehlo.add %626, %703 : tensor<8x64x128xf32>
    %cst_149 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %708 = stablehlo.broadcast_in_dim %cst_149, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %709 = stablehlo.divide %706, %708 : tensor<8x64x1xf32>
    %cst_150 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %710 = stablehlo.reduce(%709 init: %cst_150) applies stablehlo.add across dimensions = [2] : (tensor<8x64x1xf32>, tensor<f32>) -> tensor<8x64xf32>
    %711 = stablehlo.broadcast_in_dim %710, dims = [0, 1] : (tensor<8x64xf32>) -> tensor<8x64x128xf32>
    %712 = stablehlo.add %707, %711 : tensor<8x64x128xf32>
    %cst_151 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %713 = stablehlo.reduce(%712 init: %cst_151) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<128xf32>
    %714 = stablehlo.reshape %713 : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %cst_152 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %715 = stablehlo.reduce(%714 init: %cst_152) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
    %716 = stablehlo.dot_general %712, %353, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<8x64x512xf32>) -> tensor<128x512xf32>
    %717 = stablehlo.transpose %716, dims = [1, 0] : (tensor<128x512xf32>) -> tensor<512x128xf32>
    %718 = stablehlo.dot_general %712, %arg43, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<512x128xf32>) -> tensor<8x64x512xf32>
    %719 = stablehlo.multiply %340, %718 : tensor<8x64x512xf32>
    %720 = stablehlo.multiply %718, %352 : tensor<8x64x512xf32>
    %721 = stablehlo.multiply %719, %350 : tensor<8x64x512xf32>
    %722 = stablehlo.multiply %721, %348 : tensor<8x64x512xf32>
    %723 = stablehlo.add %721, %722 : tensor<8x64x512xf32>
    %cst_153 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %724 = stablehlo.broadcast_in_dim %cst_153, dims = [] : (tensor<f32>) -> tensor<8x64x512xf32>
    %725 = stablehlo.multiply %724, %723 : tensor<8x64x512xf32>
    %726 = stablehlo.multiply %343, %725 : tensor<8x64x512xf32>
    %727 = stablehlo.add %725, %726 : tensor<8x64x512xf32>
    %728 = stablehlo.multiply %725, %338 : tensor<8x64x512xf32>
    %729 = stablehlo.multiply %342, %728 : tensor<8x64x512xf32>
    %730 = stablehlo.add %727, %729 : tensor<8x64x512xf32>
    %731 = stablehlo.multiply %728, %338 : tensor<8x64x512xf32>
    %cst_154 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %732 = stablehlo.broadcast_in_dim %cst_154, dims = [] : (tensor<f32>) -> tensor<8x64x512xf32>
    %733 = stablehlo.multiply %732, %731 : tensor<8x64x512xf32>
    %734 = stablehlo.add %730, %733 : tensor<8x64x512xf32>
    %cst_155 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %735 = stablehlo.broadcast_in_dim %cst_155, dims = [] : (tensor<f32>) -> tensor<8x64x512xf32>
    %736 = stablehlo.multiply %735, %720 : tensor<8x64x512xf32>
    %737 = stablehlo.add %734, %736 : tensor<8x64x512xf32>
    %cst_156 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %738 = stablehlo.reduce(%737 init: %cst_156) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x64x512xf32>, tensor<f32>) -> tensor<512xf32>
    %739 = stablehlo.reshape %738 : (tensor<512xf32>) -> tensor<1x1x512xf32>
    %cst_157 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %740 = stablehlo.reduce(%739 init: %cst_157) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x512xf32>, tensor<f32>) -> tensor<512xf32>
    %741 = stablehlo.dot_general %737, %334, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x64x512xf32>, tensor<8x64x128xf32>) -> tensor<512x128xf32>
    %742 = stablehlo.transpose %741, dims = [1, 0] : (tensor<512x128xf32>) -> tensor<128x512xf32>
    %743 = stablehlo.dot_general %737, %arg44, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x64x512xf32>, tensor<128x512xf32>) -> tensor<8x64x128xf32>
    %cst_158 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %744 = stablehlo.reduce(%743 init: %cst_158) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<128xf32>
    %745 = stablehlo.reshape %744 : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %cst_159 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %746 = stablehlo.reduce(%745 init: %cst_159) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
    %747 = stablehlo.multiply %328, %743 : tensor<8x64x128xf32>
    %cst_160 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %748 = stablehlo.reduce(%747 init: %cst_160) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<128xf32>
    %749 = stablehlo.reshape %748 : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %750 = stablehlo.broadcast_in_dim %329, dims = [0, 1, 2] : (tensor<1x1x128xf32>) -> tensor<8x64x128xf32>
    %751 = stablehlo.multiply %743, %750 : tensor<8x64x128xf32>
    %cst_161 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %752 = stablehlo.reduce(%749 init: %cst_161) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
    %753 = stablehlo.multiply %315, %751 : tensor<8x64x128xf32>
    %cst_162 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %754 = stablehlo.reduce(%753 init: %cst_162) applies stablehlo.add across dimensions = [2] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<8x64xf32>
    %755 = stablehlo.reshape %754 : (tensor<8x64xf32>) -> tensor<8x64x1xf32>
    %756 = stablehlo.broadcast_in_dim %323, dims = [0, 1, 2] : (tensor<8x64x1xf32>) -> tensor<8x64x128xf32>
    %757 = stablehlo.multiply %751, %756 : tensor<8x64x128xf32>
    %758 = stablehlo.multiply %755, %326 : tensor<8x64x1xf32>
    %cst_163 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %759 = stablehlo.broadcast_in_dim %cst_163, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %760 = stablehlo.divide %758, %759 : tensor<8x64x1xf32>
    %cst_164 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %761 = stablehlo.reduce(%760 init: %cst_164) applies stablehlo.add across dimensions = [2] : (tensor<8x64x1xf32>, tensor<f32>) -> tensor<8x64xf32>
    %762 = stablehlo.broadcast_in_dim %761, dims = [0, 1] : (tensor<8x64xf32>) -> tensor<8x64x128xf32>
    %763 = stablehlo.multiply %315, %762 : tensor<8x64x128xf32>
    %764 = stablehlo.add %757, %763 : tensor<8x64x128xf32>
    %765 = stablehlo.multiply %762, %315 : tensor<8x64x128xf32>
    %766 = stablehlo.add %764, %765 : tensor<8x64x128xf32>
    %767 = stablehlo.negate %766 : tensor<8x64x128xf32>
    %cst_165 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %768 = stablehlo.reduce(%767 init: %cst_165) applies stablehlo.add across dimensions = [2] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<8x64xf32>
    %769 = stablehlo.reshape %768 : (tensor<8x64xf32>) -> tensor<8x64x1xf32>
    %770 = stablehlo.add %712, %766 : tensor<8x64x128xf32>
    %cst_166 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %771 = stablehlo.broadcast_in_dim %cst_166, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %772 = stablehlo.divide %769, %771 : tensor<8x64x1xf32>
    %cst_167 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %773 = stablehlo.reduce(%772 init: %cst_167) applies stablehlo.add across dimensions = [2] : (tensor<8x64x1xf32>, tensor<f32>) -> tensor<8x64xf32>
    %774 = stablehlo.broadcast_in_dim %773, dims = [0, 1] : (tensor<8x64xf32>) -> tensor<8x64x128xf32>
    %775 = stablehlo.add %770, %774 : tensor<8x64x128xf32>
    %cst_168 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %776 = stablehlo.reduce(%775 init: %cst_168) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<128xf32>
    %777 = stablehlo.reshape %776 : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %cst_169 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %778 = stablehlo.reduce(%777 init: %cst_169) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
    %779 = stablehlo.dot_general %775, %304, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<8x64x128xf32>) -> tensor<128x128xf32>
    %780 = stablehlo.transpose %779, dims = [1, 0] : (tensor<128x128xf32>) -> tensor<128x128xf32>
    %781 = stablehlo.dot_general %775, %arg46, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<128x128xf32>) -> tensor<8x64x128xf32>
    %782 = stablehlo.reshape %781 : (tensor<8x64x128xf32>) -> tensor<8x64x8x16xf32>
    %783 = stablehlo.transpose %782, dims = [0, 2, 3, 1] : (tensor<8x64x8x16xf32>) -> tensor<8x8x16x64xf32>
    %784 = stablehlo.dot_general %783, %280, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<8x8x16x64xf32>, tensor<8x64x8x16xf32>) -> tensor<8x8x64x64xf32>
    %785 = stablehlo.dot_general %783, %298, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x8x16x64xf32>, tensor<8x8x64x64xf32>) -> tensor<8x8x16x64xf32>
    %786 = stablehlo.transpose %785, dims = [0, 3, 1, 2] : (tensor<8x8x16x64xf32>) -> tensor<8x64x8x16xf32>
    %787 = stablehlo.broadcast_in_dim %301, dims = [0, 1, 2, 3] : (tensor<8x8x64x1xf32>) -> tensor<8x8x64x64xf32>
    %788 = stablehlo.multiply %784, %787 : tensor<8x8x64x64xf32>
    %789 = stablehlo.multiply %788, %294 : tensor<8x8x64x64xf32>
    %cst_170 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %790 = stablehlo.reduce(%789 init: %cst_170) applies stablehlo.add across dimensions = [3] : (tensor<8x8x64x64xf32>, tensor<f32>) -> tensor<8x8x64xf32>
    %791 = stablehlo.reshape %790 : (tensor<8x8x64xf32>) -> tensor<8x8x64x1xf32>
    %792 = stablehlo.negate %791 : tensor<8x8x64x1xf32>
    %793 = stablehlo.broadcast_in_dim %296, dims = [0, 1, 2, 3] : (tensor<8x8x64x1xf32>) -> tensor<8x8x64x64xf32>
    %794 = stablehlo.divide %784, %793 : tensor<8x8x64x64xf32>
    %cst_171 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %795 = stablehlo.reduce(%792 init: %cst_171) applies stablehlo.add across dimensions = [3] : (tensor<8x8x64x1xf32>, tensor<f32>) -> tensor<8x8x64xf32>
    %796 = stablehlo.broadcast_in_dim %795, dims = [0, 1, 2] : (tensor<8x8x64xf32>) -> tensor<8x8x64x64xf32>
    %797 = stablehlo.add %794, %796 : tensor<8x8x64x64xf32>
    %798 = stablehlo.multiply %797, %294 : tensor<8x8x64x64xf32>
    %cst_172 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %799 = stablehlo.broadcast_in_dim %cst_172, dims = [] : (tensor<f32>) -> tensor<8x8x64x64xf32>
    %800 = stablehlo.select %287, %798, %799 : tensor<8x8x64x64xi1>, tensor<8x8x64x64xf32>
    %cst_173 = stablehlo.constant dense<2.500000e-01> : tensor<f32>
    %801 = stablehlo.broadcast_in_dim %cst_173, dims = [] : (tensor<f32>) -> tensor<8x8x64x64xf32>
    %802 = stablehlo.multiply %800, %801 : tensor<8x8x64x64xf32>
    %803 = stablehlo.dot_general %802, %270, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8x64x64xf32>, tensor<8x64x8x16xf32>) -> tensor<8x8x64x16xf32>
    %804 = stablehlo.transpose %803, dims = [0, 2, 1, 3] : (tensor<8x8x64x16xf32>) -> tensor<8x64x8x16xf32>
    %805 = stablehlo.dot_general %802, %275, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8x64x64xf32>, tensor<8x64x8x16xf32>) -> tensor<8x8x64x16xf32>
    %806 = stablehlo.transpose %805, dims = [0, 2, 1, 3] : (tensor<8x8x64x16xf32>) -> tensor<8x64x8x16xf32>
    %807 = stablehlo.reshape %786 : (tensor<8x64x8x16xf32>) -> tensor<8x64x128xf32>
    %cst_174 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %808 = stablehlo.reduce(%807 init: %cst_174) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<128xf32>
    %809 = stablehlo.reshape %808 : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %cst_175 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %810 = stablehlo.reduce(%809 init: %cst_175) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
    %811 = stablehlo.dot_general %807, %265, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<8x64x128xf32>) -> tensor<128x128xf32>
    %812 = stablehlo.transpose %811, dims = [1, 0] : (tensor<128x128xf32>) -> tensor<128x128xf32>
    %813 = stablehlo.dot_general %807, %arg48, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<128x128xf32>) -> tensor<8x64x128xf32>
    %814 = stablehlo.reshape %804 : (tensor<8x64x8x16xf32>) -> tensor<8x64x128xf32>
    %cst_176 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %815 = stablehlo.reduce(%814 init: %cst_176) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<128xf32>
    %816 = stablehlo.reshape %815 : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %cst_177 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %817 = stablehlo.reduce(%816 init: %cst_177) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
    %818 = stablehlo.dot_general %814, %265, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<8x64x128xf32>) -> tensor<128x128xf32>
    %819 = stablehlo.transpose %818, dims = [1, 0] : (tensor<128x128xf32>) -> tensor<128x128xf32>
    %820 = stablehlo.dot_general %814, %arg45, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<128x128xf32>) -> tensor<8x64x128xf32>
    %821 = stablehlo.add %813, %820 : tensor<8x64x128xf32>
    %822 = stablehlo.reshape %806 : (tensor<8x64x8x16xf32>) -> tensor<8x64x128xf32>
    %cst_178 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %823 = stablehlo.reduce(%822 init: %cst_178) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<128xf32>
    %824 = stablehlo.reshape %823 : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %cst_179 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %825 = stablehlo.reduce(%824 init: %cst_179) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
    %826 = stablehlo.dot_general %822, %265, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<8x64x128xf32>) -> tensor<128x128xf32>
    %827 = stablehlo.transpose %826, dims = [1, 0] : (tensor<128x128xf32>) -> tensor<128x128xf32>
    %828 = stablehlo.dot_general %822, %arg47, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<128x128xf32>) -> tensor<8x64x128xf32>
    %829 = stablehlo.add %821, %828 : tensor<8x64x128xf32>
    %cst_180 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %830 = stablehlo.reduce(%829 init: %cst_180) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<128xf32>
    %831 = stablehlo.reshape %830 : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %cst_181 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %832 = stablehlo.reduce(%831 init: %cst_181) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
    %833 = stablehlo.multiply %259, %829 : tensor<8x64x128xf32>
    %cst_182 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %834 = stablehlo.reduce(%833 init: %cst_182) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<128xf32>
    %835 = stablehlo.reshape %834 : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %836 = stablehlo.broadcast_in_dim %260, dims = [0, 1, 2] : (tensor<1x1x128xf32>) -> tensor<8x64x128xf32>
    %837 = stablehlo.multiply %829, %836 : tensor<8x64x128xf32>
    %cst_183 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %838 = stablehlo.reduce(%835 init: %cst_183) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
    %839 = stablehlo.multiply %246, %837 : tensor<8x64x128xf32>
    %cst_184 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %840 = stablehlo.reduce(%839 init: %cst_184) applies stablehlo.add across dimensions = [2] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<8x64xf32>
    %841 = stablehlo.reshape %840 : (tensor<8x64xf32>) -> tensor<8x64x1xf32>
    %842 = stablehlo.broadcast_in_dim %254, dims = [0, 1, 2] : (tensor<8x64x1xf32>) -> tensor<8x64x128xf32>
    %843 = stablehlo.multiply %837, %842 : tensor<8x64x128xf32>
    %844 = stablehlo.multiply %841, %257 : tensor<8x64x1xf32>
    %cst_185 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %845 = stablehlo.broadcast_in_dim %cst_185, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %846 = stablehlo.divide %844, %845 : tensor<8x64x1xf32>
    %cst_186 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %847 = stablehlo.reduce(%846 init: %cst_186) applies stablehlo.add across dimensions = [2] : (tensor<8x64x1xf32>, tensor<f32>) -> tensor<8x64xf32>
    %848 = stablehlo.broadcast_in_dim %847, dims = [0, 1] : (tensor<8x64xf32>) -> tensor<8x64x128xf32>
    %849 = stablehlo.multiply %246, %848 : tensor<8x64x128xf32>
    %850 = stablehlo.add %843, %849 : tensor<8x64x128xf32>
    %851 = stablehlo.multiply %848, %246 : tensor<8x64x128xf32>
    %852 = stablehlo.add %850, %851 : tensor<8x64x128xf32>
    %853 = stablehlo.negate %852 : tensor<8x64x128xf32>
    %cst_187 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %854 = stablehlo.reduce(%853 init: %cst_187) applies stablehlo.add across dimensions = [2] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<8x64xf32>
    %855 = stablehlo.reshape %854 : (tensor<8x64xf32>) -> tensor<8x64x1xf32>
    %856 = stablehlo.add %775, %852 : tensor<8x64x128xf32>
    %cst_188 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %857 = stablehlo.broadcast_in_dim %cst_188, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %858 = stablehlo.divide %855, %857 : tensor<8x64x1xf32>
    %cst_189 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %859 = stablehlo.reduce(%858 init: %cst_189) applies stablehlo.add across dimensions = [2] : (tensor<8x64x1xf32>, tensor<f32>) -> tensor<8x64xf32>
    %860 = stablehlo.broadcast_in_dim %859, dims = [0, 1] : (tensor<8x64xf32>) -> tensor<8x64x128xf32>
    %861 = stablehlo.add %856, %860 : tensor<8x64x128xf32>
    %cst_190 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %862 = stablehlo.reduce(%861 init: %cst_190) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<128xf32>
    %863 = stablehlo.reshape %862 : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %cst_191 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %864 = stablehlo.reduce(%863 init: %cst_191) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
    %865 = stablehlo.dot_general %861, %235, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<8x64x512xf32>) -> tensor<128x512xf32>
    %866 = stablehlo.transpose %865, dims = [1, 0] : (tensor<128x512xf32>) -> tensor<512x128xf32>
    %867 = stablehlo.dot_general %861, %arg27, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<512x128xf32>) -> tensor<8x64x512xf32>
    %868 = stablehlo.multiply %222, %867 : tensor<8x64x512xf32>
    %869 = stablehlo.multiply %867, %234 : tensor<8x64x512xf32>
    %870 = stablehlo.multiply %868, %232 : tensor<8x64x512xf32>
    %871 = stablehlo.multiply %870, %230 : tensor<8x64x512xf32>
    %872 = stablehlo.add %870, %871 : tensor<8x64x512xf32>
    %cst_192 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %873 = stablehlo.broadcast_in_dim %cst_192, dims = [] : (tensor<f32>) -> tensor<8x64x512xf32>
    %874 = stablehlo.multiply %873, %872 : tensor<8x64x512xf32>
    %875 = stablehlo.multiply %225, %874 : tensor<8x64x512xf32>
    %876 = stablehlo.add %874, %875 : tensor<8x64x512xf32>
    %877 = stablehlo.multiply %874, %220 : tensor<8x64x512xf32>
    %878 = stablehlo.multiply %224, %877 : tensor<8x64x512xf32>
    %879 = stablehlo.add %876, %878 : tensor<8x64x512xf32>
    %880 = stablehlo.multiply %877, %220 : tensor<8x64x512xf32>
    %cst_193 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %881 = stablehlo.broadcast_in_dim %cst_193, dims = [] : (tensor<f32>) -> tensor<8x64x512xf32>
    %882 = stablehlo.multiply %881, %880 : tensor<8x64x512xf32>
    %883 = stablehlo.add %879, %882 : tensor<8x64x512xf32>
    %cst_194 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %884 = stablehlo.broadcast_in_dim %cst_194, dims = [] : (tensor<f32>) -> tensor<8x64x512xf32>
    %885 = stablehlo.multiply %884, %869 : tensor<8x64x512xf32>
    %886 = stablehlo.add %883, %885 : tensor<8x64x512xf32>
    %cst_195 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %887 = stablehlo.reduce(%886 init: %cst_195) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x64x512xf32>, tensor<f32>) -> tensor<512xf32>
    %888 = stablehlo.reshape %887 : (tensor<512xf32>) -> tensor<1x1x512xf32>
    %cst_196 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %889 = stablehlo.reduce(%888 init: %cst_196) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x512xf32>, tensor<f32>) -> tensor<512xf32>
    %890 = stablehlo.dot_general %886, %216, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x64x512xf32>, tensor<8x64x128xf32>) -> tensor<512x128xf32>
    %891 = stablehlo.transpose %890, dims = [1, 0] : (tensor<512x128xf32>) -> tensor<128x512xf32>
    %892 = stablehlo.dot_general %886, %arg28, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x64x512xf32>, tensor<128x512xf32>) -> tensor<8x64x128xf32>
    %cst_197 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %893 = stablehlo.reduce(%892 init: %cst_197) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<128xf32>
    %894 = stablehlo.reshape %893 : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %cst_198 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %895 = stablehlo.reduce(%894 init: %cst_198) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
    %896 = stablehlo.multiply %210, %892 : tensor<8x64x128xf32>
    %cst_199 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %897 = stablehlo.reduce(%896 init: %cst_199) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<128xf32>
    %898 = stablehlo.reshape %897 : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %899 = stablehlo.broadcast_in_dim %211, dims = [0, 1, 2] : (tensor<1x1x128xf32>) -> tensor<8x64x128xf32>
    %900 = stablehlo.multiply %892, %899 : tensor<8x64x128xf32>
    %cst_200 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %901 = stablehlo.reduce(%898 init: %cst_200) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
    %902 = stablehlo.multiply %197, %900 : tensor<8x64x128xf32>
    %cst_201 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %903 = stablehlo.reduce(%902 init: %cst_201) applies stablehlo.add across dimensions = [2] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<8x64xf32>
    %904 = stablehlo.reshape %903 : (tensor<8x64xf32>) -> tensor<8x64x1xf32>
    %905 = stablehlo.broadcast_in_dim %205, dims = [0, 1, 2] : (tensor<8x64x1xf32>) -> tensor<8x64x128xf32>
    %906 = stablehlo.multiply %900, %905 : tensor<8x64x128xf32>
    %907 = stablehlo.multiply %904, %208 : tensor<8x64x1xf32>
    %cst_202 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %908 = stablehlo.broadcast_in_dim %cst_202, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %909 = stablehlo.divide %907, %908 : tensor<8x64x1xf32>
    %cst_203 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %910 = stablehlo.reduce(%909 init: %cst_203) applies stablehlo.add across dimensions = [2] : (tensor<8x64x1xf32>, tensor<f32>) -> tensor<8x64xf32>
    %911 = stablehlo.broadcast_in_dim %910, dims = [0, 1] : (tensor<8x64xf32>) -> tensor<8x64x128xf32>
    %912 = stablehlo.multiply %197, %911 : tensor<8x64x128xf32>
    %913 = stablehlo.add %906, %912 : tensor<8x64x128xf32>
    %914 = stablehlo.multiply %911, %197 : tensor<8x64x128xf32>
    %915 = stablehlo.add %913, %914 : tensor<8x64x128xf32>
    %916 = stablehlo.negate %915 : tensor<8x64x128xf32>
    %cst_204 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %917 = stablehlo.reduce(%916 init: %cst_204) applies stablehlo.add across dimensions = [2] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<8x64xf32>
    %918 = stablehlo.reshape %917 : (tensor<8x64xf32>) -> tensor<8x64x1xf32>
    %919 = stablehlo.add %861, %915 : tensor<8x64x128xf32>
    %cst_205 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %920 = stablehlo.broadcast_in_dim %cst_205, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %921 = stablehlo.divide %918, %920 : tensor<8x64x1xf32>
    %cst_206 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %922 = stablehlo.reduce(%921 init: %cst_206) applies stablehlo.add across dimensions = [2] : (tensor<8x64x1xf32>, tensor<f32>) -> tensor<8x64xf32>
    %923 = stablehlo.broadcast_in_dim %922, dims = [0, 1] : (tensor<8x64xf32>) -> tensor<8x64x128xf32>
    %924 = stablehlo.add %919, %923 : tensor<8x64x128xf32>
    %cst_207 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %925 = stablehlo.reduce(%924 init: %cst_207) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<128xf32>
    %926 = stablehlo.reshape %925 : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %cst_208 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %927 = stablehlo.reduce(%926 init: %cst_208) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
    %928 = stablehlo.dot_general %924, %186, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<8x64x128xf32>) -> tensor<128x128xf32>
    %929 = stablehlo.transpose %928, dims = [1, 0] : (tensor<128x128xf32>) -> tensor<128x128xf32>
    %930 = stablehlo.dot_general %924, %arg30, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<128x128xf32>) -> tensor<8x64x128xf32>
    %931 = stablehlo.reshape %930 : (tensor<8x64x128xf32>) -> tensor<8x64x8x16xf32>
    %932 = stablehlo.transpose %931, dims = [0, 2, 3, 1] : (tensor<8x64x8x16xf32>) -> tensor<8x8x16x64xf32>
    %933 = stablehlo.dot_general %932, %162, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<8x8x16x64xf32>, tensor<8x64x8x16xf32>) -> tensor<8x8x64x64xf32>
    %934 = stablehlo.dot_general %932, %180, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x8x16x64xf32>, tensor<8x8x64x64xf32>) -> tensor<8x8x16x64xf32>
    %935 = stablehlo.transpose %934, dims = [0, 3, 1, 2] : (tensor<8x8x16x64xf32>) -> tensor<8x64x8x16xf32>
    %936 = stablehlo.broadcast_in_dim %183, dims = [0, 1, 2, 3] : (tensor<8x8x64x1xf32>) -> tensor<8x8x64x64xf32>
    %937 = stablehlo.multiply %933, %936 : tensor<8x8x64x64xf32>
    %938 = stablehlo.multiply %937, %176 : tensor<8x8x64x64xf32>
    %cst_209 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %939 = stablehlo.reduce(%938 init: %cst_209) applies stablehlo.add across dimensions = [3] : (tensor<8x8x64x64xf32>, tensor<f32>) -> tensor<8x8x64xf32>
    %940 = stablehlo.reshape %939 : (tensor<8x8x64xf32>) -> tensor<8x8x64x1xf32>
    %941 = stablehlo.negate %940 : tensor<8x8x64x1xf32>
    %942 = stablehlo.broadcast_in_dim %178, dims = [0, 1, 2, 3] : (tensor<8x8x64x1xf32>) -> tensor<8x8x64x64xf32>
    %943 = stablehlo.divide %933, %942 : tensor<8x8x64x64xf32>
    %cst_210 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %944 = stablehlo.reduce(%941 init: %cst_210) applies stablehlo.add across dimensions = [3] : (tensor<8x8x64x1xf32>, tensor<f32>) -> tensor<8x8x64xf32>
    %945 = stablehlo.broadcast_in_dim %944, dims = [0, 1, 2] : (tensor<8x8x64xf32>) -> tensor<8x8x64x64xf32>
    %946 = stablehlo.add %943, %945 : tensor<8x8x64x64xf32>
    %947 = stablehlo.multiply %946, %176 : tensor<8x8x64x64xf32>
    %cst_211 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %948 = stablehlo.broadcast_in_dim %cst_211, dims = [] : (tensor<f32>) -> tensor<8x8x64x64xf32>
    %949 = stablehlo.select %169, %947, %948 : tensor<8x8x64x64xi1>, tensor<8x8x64x64xf32>
    %cst_212 = stablehlo.constant dense<2.500000e-01> : tensor<f32>
    %950 = stablehlo.broadcast_in_dim %cst_212, dims = [] : (tensor<f32>) -> tensor<8x8x64x64xf32>
    %951 = stablehlo.multiply %949, %950 : tensor<8x8x64x64xf32>
    %952 = stablehlo.dot_general %951, %152, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8x64x64xf32>, tensor<8x64x8x16xf32>) -> tensor<8x8x64x16xf32>
    %953 = stablehlo.transpose %952, dims = [0, 2, 1, 3] : (tensor<8x8x64x16xf32>) -> tensor<8x64x8x16xf32>
    %954 = stablehlo.dot_general %951, %157, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8x64x64xf32>, tensor<8x64x8x16xf32>) -> tensor<8x8x64x16xf32>
    %955 = stablehlo.transpose %954, dims = [0, 2, 1, 3] : (tensor<8x8x64x16xf32>) -> tensor<8x64x8x16xf32>
    %956 = stablehlo.reshape %935 : (tensor<8x64x8x16xf32>) -> tensor<8x64x128xf32>
    %cst_213 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %957 = stablehlo.reduce(%956 init: %cst_213) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<128xf32>
    %958 = stablehlo.reshape %957 : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %cst_214 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %959 = stablehlo.reduce(%958 init: %cst_214) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
    %960 = stablehlo.dot_general %956, %147, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<8x64x128xf32>) -> tensor<128x128xf32>
    %961 = stablehlo.transpose %960, dims = [1, 0] : (tensor<128x128xf32>) -> tensor<128x128xf32>
    %962 = stablehlo.dot_general %956, %arg32, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<128x128xf32>) -> tensor<8x64x128xf32>
    %963 = stablehlo.reshape %953 : (tensor<8x64x8x16xf32>) -> tensor<8x64x128xf32>
    %cst_215 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %964 = stablehlo.reduce(%963 init: %cst_215) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<128xf32>
    %965 = stablehlo.reshape %964 : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %cst_216 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %966 = stablehlo.reduce(%965 init: %cst_216) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
    %967 = stablehlo.dot_general %963, %147, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<8x64x128xf32>) -> tensor<128x128xf32>
    %968 = stablehlo.transpose %967, dims = [1, 0] : (tensor<128x128xf32>) -> tensor<128x128xf32>
    %969 = stablehlo.dot_general %963, %arg29, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<128x128xf32>) -> tensor<8x64x128xf32>
    %970 = stablehlo.add %962, %969 : tensor<8x64x128xf32>
    %971 = stablehlo.reshape %955 : (tensor<8x64x8x16xf32>) -> tensor<8x64x128xf32>
    %cst_217 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %972 = stablehlo.reduce(%971 init: %cst_217) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<128xf32>
    %973 = stablehlo.reshape %972 : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %cst_218 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %974 = stablehlo.reduce(%973 init: %cst_218) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
    %975 = stablehlo.dot_general %971, %147, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<8x64x128xf32>) -> tensor<128x128xf32>
    %976 = stablehlo.transpose %975, dims = [1, 0] : (tensor<128x128xf32>) -> tensor<128x128xf32>
    %977 = stablehlo.dot_general %971, %arg31, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<128x128xf32>) -> tensor<8x64x128xf32>
    %978 = stablehlo.add %970, %977 : tensor<8x64x128xf32>
    %cst_219 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %979 = stablehlo.reduce(%978 init: %cst_219) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<128xf32>
    %980 = stablehlo.reshape %979 : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %cst_220 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %981 = stablehlo.reduce(%980 init: %cst_220) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
    %982 = stablehlo.multiply %141, %978 : tensor<8x64x128xf32>
    %cst_221 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %983 = stablehlo.reduce(%982 init: %cst_221) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<128xf32>
    %984 = stablehlo.reshape %983 : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %985 = stablehlo.broadcast_in_dim %142, dims = [0, 1, 2] : (tensor<1x1x128xf32>) -> tensor<8x64x128xf32>
    %986 = stablehlo.multiply %978, %985 : tensor<8x64x128xf32>
    %cst_222 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %987 = stablehlo.reduce(%984 init: %cst_222) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
    %988 = stablehlo.multiply %128, %986 : tensor<8x64x128xf32>
    %cst_223 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %989 = stablehlo.reduce(%988 init: %cst_223) applies stablehlo.add across dimensions = [2] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<8x64xf32>
    %990 = stablehlo.reshape %989 : (tensor<8x64xf32>) -> tensor<8x64x1xf32>
    %991 = stablehlo.broadcast_in_dim %136, dims = [0, 1, 2] : (tensor<8x64x1xf32>) -> tensor<8x64x128xf32>
    %992 = stablehlo.multiply %986, %991 : tensor<8x64x128xf32>
    %993 = stablehlo.multiply %990, %139 : tensor<8x64x1xf32>
    %cst_224 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %994 = stablehlo.broadcast_in_dim %cst_224, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %995 = stablehlo.divide %993, %994 : tensor<8x64x1xf32>
    %cst_225 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %996 = stablehlo.reduce(%995 init: %cst_225) applies stablehlo.add across dimensions = [2] : (tensor<8x64x1xf32>, tensor<f32>) -> tensor<8x64xf32>
    %997 = stablehlo.broadcast_in_dim %996, dims = [0, 1] : (tensor<8x64xf32>) -> tensor<8x64x128xf32>
    %998 = stablehlo.multiply %128, %997 : tensor<8x64x128xf32>
    %999 = stablehlo.add %992, %998 : tensor<8x64x128xf32>
    %1000 = stablehlo.multiply %997, %128 : tensor<8x64x128xf32>
    %1001 = stablehlo.add %999, %1000 : tensor<8x64x128xf32>
    %1002 = stablehlo.negate %1001 : tensor<8x64x128xf32>
    %cst_226 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1003 = stablehlo.reduce(%1002 init: %cst_226) applies stablehlo.add across dimensions = [2] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<8x64xf32>
    %1004 = stablehlo.reshape %1003 : (tensor<8x64xf32>) -> tensor<8x64x1xf32>
    %1005 = stablehlo.add %924, %1001 : tensor<8x64x128xf32>
    %cst_227 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %1006 = stablehlo.broadcast_in_dim %cst_227, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %1007 = stablehlo.divide %1004, %1006 : tensor<8x64x1xf32>
    %cst_228 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1008 = stablehlo.reduce(%1007 init: %cst_228) applies stablehlo.add across dimensions = [2] : (tensor<8x64x1xf32>, tensor<f32>) -> tensor<8x64xf32>
    %1009 = stablehlo.broadcast_in_dim %1008, dims = [0, 1] : (tensor<8x64xf32>) -> tensor<8x64x128xf32>
    %1010 = stablehlo.add %1005, %1009 : tensor<8x64x128xf32>
    %cst_229 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1011 = stablehlo.reduce(%1010 init: %cst_229) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<128xf32>
    %1012 = stablehlo.reshape %1011 : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %cst_230 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1013 = stablehlo.reduce(%1012 init: %cst_230) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
    %1014 = stablehlo.dot_general %1010, %117, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<8x64x512xf32>) -> tensor<128x512xf32>
    %1015 = stablehlo.transpose %1014, dims = [1, 0] : (tensor<128x512xf32>) -> tensor<512x128xf32>
    %1016 = stablehlo.dot_general %1010, %arg11, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<512x128xf32>) -> tensor<8x64x512xf32>
    %1017 = stablehlo.multiply %104, %1016 : tensor<8x64x512xf32>
    %1018 = stablehlo.multiply %1016, %116 : tensor<8x64x512xf32>
    %1019 = stablehlo.multiply %1017, %114 : tensor<8x64x512xf32>
    %1020 = stablehlo.multiply %1019, %112 : tensor<8x64x512xf32>
    %1021 = stablehlo.add %1019, %1020 : tensor<8x64x512xf32>
    %cst_231 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %1022 = stablehlo.broadcast_in_dim %cst_231, dims = [] : (tensor<f32>) -> tensor<8x64x512xf32>
    %1023 = stablehlo.multiply %1022, %1021 : tensor<8x64x512xf32>
    %1024 = stablehlo.multiply %107, %1023 : tensor<8x64x512xf32>
    %1025 = stablehlo.add %1023, %1024 : tensor<8x64x512xf32>
    %1026 = stablehlo.multiply %1023, %102 : tensor<8x64x512xf32>
    %1027 = stablehlo.multiply %106, %1026 : tensor<8x64x512xf32>
    %1028 = stablehlo.add %1025, %1027 : tensor<8x64x512xf32>
    %1029 = stablehlo.multiply %1026, %102 : tensor<8x64x512xf32>
    %cst_232 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %1030 = stablehlo.broadcast_in_dim %cst_232, dims = [] : (tensor<f32>) -> tensor<8x64x512xf32>
    %1031 = stablehlo.multiply %1030, %1029 : tensor<8x64x512xf32>
    %1032 = stablehlo.add %1028, %1031 : tensor<8x64x512xf32>
    %cst_233 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1033 = stablehlo.broadcast_in_dim %cst_233, dims = [] : (tensor<f32>) -> tensor<8x64x512xf32>
    %1034 = stablehlo.multiply %1033, %1018 : tensor<8x64x512xf32>
    %1035 = stablehlo.add %1032, %1034 : tensor<8x64x512xf32>
    %cst_234 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1036 = stablehlo.reduce(%1035 init: %cst_234) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x64x512xf32>, tensor<f32>) -> tensor<512xf32>
    %1037 = stablehlo.reshape %1036 : (tensor<512xf32>) -> tensor<1x1x512xf32>
    %cst_235 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1038 = stablehlo.reduce(%1037 init: %cst_235) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x512xf32>, tensor<f32>) -> tensor<512xf32>
    %1039 = stablehlo.dot_general %1035, %98, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x64x512xf32>, tensor<8x64x128xf32>) -> tensor<512x128xf32>
    %1040 = stablehlo.transpose %1039, dims = [1, 0] : (tensor<512x128xf32>) -> tensor<128x512xf32>
    %1041 = stablehlo.dot_general %1035, %arg12, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x64x512xf32>, tensor<128x512xf32>) -> tensor<8x64x128xf32>
    %cst_236 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1042 = stablehlo.reduce(%1041 init: %cst_236) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<128xf32>
    %1043 = stablehlo.reshape %1042 : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %cst_237 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1044 = stablehlo.reduce(%1043 init: %cst_237) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
    %1045 = stablehlo.multiply %92, %1041 : tensor<8x64x128xf32>
    %cst_238 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1046 = stablehlo.reduce(%1045 init: %cst_238) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<128xf32>
    %1047 = stablehlo.reshape %1046 : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %1048 = stablehlo.broadcast_in_dim %93, dims = [0, 1, 2] : (tensor<1x1x128xf32>) -> tensor<8x64x128xf32>
    %1049 = stablehlo.multiply %1041, %1048 : tensor<8x64x128xf32>
    %cst_239 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1050 = stablehlo.reduce(%1047 init: %cst_239) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
    %1051 = stablehlo.multiply %79, %1049 : tensor<8x64x128xf32>
    %cst_240 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1052 = stablehlo.reduce(%1051 init: %cst_240) applies stablehlo.add across dimensions = [2] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<8x64xf32>
    %1053 = stablehlo.reshape %1052 : (tensor<8x64xf32>) -> tensor<8x64x1xf32>
    %1054 = stablehlo.broadcast_in_dim %87, dims = [0, 1, 2] : (tensor<8x64x1xf32>) -> tensor<8x64x128xf32>
    %1055 = stablehlo.multiply %1049, %1054 : tensor<8x64x128xf32>
    %1056 = stablehlo.multiply %1053, %90 : tensor<8x64x1xf32>
    %cst_241 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %1057 = stablehlo.broadcast_in_dim %cst_241, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %1058 = stablehlo.divide %1056, %1057 : tensor<8x64x1xf32>
    %cst_242 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1059 = stablehlo.reduce(%1058 init: %cst_242) applies stablehlo.add across dimensions = [2] : (tensor<8x64x1xf32>, tensor<f32>) -> tensor<8x64xf32>
    %1060 = stablehlo.broadcast_in_dim %1059, dims = [0, 1] : (tensor<8x64xf32>) -> tensor<8x64x128xf32>
    %1061 = stablehlo.multiply %79, %1060 : tensor<8x64x128xf32>
    %1062 = stablehlo.add %1055, %1061 : tensor<8x64x128xf32>
    %1063 = stablehlo.multiply %1060, %79 : tensor<8x64x128xf32>
    %1064 = stablehlo.add %1062, %1063 : tensor<8x64x128xf32>
    %1065 = stablehlo.negate %1064 : tensor<8x64x128xf32>
    %cst_243 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1066 = stablehlo.reduce(%1065 init: %cst_243) applies stablehlo.add across dimensions = [2] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<8x64xf32>
    %1067 = stablehlo.reshape %1066 : (tensor<8x64xf32>) -> tensor<8x64x1xf32>
    %1068 = stablehlo.add %1010, %1064 : tensor<8x64x128xf32>
    %cst_244 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %1069 = stablehlo.broadcast_in_dim %cst_244, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %1070 = stablehlo.divide %1067, %1069 : tensor<8x64x1xf32>
    %cst_245 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1071 = stablehlo.reduce(%1070 init: %cst_245) applies stablehlo.add across dimensions = [2] : (tensor<8x64x1xf32>, tensor<f32>) -> tensor<8x64xf32>
    %1072 = stablehlo.broadcast_in_dim %1071, dims = [0, 1] : (tensor<8x64xf32>) -> tensor<8x64x128xf32>
    %1073 = stablehlo.add %1068, %1072 : tensor<8x64x128xf32>
    %cst_246 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1074 = stablehlo.reduce(%1073 init: %cst_246) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<128xf32>
    %1075 = stablehlo.reshape %1074 : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %cst_247 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1076 = stablehlo.reduce(%1075 init: %cst_247) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
    %1077 = stablehlo.dot_general %1073, %68, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<8x64x128xf32>) -> tensor<128x128xf32>
    %1078 = stablehlo.transpose %1077, dims = [1, 0] : (tensor<128x128xf32>) -> tensor<128x128xf32>
    %1079 = stablehlo.dot_general %1073, %arg14, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<128x128xf32>) -> tensor<8x64x128xf32>
    %1080 = stablehlo.reshape %1079 : (tensor<8x64x128xf32>) -> tensor<8x64x8x16xf32>
    %1081 = stablehlo.transpose %1080, dims = [0, 2, 3, 1] : (tensor<8x64x8x16xf32>) -> tensor<8x8x16x64xf32>
    %1082 = stablehlo.dot_general %1081, %44, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<8x8x16x64xf32>, tensor<8x64x8x16xf32>) -> tensor<8x8x64x64xf32>
    %1083 = stablehlo.dot_general %1081, %62, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x8x16x64xf32>, tensor<8x8x64x64xf32>) -> tensor<8x8x16x64xf32>
    %1084 = stablehlo.transpose %1083, dims = [0, 3, 1, 2] : (tensor<8x8x16x64xf32>) -> tensor<8x64x8x16xf32>
    %1085 = stablehlo.broadcast_in_dim %65, dims = [0, 1, 2, 3] : (tensor<8x8x64x1xf32>) -> tensor<8x8x64x64xf32>
    %1086 = stablehlo.multiply %1082, %1085 : tensor<8x8x64x64xf32>
    %1087 = stablehlo.multiply %1086, %58 : tensor<8x8x64x64xf32>
    %cst_248 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1088 = stablehlo.reduce(%1087 init: %cst_248) applies stablehlo.add across dimensions = [3] : (tensor<8x8x64x64xf32>, tensor<f32>) -> tensor<8x8x64xf32>
    %1089 = stablehlo.reshape %1088 : (tensor<8x8x64xf32>) -> tensor<8x8x64x1xf32>
    %1090 = stablehlo.negate %1089 : tensor<8x8x64x1xf32>
    %1091 = stablehlo.broadcast_in_dim %60, dims = [0, 1, 2, 3] : (tensor<8x8x64x1xf32>) -> tensor<8x8x64x64xf32>
    %1092 = stablehlo.divide %1082, %1091 : tensor<8x8x64x64xf32>
    %cst_249 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1093 = stablehlo.reduce(%1090 init: %cst_249) applies stablehlo.add across dimensions = [3] : (tensor<8x8x64x1xf32>, tensor<f32>) -> tensor<8x8x64xf32>
    %1094 = stablehlo.broadcast_in_dim %1093, dims = [0, 1, 2] : (tensor<8x8x64xf32>) -> tensor<8x8x64x64xf32>
    %1095 = stablehlo.add %1092, %1094 : tensor<8x8x64x64xf32>
    %1096 = stablehlo.multiply %1095, %58 : tensor<8x8x64x64xf32>
    %cst_250 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1097 = stablehlo.broadcast_in_dim %cst_250, dims = [] : (tensor<f32>) -> tensor<8x8x64x64xf32>
    %1098 = stablehlo.select %51, %1096, %1097 : tensor<8x8x64x64xi1>, tensor<8x8x64x64xf32>
    %cst_251 = stablehlo.constant dense<2.500000e-01> : tensor<f32>
    %1099 = stablehlo.broadcast_in_dim %cst_251, dims = [] : (tensor<f32>) -> tensor<8x8x64x64xf32>
    %1100 = stablehlo.multiply %1098, %1099 : tensor<8x8x64x64xf32>
    %1101 = stablehlo.dot_general %1100, %34, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8x64x64xf32>, tensor<8x64x8x16xf32>) -> tensor<8x8x64x16xf32>
    %1102 = stablehlo.transpose %1101, dims = [0, 2, 1, 3] : (tensor<8x8x64x16xf32>) -> tensor<8x64x8x16xf32>
    %1103 = stablehlo.dot_general %1100, %39, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8x64x64xf32>, tensor<8x64x8x16xf32>) -> tensor<8x8x64x16xf32>
    %1104 = stablehlo.transpose %1103, dims = [0, 2, 1, 3] : (tensor<8x8x64x16xf32>) -> tensor<8x64x8x16xf32>
    %1105 = stablehlo.reshape %1084 : (tensor<8x64x8x16xf32>) -> tensor<8x64x128xf32>
    %cst_252 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1106 = stablehlo.reduce(%1105 init: %cst_252) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<128xf32>
    %1107 = stablehlo.reshape %1106 : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %cst_253 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1108 = stablehlo.reduce(%1107 init: %cst_253) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
    %1109 = stablehlo.dot_general %1105, %29, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<8x64x128xf32>) -> tensor<128x128xf32>
    %1110 = stablehlo.transpose %1109, dims = [1, 0] : (tensor<128x128xf32>) -> tensor<128x128xf32>
    %1111 = stablehlo.dot_general %1105, %arg16, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<128x128xf32>) -> tensor<8x64x128xf32>
    %1112 = stablehlo.reshape %1102 : (tensor<8x64x8x16xf32>) -> tensor<8x64x128xf32>
    %cst_254 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1113 = stablehlo.reduce(%1112 init: %cst_254) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<128xf32>
    %1114 = stablehlo.reshape %1113 : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %cst_255 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1115 = stablehlo.reduce(%1114 init: %cst_255) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
    %1116 = stablehlo.dot_general %1112, %29, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<8x64x128xf32>) -> tensor<128x128xf32>
    %1117 = stablehlo.transpose %1116, dims = [1, 0] : (tensor<128x128xf32>) -> tensor<128x128xf32>
    %1118 = stablehlo.dot_general %1112, %arg13, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<128x128xf32>) -> tensor<8x64x128xf32>
    %1119 = stablehlo.add %1111, %1118 : tensor<8x64x128xf32>
    %1120 = stablehlo.reshape %1104 : (tensor<8x64x8x16xf32>) -> tensor<8x64x128xf32>
    %cst_256 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1121 = stablehlo.reduce(%1120 init: %cst_256) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<128xf32>
    %1122 = stablehlo.reshape %1121 : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %cst_257 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1123 = stablehlo.reduce(%1122 init: %cst_257) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
    %1124 = stablehlo.dot_general %1120, %29, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<8x64x128xf32>) -> tensor<128x128xf32>
    %1125 = stablehlo.transpose %1124, dims = [1, 0] : (tensor<128x128xf32>) -> tensor<128x128xf32>
    %1126 = stablehlo.dot_general %1120, %arg15, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<128x128xf32>) -> tensor<8x64x128xf32>
    %1127 = stablehlo.add %1119, %1126 : tensor<8x64x128xf32>
    %cst_258 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1128 = stablehlo.reduce(%1127 init: %cst_258) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<128xf32>
    %1129 = stablehlo.reshape %1128 : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %cst_259 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1130 = stablehlo.reduce(%1129 init: %cst_259) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
    %1131 = stablehlo.multiply %23, %1127 : tensor<8x64x128xf32>
    %cst_260 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1132 = stablehlo.reduce(%1131 init: %cst_260) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<128xf32>
    %1133 = stablehlo.reshape %1132 : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %1134 = stablehlo.broadcast_in_dim %24, dims = [0, 1, 2] : (tensor<1x1x128xf32>) -> tensor<8x64x128xf32>
    %1135 = stablehlo.multiply %1127, %1134 : tensor<8x64x128xf32>
    %cst_261 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1136 = stablehlo.reduce(%1133 init: %cst_261) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
    %1137 = stablehlo.multiply %10, %1135 : tensor<8x64x128xf32>
    %cst_262 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1138 = stablehlo.reduce(%1137 init: %cst_262) applies stablehlo.add across dimensions = [2] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<8x64xf32>
    %1139 = stablehlo.reshape %1138 : (tensor<8x64xf32>) -> tensor<8x64x1xf32>
    %1140 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2] : (tensor<8x64x1xf32>) -> tensor<8x64x128xf32>
    %1141 = stablehlo.multiply %1135, %1140 : tensor<8x64x128xf32>
    %1142 = stablehlo.multiply %1139, %21 : tensor<8x64x1xf32>
    %cst_263 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %1143 = stablehlo.broadcast_in_dim %cst_263, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %1144 = stablehlo.divide %1142, %1143 : tensor<8x64x1xf32>
    %cst_264 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1145 = stablehlo.reduce(%1144 init: %cst_264) applies stablehlo.add across dimensions = [2] : (tensor<8x64x1xf32>, tensor<f32>) -> tensor<8x64xf32>
    %1146 = stablehlo.broadcast_in_dim %1145, dims = [0, 1] : (tensor<8x64xf32>) -> tensor<8x64x128xf32>
    %1147 = stablehlo.multiply %10, %1146 : tensor<8x64x128xf32>
    %1148 = stablehlo.add %1141, %1147 : tensor<8x64x128xf32>
    %1149 = stablehlo.multiply %1146, %10 : tensor<8x64x128xf32>
    %1150 = stablehlo.add %1148, %1149 : tensor<8x64x128xf32>
    %1151 = stablehlo.negate %1150 : tensor<8x64x128xf32>
    %cst_265 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1152 = stablehlo.reduce(%1151 init: %cst_265) applies stablehlo.add across dimensions = [2] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<8x64xf32>
    %1153 = stablehlo.reshape %1152 : (tensor<8x64xf32>) -> tensor<8x64x1xf32>
    %1154 = stablehlo.add %1073, %1150 : tensor<8x64x128xf32>
    %cst_266 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %1155 = stablehlo.broadcast_in_dim %cst_266, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %1156 = stablehlo.divide %1153, %1155 : tensor<8x64x1xf32>
    %cst_267 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1157 = stablehlo.reduce(%1156 init: %cst_267) applies stablehlo.add across dimensions = [2] : (tensor<8x64x1xf32>, tensor<f32>) -> tensor<8x64xf32>
    %1158 = stablehlo.broadcast_in_dim %1157, dims = [0, 1] : (tensor<8x64xf32>) -> tensor<8x64x128xf32>
    %1159 = stablehlo.add %1154, %1158 : tensor<8x64x128xf32>
    %cst_268 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1160 = stablehlo.reduce(%1159 init: %cst_268) applies stablehlo.add across dimensions = [0] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<64x128xf32>
    %1161 = stablehlo.reshape %1160 : (tensor<64x128xf32>) -> tensor<1x64x128xf32>
    %cst_269 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1162 = stablehlo.reduce(%1161 init: %cst_269) applies stablehlo.add across dimensions = [0] : (tensor<1x64x128xf32>, tensor<f32>) -> tensor<64x128xf32>
    %cst_270 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1163 = stablehlo.broadcast_in_dim %cst_270, dims = [] : (tensor<f32>) -> tensor<512x128xf32>
    %1164 = "stablehlo.scatter"(%1163, %0, %1159) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg210: tensor<f32>, %arg211: tensor<f32>):
      %2485 = stablehlo.add %arg210, %arg211 : tensor<f32>
      stablehlo.return %2485 : tensor<f32>
    }) : (tensor<512x128xf32>, tensor<8x64x1xi32>, tensor<8x64x128xf32>) -> tensor<512x128xf32>
    %c = stablehlo.constant dense<1> : tensor<i32>
    %1165 = stablehlo.add %arg69, %c : tensor<i32>
    %1166 = stablehlo.convert %1165 : (tensor<i32>) -> tensor<f32>
    %cst_271 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1167 = stablehlo.power %cst_271, %1166 : tensor<f32>
    %cst_272 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %1168 = stablehlo.subtract %cst_272, %1167 : tensor<f32>
    %1169 = stablehlo.sqrt %1168 : tensor<f32>
    %cst_273 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1170 = stablehlo.multiply %cst_273, %1169 : tensor<f32>
    %cst_274 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1171 = stablehlo.power %cst_274, %1166 : tensor<f32>
    %cst_275 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %1172 = stablehlo.subtract %cst_275, %1171 : tensor<f32>
    %1173 = stablehlo.divide %1170, %1172 : tensor<f32>
    %cst_276 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1174 = stablehlo.broadcast_in_dim %cst_276, dims = [] : (tensor<f32>) -> tensor<128x512xf32>
    %1175 = stablehlo.multiply %1174, %arg70 : tensor<128x512xf32>
    %cst_277 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1176 = stablehlo.broadcast_in_dim %cst_277, dims = [] : (tensor<f32>) -> tensor<128x512xf32>
    %1177 = stablehlo.multiply %1176, %531 : tensor<128x512xf32>
    %1178 = stablehlo.add %1175, %1177 : tensor<128x512xf32>
    %cst_278 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1179 = stablehlo.broadcast_in_dim %cst_278, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1180 = stablehlo.multiply %1179, %arg71 : tensor<128xf32>
    %cst_279 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1181 = stablehlo.broadcast_in_dim %cst_279, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1182 = stablehlo.multiply %1181, %1013 : tensor<128xf32>
    %1183 = stablehlo.add %1180, %1182 : tensor<128xf32>
    %cst_280 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1184 = stablehlo.broadcast_in_dim %cst_280, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %1185 = stablehlo.multiply %1184, %arg72 : tensor<512xf32>
    %cst_281 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1186 = stablehlo.broadcast_in_dim %cst_281, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %1187 = stablehlo.multiply %1186, %1038 : tensor<512xf32>
    %1188 = stablehlo.add %1185, %1187 : tensor<512xf32>
    %cst_282 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1189 = stablehlo.broadcast_in_dim %cst_282, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1190 = stablehlo.multiply %1189, %arg73 : tensor<128xf32>
    %cst_283 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1191 = stablehlo.broadcast_in_dim %cst_283, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1192 = stablehlo.multiply %1191, %1115 : tensor<128xf32>
    %1193 = stablehlo.add %1190, %1192 : tensor<128xf32>
    %cst_284 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1194 = stablehlo.broadcast_in_dim %cst_284, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1195 = stablehlo.multiply %1194, %arg74 : tensor<128xf32>
    %cst_285 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1196 = stablehlo.broadcast_in_dim %cst_285, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1197 = stablehlo.multiply %1196, %1076 : tensor<128xf32>
    %1198 = stablehlo.add %1195, %1197 : tensor<128xf32>
    %cst_286 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1199 = stablehlo.broadcast_in_dim %cst_286, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1200 = stablehlo.multiply %1199, %arg75 : tensor<128xf32>
    %cst_287 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1201 = stablehlo.broadcast_in_dim %cst_287, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1202 = stablehlo.multiply %1201, %1123 : tensor<128xf32>
    %1203 = stablehlo.add %1200, %1202 : tensor<128xf32>
    %cst_288 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1204 = stablehlo.broadcast_in_dim %cst_288, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1205 = stablehlo.multiply %1204, %arg76 : tensor<128xf32>
    %cst_289 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1206 = stablehlo.broadcast_in_dim %cst_289, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1207 = stablehlo.multiply %1206, %1108 : tensor<128xf32>
    %1208 = stablehlo.add %1205, %1207 : tensor<128xf32>
    %cst_290 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1209 = stablehlo.broadcast_in_dim %cst_290, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1210 = stablehlo.multiply %1209, %arg77 : tensor<128xf32>
    %cst_291 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1211 = stablehlo.broadcast_in_dim %cst_291, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1212 = stablehlo.multiply %1211, %1130 : tensor<128xf32>
    %1213 = stablehlo.add %1210, %1212 : tensor<128xf32>
    %cst_292 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1214 = stablehlo.broadcast_in_dim %cst_292, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1215 = stablehlo.multiply %1214, %arg78 : tensor<128xf32>
    %cst_293 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1216 = stablehlo.broadcast_in_dim %cst_293, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1217 = stablehlo.multiply %1216, %1136 : tensor<128xf32>
    %1218 = stablehlo.add %1215, %1217 : tensor<128xf32>
    %cst_294 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1219 = stablehlo.broadcast_in_dim %cst_294, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1220 = stablehlo.multiply %1219, %arg79 : tensor<128xf32>
    %cst_295 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1221 = stablehlo.broadcast_in_dim %cst_295, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1222 = stablehlo.multiply %1221, %1044 : tensor<128xf32>
    %1223 = stablehlo.add %1220, %1222 : tensor<128xf32>
    %cst_296 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1224 = stablehlo.broadcast_in_dim %cst_296, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1225 = stablehlo.multiply %1224, %arg80 : tensor<128xf32>
    %cst_297 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1226 = stablehlo.broadcast_in_dim %cst_297, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1227 = stablehlo.multiply %1226, %1050 : tensor<128xf32>
    %1228 = stablehlo.add %1225, %1227 : tensor<128xf32>
    %cst_298 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1229 = stablehlo.broadcast_in_dim %cst_298, dims = [] : (tensor<f32>) -> tensor<512x128xf32>
    %1230 = stablehlo.multiply %1229, %arg81 : tensor<512x128xf32>
    %cst_299 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1231 = stablehlo.broadcast_in_dim %cst_299, dims = [] : (tensor<f32>) -> tensor<512x128xf32>
    %1232 = stablehlo.multiply %1231, %1015 : tensor<512x128xf32>
    %1233 = stablehlo.add %1230, %1232 : tensor<512x128xf32>
    %cst_300 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1234 = stablehlo.broadcast_in_dim %cst_300, dims = [] : (tensor<f32>) -> tensor<128x512xf32>
    %1235 = stablehlo.multiply %1234, %arg82 : tensor<128x512xf32>
    %cst_301 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1236 = stablehlo.broadcast_in_dim %cst_301, dims = [] : (tensor<f32>) -> tensor<128x512xf32>
    %1237 = stablehlo.multiply %1236, %1040 : tensor<128x512xf32>
    %1238 = stablehlo.add %1235, %1237 : tensor<128x512xf32>
    %cst_302 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1239 = stablehlo.broadcast_in_dim %cst_302, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
    %1240 = stablehlo.multiply %1239, %arg83 : tensor<128x128xf32>
    %cst_303 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1241 = stablehlo.broadcast_in_dim %cst_303, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
    %1242 = stablehlo.multiply %1241, %1117 : tensor<128x128xf32>
    %1243 = stablehlo.add %1240, %1242 : tensor<128x128xf32>
    %cst_304 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1244 = stablehlo.broadcast_in_dim %cst_304, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
    %1245 = stablehlo.multiply %1244, %arg84 : tensor<128x128xf32>
    %cst_305 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1246 = stablehlo.broadcast_in_dim %cst_305, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
    %1247 = stablehlo.multiply %1246, %1078 : tensor<128x128xf32>
    %1248 = stablehlo.add %1245, %1247 : tensor<128x128xf32>
    %cst_306 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1249 = stablehlo.broadcast_in_dim %cst_306, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
    %1250 = stablehlo.multiply %1249, %arg85 : tensor<128x128xf32>
    %cst_307 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1251 = stablehlo.broadcast_in_dim %cst_307, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
    %1252 = stablehlo.multiply %1251, %1125 : tensor<128x128xf32>
    %1253 = stablehlo.add %1250, %1252 : tensor<128x128xf32>
    %cst_308 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1254 = stablehlo.broadcast_in_dim %cst_308, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
    %1255 = stablehlo.multiply %1254, %arg86 : tensor<128x128xf32>
    %cst_309 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1256 = stablehlo.broadcast_in_dim %cst_309, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
    %1257 = stablehlo.multiply %1256, %1110 : tensor<128x128xf32>
    %1258 = stablehlo.add %1255, %1257 : tensor<128x128xf32>
    %cst_310 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1259 = stablehlo.broadcast_in_dim %cst_310, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1260 = stablehlo.multiply %1259, %arg87 : tensor<128xf32>
    %cst_311 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1261 = stablehlo.broadcast_in_dim %cst_311, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1262 = stablehlo.multiply %1261, %864 : tensor<128xf32>
    %1263 = stablehlo.add %1260, %1262 : tensor<128xf32>
    %cst_312 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1264 = stablehlo.broadcast_in_dim %cst_312, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %1265 = stablehlo.multiply %1264, %arg88 : tensor<512xf32>
    %cst_313 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1266 = stablehlo.broadcast_in_dim %cst_313, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %1267 = stablehlo.multiply %1266, %889 : tensor<512xf32>
    %1268 = stablehlo.add %1265, %1267 : tensor<512xf32>
    %cst_314 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1269 = stablehlo.broadcast_in_dim %cst_314, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1270 = stablehlo.multiply %1269, %arg89 : tensor<128xf32>
    %cst_315 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1271 = stablehlo.broadcast_in_dim %cst_315, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1272 = stablehlo.multiply %1271, %966 : tensor<128xf32>
    %1273 = stablehlo.add %1270, %1272 : tensor<128xf32>
    %cst_316 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1274 = stablehlo.broadcast_in_dim %cst_316, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1275 = stablehlo.multiply %1274, %arg90 : tensor<128xf32>
    %cst_317 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1276 = stablehlo.broadcast_in_dim %cst_317, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1277 = stablehlo.multiply %1276, %927 : tensor<128xf32>
    %1278 = stablehlo.add %1275, %1277 : tensor<128xf32>
    %cst_318 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1279 = stablehlo.broadcast_in_dim %cst_318, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1280 = stablehlo.multiply %1279, %arg91 : tensor<128xf32>
    %cst_319 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1281 = stablehlo.broadcast_in_dim %cst_319, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1282 = stablehlo.multiply %1281, %974 : tensor<128xf32>
    %1283 = stablehlo.add %1280, %1282 : tensor<128xf32>
    %cst_320 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1284 = stablehlo.broadcast_in_dim %cst_320, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1285 = stablehlo.multiply %1284, %arg92 : tensor<128xf32>
    %cst_321 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1286 = stablehlo.broadcast_in_dim %cst_321, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1287 = stablehlo.multiply %1286, %959 : tensor<128xf32>
    %1288 = stablehlo.add %1285, %1287 : tensor<128xf32>
    %cst_322 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1289 = stablehlo.broadcast_in_dim %cst_322, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1290 = stablehlo.multiply %1289, %arg93 : tensor<128xf32>
    %cst_323 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1291 = stablehlo.broadcast_in_dim %cst_323, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1292 = stablehlo.multiply %1291, %981 : tensor<128xf32>
    %1293 = stablehlo.add %1290, %1292 : tensor<128xf32>
    %cst_324 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1294 = stablehlo.broadcast_in_dim %cst_324, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1295 = stablehlo.multiply %1294, %arg94 : tensor<128xf32>
    %cst_325 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1296 = stablehlo.broadcast_in_dim %cst_325, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1297 = stablehlo.multiply %1296, %987 : tensor<128xf32>
    %1298 = stablehlo.add %1295, %1297 : tensor<128xf32>
    %cst_326 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1299 = stablehlo.broadcast_in_dim %cst_326, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1300 = stablehlo.multiply %1299, %arg95 : tensor<128xf32>
    %cst_327 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1301 = stablehlo.broadcast_in_dim %cst_327, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1302 = stablehlo.multiply %1301, %895 : tensor<128xf32>
    %1303 = stablehlo.add %1300, %1302 : tensor<128xf32>
    %cst_328 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1304 = stablehlo.broadcast_in_dim %cst_328, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1305 = stablehlo.multiply %1304, %arg96 : tensor<128xf32>
    %cst_329 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1306 = stablehlo.broadcast_in_dim %cst_329, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1307 = stablehlo.multiply %1306, %901 : tensor<128xf32>
    %1308 = stablehlo.add %1305, %1307 : tensor<128xf32>
    %cst_330 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1309 = stablehlo.broadcast_in_dim %cst_330, dims = [] : (tensor<f32>) -> tensor<512x128xf32>
    %1310 = stablehlo.multiply %1309, %arg97 : tensor<512x128xf32>
    %cst_331 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1311 = stablehlo.broadcast_in_dim %cst_331, dims = [] : (tensor<f32>) -> tensor<512x128xf32>
    %1312 = stablehlo.multiply %1311, %866 : tensor<512x128xf32>
    %1313 = stablehlo.add %1310, %1312 : tensor<512x128xf32>
    %cst_332 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1314 = stablehlo.broadcast_in_dim %cst_332, dims = [] : (tensor<f32>) -> tensor<128x512xf32>
    %1315 = stablehlo.multiply %1314, %arg98 : tensor<128x512xf32>
    %cst_333 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1316 = stablehlo.broadcast_in_dim %cst_333, dims = [] : (tensor<f32>) -> tensor<128x512xf32>
    %1317 = stablehlo.multiply %1316, %891 : tensor<128x512xf32>
    %1318 = stablehlo.add %1315, %1317 : tensor<128x512xf32>
    %cst_334 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1319 = stablehlo.broadcast_in_dim %cst_334, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
    %1320 = stablehlo.multiply %1319, %arg99 : tensor<128x128xf32>
    %cst_335 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1321 = stablehlo.broadcast_in_dim %cst_335, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
    %1322 = stablehlo.multiply %1321, %968 : tensor<128x128xf32>
    %1323 = stablehlo.add %1320, %1322 : tensor<128x128xf32>
    %cst_336 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1324 = stablehlo.broadcast_in_dim %cst_336, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
    %1325 = stablehlo.multiply %1324, %arg100 : tensor<128x128xf32>
    %cst_337 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1326 = stablehlo.broadcast_in_dim %cst_337, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
    %1327 = stablehlo.multiply %1326, %929 : tensor<128x128xf32>
    %1328 = stablehlo.add %1325, %1327 : tensor<128x128xf32>
    %cst_338 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1329 = stablehlo.broadcast_in_dim %cst_338, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
    %1330 = stablehlo.multiply %1329, %arg101 : tensor<128x128xf32>
    %cst_339 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1331 = stablehlo.broadcast_in_dim %cst_339, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
    %1332 = stablehlo.multiply %1331, %976 : tensor<128x128xf32>
    %1333 = stablehlo.add %1330, %1332 : tensor<128x128xf32>
    %cst_340 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1334 = stablehlo.broadcast_in_dim %cst_340, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
    %1335 = stablehlo.multiply %1334, %arg102 : tensor<128x128xf32>
    %cst_341 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1336 = stablehlo.broadcast_in_dim %cst_341, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
    %1337 = stablehlo.multiply %1336, %961 : tensor<128x128xf32>
    %1338 = stablehlo.add %1335, %1337 : tensor<128x128xf32>
    %cst_342 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1339 = stablehlo.broadcast_in_dim %cst_342, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1340 = stablehlo.multiply %1339, %arg103 : tensor<128xf32>
    %cst_343 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1341 = stablehlo.broadcast_in_dim %cst_343, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1342 = stablehlo.multiply %1341, %715 : tensor<128xf32>
    %1343 = stablehlo.add %1340, %1342 : tensor<128xf32>
    %cst_344 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1344 = stablehlo.broadcast_in_dim %cst_344, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %1345 = stablehlo.multiply %1344, %arg104 : tensor<512xf32>
    %cst_345 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1346 = stablehlo.broadcast_in_dim %cst_345, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %1347 = stablehlo.multiply %1346, %740 : tensor<512xf32>
    %1348 = stablehlo.add %1345, %1347 : tensor<512xf32>
    %cst_346 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1349 = stablehlo.broadcast_in_dim %cst_346, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1350 = stablehlo.multiply %1349, %arg105 : tensor<128xf32>
    %cst_347 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1351 = stablehlo.broadcast_in_dim %cst_347, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1352 = stablehlo.multiply %1351, %817 : tensor<128xf32>
    %1353 = stablehlo.add %1350, %1352 : tensor<128xf32>
    %cst_348 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1354 = stablehlo.broadcast_in_dim %cst_348, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1355 = stablehlo.multiply %1354, %arg106 : tensor<128xf32>
    %cst_349 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1356 = stablehlo.broadcast_in_dim %cst_349, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1357 = stablehlo.multiply %1356, %778 : tensor<128xf32>
    %1358 = stablehlo.add %1355, %1357 : tensor<128xf32>
    %cst_350 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1359 = stablehlo.broadcast_in_dim %cst_350, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1360 = stablehlo.multiply %1359, %arg107 : tensor<128xf32>
    %cst_351 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1361 = stablehlo.broadcast_in_dim %cst_351, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1362 = stablehlo.multiply %1361, %825 : tensor<128xf32>
    %1363 = stablehlo.add %1360, %1362 : tensor<128xf32>
    %cst_352 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1364 = stablehlo.broadcast_in_dim %cst_352, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1365 = stablehlo.multiply %1364, %arg108 : tensor<128xf32>
    %cst_353 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1366 = stablehlo.broadcast_in_dim %cst_353, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1367 = stablehlo.multiply %1366, %810 : tensor<128xf32>
    %1368 = stablehlo.add %1365, %1367 : tensor<128xf32>
    %cst_354 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1369 = stablehlo.broadcast_in_dim %cst_354, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1370 = stablehlo.multiply %1369, %arg109 : tensor<128xf32>
    %cst_355 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1371 = stablehlo.broadcast_in_dim %cst_355, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1372 = stablehlo.multiply %1371, %832 : tensor<128xf32>
    %1373 = stablehlo.add %1370, %1372 : tensor<128xf32>
    %cst_356 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1374 = stablehlo.broadcast_in_dim %cst_356, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1375 = stablehlo.multiply %1374, %arg110 : tensor<128xf32>
    %cst_357 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1376 = stablehlo.broadcast_in_dim %cst_357, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1377 = stablehlo.multiply %1376, %838 : tensor<128xf32>
    %1378 = stablehlo.add %1375, %1377 : tensor<128xf32>
    %cst_358 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1379 = stablehlo.broadcast_in_dim %cst_358, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1380 = stablehlo.multiply %1379, %arg111 : tensor<128xf32>
    %cst_359 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1381 = stablehlo.broadcast_in_dim %cst_359, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1382 = stablehlo.multiply %1381, %746 : tensor<128xf32>
    %1383 = stablehlo.add %1380, %1382 : tensor<128xf32>
    %cst_360 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1384 = stablehlo.broadcast_in_dim %cst_360, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1385 = stablehlo.multiply %1384, %arg112 : tensor<128xf32>
    %cst_361 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1386 = stablehlo.broadcast_in_dim %cst_361, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1387 = stablehlo.multiply %1386, %752 : tensor<128xf32>
    %1388 = stablehlo.add %1385, %1387 : tensor<128xf32>
    %cst_362 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1389 = stablehlo.broadcast_in_dim %cst_362, dims = [] : (tensor<f32>) -> tensor<512x128xf32>
    %1390 = stablehlo.multiply %1389, %arg113 : tensor<512x128xf32>
    %cst_363 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1391 = stablehlo.broadcast_in_dim %cst_363, dims = [] : (tensor<f32>) -> tensor<512x128xf32>
    %1392 = stablehlo.multiply %1391, %717 : tensor<512x128xf32>
    %1393 = stablehlo.add %1390, %1392 : tensor<512x128xf32>
    %cst_364 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1394 = stablehlo.broadcast_in_dim %cst_364, dims = [] : (tensor<f32>) -> tensor<128x512xf32>
    %1395 = stablehlo.multiply %1394, %arg114 : tensor<128x512xf32>
    %cst_365 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1396 = stablehlo.broadcast_in_dim %cst_365, dims = [] : (tensor<f32>) -> tensor<128x512xf32>
    %1397 = stablehlo.multiply %1396, %742 : tensor<128x512xf32>
    %1398 = stablehlo.add %1395, %1397 : tensor<128x512xf32>
    %cst_366 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1399 = stablehlo.broadcast_in_dim %cst_366, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
    %1400 = stablehlo.multiply %1399, %arg115 : tensor<128x128xf32>
    %cst_367 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1401 = stablehlo.broadcast_in_dim %cst_367, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
    %1402 = stablehlo.multiply %1401, %819 : tensor<128x128xf32>
    %1403 = stablehlo.add %1400, %1402 : tensor<128x128xf32>
    %cst_368 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1404 = stablehlo.broadcast_in_dim %cst_368, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
    %1405 = stablehlo.multiply %1404, %arg116 : tensor<128x128xf32>
    %cst_369 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1406 = stablehlo.broadcast_in_dim %cst_369, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
    %1407 = stablehlo.multiply %1406, %780 : tensor<128x128xf32>
    %1408 = stablehlo.add %1405, %1407 : tensor<128x128xf32>
    %cst_370 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1409 = stablehlo.broadcast_in_dim %cst_370, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
    %1410 = stablehlo.multiply %1409, %arg117 : tensor<128x128xf32>
    %cst_371 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1411 = stablehlo.broadcast_in_dim %cst_371, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
    %1412 = stablehlo.multiply %1411, %827 : tensor<128x128xf32>
    %1413 = stablehlo.add %1410, %1412 : tensor<128x128xf32>
    %cst_372 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1414 = stablehlo.broadcast_in_dim %cst_372, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
    %1415 = stablehlo.multiply %1414, %arg118 : tensor<128x128xf32>
    %cst_373 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1416 = stablehlo.broadcast_in_dim %cst_373, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
    %1417 = stablehlo.multiply %1416, %812 : tensor<128x128xf32>
    %1418 = stablehlo.add %1415, %1417 : tensor<128x128xf32>
    %cst_374 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1419 = stablehlo.broadcast_in_dim %cst_374, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1420 = stablehlo.multiply %1419, %arg119 : tensor<128xf32>
    %cst_375 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1421 = stablehlo.broadcast_in_dim %cst_375, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1422 = stablehlo.multiply %1421, %566 : tensor<128xf32>
    %1423 = stablehlo.add %1420, %1422 : tensor<128xf32>
    %cst_376 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1424 = stablehlo.broadcast_in_dim %cst_376, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %1425 = stablehlo.multiply %1424, %arg120 : tensor<512xf32>
    %cst_377 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1426 = stablehlo.broadcast_in_dim %cst_377, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %1427 = stablehlo.multiply %1426, %591 : tensor<512xf32>
    %1428 = stablehlo.add %1425, %1427 : tensor<512xf32>
    %cst_378 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1429 = stablehlo.broadcast_in_dim %cst_378, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1430 = stablehlo.multiply %1429, %arg121 : tensor<128xf32>
    %cst_379 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1431 = stablehlo.broadcast_in_dim %cst_379, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1432 = stablehlo.multiply %1431, %668 : tensor<128xf32>
    %1433 = stablehlo.add %1430, %1432 : tensor<128xf32>
    %cst_380 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1434 = stablehlo.broadcast_in_dim %cst_380, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1435 = stablehlo.multiply %1434, %arg122 : tensor<128xf32>
    %cst_381 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1436 = stablehlo.broadcast_in_dim %cst_381, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1437 = stablehlo.multiply %1436, %629 : tensor<128xf32>
    %1438 = stablehlo.add %1435, %1437 : tensor<128xf32>
    %cst_382 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1439 = stablehlo.broadcast_in_dim %cst_382, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1440 = stablehlo.multiply %1439, %arg123 : tensor<128xf32>
    %cst_383 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1441 = stablehlo.broadcast_in_dim %cst_383, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1442 = stablehlo.multiply %1441, %676 : tensor<128xf32>
    %1443 = stablehlo.add %1440, %1442 : tensor<128xf32>
    %cst_384 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1444 = stablehlo.broadcast_in_dim %cst_384, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1445 = stablehlo.multiply %1444, %arg124 : tensor<128xf32>
    %cst_385 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1446 = stablehlo.broadcast_in_dim %cst_385, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1447 = stablehlo.multiply %1446, %661 : tensor<128xf32>
    %1448 = stablehlo.add %1445, %1447 : tensor<128xf32>
    %cst_386 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1449 = stablehlo.broadcast_in_dim %cst_386, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1450 = stablehlo.multiply %1449, %arg125 : tensor<128xf32>
    %cst_387 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1451 = stablehlo.broadcast_in_dim %cst_387, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1452 = stablehlo.multiply %1451, %683 : tensor<128xf32>
    %1453 = stablehlo.add %1450, %1452 : tensor<128xf32>
    %cst_388 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1454 = stablehlo.broadcast_in_dim %cst_388, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1455 = stablehlo.multiply %1454, %arg126 : tensor<128xf32>
    %cst_389 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1456 = stablehlo.broadcast_in_dim %cst_389, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1457 = stablehlo.multiply %1456, %689 : tensor<128xf32>
    %1458 = stablehlo.add %1455, %1457 : tensor<128xf32>
    %cst_390 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1459 = stablehlo.broadcast_in_dim %cst_390, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1460 = stablehlo.multiply %1459, %arg127 : tensor<128xf32>
    %cst_391 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1461 = stablehlo.broadcast_in_dim %cst_391, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1462 = stablehlo.multiply %1461, %597 : tensor<128xf32>
    %1463 = stablehlo.add %1460, %1462 : tensor<128xf32>
    %cst_392 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1464 = stablehlo.broadcast_in_dim %cst_392, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1465 = stablehlo.multiply %1464, %arg128 : tensor<128xf32>
    %cst_393 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1466 = stablehlo.broadcast_in_dim %cst_393, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1467 = stablehlo.multiply %1466, %603 : tensor<128xf32>
    %1468 = stablehlo.add %1465, %1467 : tensor<128xf32>
    %cst_394 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1469 = stablehlo.broadcast_in_dim %cst_394, dims = [] : (tensor<f32>) -> tensor<512x128xf32>
    %1470 = stablehlo.multiply %1469, %arg129 : tensor<512x128xf32>
    %cst_395 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1471 = stablehlo.broadcast_in_dim %cst_395, dims = [] : (tensor<f32>) -> tensor<512x128xf32>
    %1472 = stablehlo.multiply %1471, %568 : tensor<512x128xf32>
    %1473 = stablehlo.add %1470, %1472 : tensor<512x128xf32>
    %cst_396 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1474 = stablehlo.broadcast_in_dim %cst_396, dims = [] : (tensor<f32>) -> tensor<128x512xf32>
    %1475 = stablehlo.multiply %1474, %arg130 : tensor<128x512xf32>
    %cst_397 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1476 = stablehlo.broadcast_in_dim %cst_397, dims = [] : (tensor<f32>) -> tensor<128x512xf32>
    %1477 = stablehlo.multiply %1476, %593 : tensor<128x512xf32>
    %1478 = stablehlo.add %1475, %1477 : tensor<128x512xf32>
    %cst_398 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1479 = stablehlo.broadcast_in_dim %cst_398, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
    %1480 = stablehlo.multiply %1479, %arg131 : tensor<128x128xf32>
    %cst_399 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1481 = stablehlo.broadcast_in_dim %cst_399, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
    %1482 = stablehlo.multiply %1481, %670 : tensor<128x128xf32>
    %1483 = stablehlo.add %1480, %1482 : tensor<128x128xf32>
    %cst_400 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1484 = stablehlo.broadcast_in_dim %cst_400, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
    %1485 = stablehlo.multiply %1484, %arg132 : tensor<128x128xf32>
    %cst_401 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1486 = stablehlo.broadcast_in_dim %cst_401, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
    %1487 = stablehlo.multiply %1486, %631 : tensor<128x128xf32>
    %1488 = stablehlo.add %1485, %1487 : tensor<128x128xf32>
    %cst_402 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1489 = stablehlo.broadcast_in_dim %cst_402, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
    %1490 = stablehlo.multiply %1489, %arg133 : tensor<128x128xf32>
    %cst_403 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1491 = stablehlo.broadcast_in_dim %cst_403, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
    %1492 = stablehlo.multiply %1491, %678 : tensor<128x128xf32>
    %1493 = stablehlo.add %1490, %1492 : tensor<128x128xf32>
    %cst_404 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1494 = stablehlo.broadcast_in_dim %cst_404, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
    %1495 = stablehlo.multiply %1494, %arg134 : tensor<128x128xf32>
    %cst_405 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1496 = stablehlo.broadcast_in_dim %cst_405, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
    %1497 = stablehlo.multiply %1496, %663 : tensor<128x128xf32>
    %1498 = stablehlo.add %1495, %1497 : tensor<128x128xf32>
    %cst_406 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1499 = stablehlo.broadcast_in_dim %cst_406, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1500 = stablehlo.multiply %1499, %arg135 : tensor<128xf32>
    %cst_407 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1501 = stablehlo.broadcast_in_dim %cst_407, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1502 = stablehlo.multiply %1501, %535 : tensor<128xf32>
    %1503 = stablehlo.add %1500, %1502 : tensor<128xf32>
    %cst_408 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1504 = stablehlo.broadcast_in_dim %cst_408, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1505 = stablehlo.multiply %1504, %arg136 : tensor<128xf32>
    %cst_409 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1506 = stablehlo.broadcast_in_dim %cst_409, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1507 = stablehlo.multiply %1506, %541 : tensor<128xf32>
    %1508 = stablehlo.add %1505, %1507 : tensor<128xf32>
    %cst_410 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1509 = stablehlo.broadcast_in_dim %cst_410, dims = [] : (tensor<f32>) -> tensor<64x128xf32>
    %1510 = stablehlo.multiply %1509, %arg137 : tensor<64x128xf32>
    %cst_411 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1511 = stablehlo.broadcast_in_dim %cst_411, dims = [] : (tensor<f32>) -> tensor<64x128xf32>
    %1512 = stablehlo.multiply %1511, %1162 : tensor<64x128xf32>
    %1513 = stablehlo.add %1510, %1512 : tensor<64x128xf32>
    %cst_412 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1514 = stablehlo.broadcast_in_dim %cst_412, dims = [] : (tensor<f32>) -> tensor<512x128xf32>
    %1515 = stablehlo.multiply %1514, %arg138 : tensor<512x128xf32>
    %cst_413 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1516 = stablehlo.broadcast_in_dim %cst_413, dims = [] : (tensor<f32>) -> tensor<512x128xf32>
    %1517 = stablehlo.multiply %1516, %1164 : tensor<512x128xf32>
    %1518 = stablehlo.add %1515, %1517 : tensor<512x128xf32>
    %cst_414 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1519 = stablehlo.broadcast_in_dim %cst_414, dims = [] : (tensor<f32>) -> tensor<128x512xf32>
    %1520 = stablehlo.multiply %1519, %arg139 : tensor<128x512xf32>
    %cst_415 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1521 = stablehlo.broadcast_in_dim %cst_415, dims = [] : (tensor<f32>) -> tensor<128x512xf32>
    %1522 = stablehlo.multiply %1521, %531 : tensor<128x512xf32>
    %1523 = stablehlo.multiply %1522, %531 : tensor<128x512xf32>
    %1524 = stablehlo.add %1520, %1523 : tensor<128x512xf32>
    %cst_416 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1525 = stablehlo.broadcast_in_dim %cst_416, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1526 = stablehlo.multiply %1525, %arg140 : tensor<128xf32>
    %cst_417 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1527 = stablehlo.broadcast_in_dim %cst_417, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1528 = stablehlo.multiply %1527, %1013 : tensor<128xf32>
    %1529 = stablehlo.multiply %1528, %1013 : tensor<128xf32>
    %1530 = stablehlo.add %1526, %1529 : tensor<128xf32>
    %cst_418 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1531 = stablehlo.broadcast_in_dim %cst_418, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %1532 = stablehlo.multiply %1531, %arg141 : tensor<512xf32>
    %cst_419 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1533 = stablehlo.broadcast_in_dim %cst_419, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %1534 = stablehlo.multiply %1533, %1038 : tensor<512xf32>
    %1535 = stablehlo.multiply %1534, %1038 : tensor<512xf32>
    %1536 = stablehlo.add %1532, %1535 : tensor<512xf32>
    %cst_420 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1537 = stablehlo.broadcast_in_dim %cst_420, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1538 = stablehlo.multiply %1537, %arg142 : tensor<128xf32>
    %cst_421 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1539 = stablehlo.broadcast_in_dim %cst_421, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1540 = stablehlo.multiply %1539, %1115 : tensor<128xf32>
    %1541 = stablehlo.multiply %1540, %1115 : tensor<128xf32>
    %1542 = stablehlo.add %1538, %1541 : tensor<128xf32>
    %cst_422 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1543 = stablehlo.broadcast_in_dim %cst_422, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1544 = stablehlo.multiply %1543, %arg143 : tensor<128xf32>
    %cst_423 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1545 = stablehlo.broadcast_in_dim %cst_423, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1546 = stablehlo.multiply %1545, %1076 : tensor<128xf32>
    %1547 = stablehlo.multiply %1546, %1076 : tensor<128xf32>
    %1548 = stablehlo.add %1544, %1547 : tensor<128xf32>
    %cst_424 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1549 = stablehlo.broadcast_in_dim %cst_424, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1550 = stablehlo.multiply %1549, %arg144 : tensor<128xf32>
    %cst_425 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1551 = stablehlo.broadcast_in_dim %cst_425, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1552 = stablehlo.multiply %1551, %1123 : tensor<128xf32>
    %1553 = stablehlo.multiply %1552, %1123 : tensor<128xf32>
    %1554 = stablehlo.add %1550, %1553 : tensor<128xf32>
    %cst_426 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1555 = stablehlo.broadcast_in_dim %cst_426, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1556 = stablehlo.multiply %1555, %arg145 : tensor<128xf32>
    %cst_427 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1557 = stablehlo.broadcast_in_dim %cst_427, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1558 = stablehlo.multiply %1557, %1108 : tensor<128xf32>
    %1559 = stablehlo.multiply %1558, %1108 : tensor<128xf32>
    %1560 = stablehlo.add %1556, %1559 : tensor<128xf32>
    %cst_428 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1561 = stablehlo.broadcast_in_dim %cst_428, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1562 = stablehlo.multiply %1561, %arg146 : tensor<128xf32>
    %cst_429 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1563 = stablehlo.broadcast_in_dim %cst_429, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1564 = stablehlo.multiply %1563, %1130 : tensor<128xf32>
    %1565 = stablehlo.multiply %1564, %1130 : tensor<128xf32>
    %1566 = stablehlo.add %1562, %1565 : tensor<128xf32>
    %cst_430 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1567 = stablehlo.broadcast_in_dim %cst_430, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1568 = stablehlo.multiply %1567, %arg147 : tensor<128xf32>
    %cst_431 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1569 = stablehlo.broadcast_in_dim %cst_431, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1570 = stablehlo.multiply %1569, %1136 : tensor<128xf32>
    %1571 = stablehlo.multiply %1570, %1136 : tensor<128xf32>
    %1572 = stablehlo.add %1568, %1571 : tensor<128xf32>
    %cst_432 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1573 = stablehlo.broadcast_in_dim %cst_432, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1574 = stablehlo.multiply %1573, %arg148 : tensor<128xf32>
    %cst_433 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1575 = stablehlo.broadcast_in_dim %cst_433, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1576 = stablehlo.multiply %1575, %1044 : tensor<128xf32>
    %1577 = stablehlo.multiply %1576, %1044 : tensor<128xf32>
    %1578 = stablehlo.add %1574, %1577 : tensor<128xf32>
    %cst_434 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1579 = stablehlo.broadcast_in_dim %cst_434, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1580 = stablehlo.multiply %1579, %arg149 : tensor<128xf32>
    %cst_435 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1581 = stablehlo.broadcast_in_dim %cst_435, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1582 = stablehlo.multiply %1581, %1050 : tensor<128xf32>
    %1583 = stablehlo.multiply %1582, %1050 : tensor<128xf32>
    %1584 = stablehlo.add %1580, %1583 : tensor<128xf32>
    %cst_436 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1585 = stablehlo.broadcast_in_dim %cst_436, dims = [] : (tensor<f32>) -> tensor<512x128xf32>
    %1586 = stablehlo.multiply %1585, %arg150 : tensor<512x128xf32>
    %cst_437 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1587 = stablehlo.broadcast_in_dim %cst_437, dims = [] : (tensor<f32>) -> tensor<512x128xf32>
    %1588 = stablehlo.multiply %1587, %1015 : tensor<512x128xf32>
    %1589 = stablehlo.multiply %1588, %1015 : tensor<512x128xf32>
    %1590 = stablehlo.add %1586, %1589 : tensor<512x128xf32>
    %cst_438 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1591 = stablehlo.broadcast_in_dim %cst_438, dims = [] : (tensor<f32>) -> tensor<128x512xf32>
    %1592 = stablehlo.multiply %1591, %arg151 : tensor<128x512xf32>
    %cst_439 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1593 = stablehlo.broadcast_in_dim %cst_439, dims = [] : (tensor<f32>) -> tensor<128x512xf32>
    %1594 = stablehlo.multiply %1593, %1040 : tensor<128x512xf32>
    %1595 = stablehlo.multiply %1594, %1040 : tensor<128x512xf32>
    %1596 = stablehlo.add %1592, %1595 : tensor<128x512xf32>
    %cst_440 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1597 = stablehlo.broadcast_in_dim %cst_440, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
    %1598 = stablehlo.multiply %1597, %arg152 : tensor<128x128xf32>
    %cst_441 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1599 = stablehlo.broadcast_in_dim %cst_441, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
    %1600 = stablehlo.multiply %1599, %1117 : tensor<128x128xf32>
    %1601 = stablehlo.multiply %1600, %1117 : tensor<128x128xf32>
    %1602 = stablehlo.add %1598, %1601 : tensor<128x128xf32>
    %cst_442 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1603 = stablehlo.broadcast_in_dim %cst_442, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
    %1604 = stablehlo.multiply %1603, %arg153 : tensor<128x128xf32>
    %cst_443 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1605 = stablehlo.broadcast_in_dim %cst_443, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
    %1606 = stablehlo.multiply %1605, %1078 : tensor<128x128xf32>
    %1607 = stablehlo.multiply %1606, %1078 : tensor<128x128xf32>
    %1608 = stablehlo.add %1604, %1607 : tensor<128x128xf32>
    %cst_444 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1609 = stablehlo.broadcast_in_dim %cst_444, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
    %1610 = stablehlo.multiply %1609, %arg154 : tensor<128x128xf32>
    %cst_445 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1611 = stablehlo.broadcast_in_dim %cst_445, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
    %1612 = stablehlo.multiply %1611, %1125 : tensor<128x128xf32>
    %1613 = stablehlo.multiply %1612, %1125 : tensor<128x128xf32>
    %1614 = stablehlo.add %1610, %1613 : tensor<128x128xf32>
    %cst_446 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1615 = stablehlo.broadcast_in_dim %cst_446, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
    %1616 = stablehlo.multiply %1615, %arg155 : tensor<128x128xf32>
    %cst_447 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1617 = stablehlo.broadcast_in_dim %cst_447, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
    %1618 = stablehlo.multiply %1617, %1110 : tensor<128x128xf32>
    %1619 = stablehlo.multiply %1618, %1110 : tensor<128x128xf32>
    %1620 = stablehlo.add %1616, %1619 : tensor<128x128xf32>
    %cst_448 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1621 = stablehlo.broadcast_in_dim %cst_448, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1622 = stablehlo.multiply %1621, %arg156 : tensor<128xf32>
    %cst_449 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1623 = stablehlo.broadcast_in_dim %cst_449, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1624 = stablehlo.multiply %1623, %864 : tensor<128xf32>
    %1625 = stablehlo.multiply %1624, %864 : tensor<128xf32>
    %1626 = stablehlo.add %1622, %1625 : tensor<128xf32>
    %cst_450 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1627 = stablehlo.broadcast_in_dim %cst_450, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %1628 = stablehlo.multiply %1627, %arg157 : tensor<512xf32>
    %cst_451 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1629 = stablehlo.broadcast_in_dim %cst_451, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %1630 = stablehlo.multiply %1629, %889 : tensor<512xf32>
    %1631 = stablehlo.multiply %1630, %889 : tensor<512xf32>
    %1632 = stablehlo.add %1628, %1631 : tensor<512xf32>
    %cst_452 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1633 = stablehlo.broadcast_in_dim %cst_452, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1634 = stablehlo.multiply %1633, %arg158 : tensor<128xf32>
    %cst_453 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1635 = stablehlo.broadcast_in_dim %cst_453, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1636 = stablehlo.multiply %1635, %966 : tensor<128xf32>
    %1637 = stablehlo.multiply %1636, %966 : tensor<128xf32>
    %1638 = stablehlo.add %1634, %1637 : tensor<128xf32>
    %cst_454 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1639 = stablehlo.broadcast_in_dim %cst_454, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1640 = stablehlo.multiply %1639, %arg159 : tensor<128xf32>
    %cst_455 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1641 = stablehlo.broadcast_in_dim %cst_455, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1642 = stablehlo.multiply %1641, %927 : tensor<128xf32>
    %1643 = stablehlo.multiply %1642, %927 : tensor<128xf32>
    %1644 = stablehlo.add %1640, %1643 : tensor<128xf32>
    %cst_456 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1645 = stablehlo.broadcast_in_dim %cst_456, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1646 = stablehlo.multiply %1645, %arg160 : tensor<128xf32>
    %cst_457 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1647 = stablehlo.broadcast_in_dim %cst_457, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1648 = stablehlo.multiply %1647, %974 : tensor<128xf32>
    %1649 = stablehlo.multiply %1648, %974 : tensor<128xf32>
    %1650 = stablehlo.add %1646, %1649 : tensor<128xf32>
    %cst_458 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1651 = stablehlo.broadcast_in_dim %cst_458, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1652 = stablehlo.multiply %1651, %arg161 : tensor<128xf32>
    %cst_459 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1653 = stablehlo.broadcast_in_dim %cst_459, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1654 = stablehlo.multiply %1653, %959 : tensor<128xf32>
    %1655 = stablehlo.multiply %1654, %959 : tensor<128xf32>
    %1656 = stablehlo.add %1652, %1655 : tensor<128xf32>
    %cst_460 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1657 = stablehlo.broadcast_in_dim %cst_460, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1658 = stablehlo.multiply %1657, %arg162 : tensor<128xf32>
    %cst_461 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1659 = stablehlo.broadcast_in_dim %cst_461, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1660 = stablehlo.multiply %1659, %981 : tensor<128xf32>
    %1661 = stablehlo.multiply %1660, %981 : tensor<128xf32>
    %1662 = stablehlo.add %1658, %1661 : tensor<128xf32>
    %cst_462 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1663 = stablehlo.broadcast_in_dim %cst_462, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1664 = stablehlo.multiply %1663, %arg163 : tensor<128xf32>
    %cst_463 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1665 = stablehlo.broadcast_in_dim %cst_463, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1666 = stablehlo.multiply %1665, %987 : tensor<128xf32>
    %1667 = stablehlo.multiply %1666, %987 : tensor<128xf32>
    %1668 = stablehlo.add %1664, %1667 : tensor<128xf32>
    %cst_464 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1669 = stablehlo.broadcast_in_dim %cst_464, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1670 = stablehlo.multiply %1669, %arg164 : tensor<128xf32>
    %cst_465 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1671 = stablehlo.broadcast_in_dim %cst_465, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1672 = stablehlo.multiply %1671, %895 : tensor<128xf32>
    %1673 = stablehlo.multiply %1672, %895 : tensor<128xf32>
    %1674 = stablehlo.add %1670, %1673 : tensor<128xf32>
    %cst_466 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1675 = stablehlo.broadcast_in_dim %cst_466, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1676 = stablehlo.multiply %1675, %arg165 : tensor<128xf32>
    %cst_467 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1677 = stablehlo.broadcast_in_dim %cst_467, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1678 = stablehlo.multiply %1677, %901 : tensor<128xf32>
    %1679 = stablehlo.multiply %1678, %901 : tensor<128xf32>
    %1680 = stablehlo.add %1676, %1679 : tensor<128xf32>
    %cst_468 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1681 = stablehlo.broadcast_in_dim %cst_468, dims = [] : (tensor<f32>) -> tensor<512x128xf32>
    %1682 = stablehlo.multiply %1681, %arg166 : tensor<512x128xf32>
    %cst_469 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1683 = stablehlo.broadcast_in_dim %cst_469, dims = [] : (tensor<f32>) -> tensor<512x128xf32>
    %1684 = stablehlo.multiply %1683, %866 : tensor<512x128xf32>
    %1685 = stablehlo.multiply %1684, %866 : tensor<512x128xf32>
    %1686 = stablehlo.add %1682, %1685 : tensor<512x128xf32>
    %cst_470 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1687 = stablehlo.broadcast_in_dim %cst_470, dims = [] : (tensor<f32>) -> tensor<128x512xf32>
    %1688 = stablehlo.multiply %1687, %arg167 : tensor<128x512xf32>
    %cst_471 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1689 = stablehlo.broadcast_in_dim %cst_471, dims = [] : (tensor<f32>) -> tensor<128x512xf32>
    %1690 = stablehlo.multiply %1689, %891 : tensor<128x512xf32>
    %1691 = stablehlo.multiply %1690, %891 : tensor<128x512xf32>
    %1692 = stablehlo.add %1688, %1691 : tensor<128x512xf32>
    %cst_472 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1693 = stablehlo.broadcast_in_dim %cst_472, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
    %1694 = stablehlo.multiply %1693, %arg168 : tensor<128x128xf32>
    %cst_473 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1695 = stablehlo.broadcast_in_dim %cst_473, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
    %1696 = stablehlo.multiply %1695, %968 : tensor<128x128xf32>
    %1697 = stablehlo.multiply %1696, %968 : tensor<128x128xf32>
    %1698 = stablehlo.add %1694, %1697 : tensor<128x128xf32>
    %cst_474 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1699 = stablehlo.broadcast_in_dim %cst_474, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
    %1700 = stablehlo.multiply %1699, %arg169 : tensor<128x128xf32>
    %cst_475 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1701 = stablehlo.broadcast_in_dim %cst_475, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
    %1702 = stablehlo.multiply %1701, %929 : tensor<128x128xf32>
    %1703 = stablehlo.multiply %1702, %929 : tensor<128x128xf32>
    %1704 = stablehlo.add %1700, %1703 : tensor<128x128xf32>
    %cst_476 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1705 = stablehlo.broadcast_in_dim %cst_476, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
    %1706 = stablehlo.multiply %1705, %arg170 : tensor<128x128xf32>
    %cst_477 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1707 = stablehlo.broadcast_in_dim %cst_477, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
    %1708 = stablehlo.multiply %1707, %976 : tensor<128x128xf32>
    %1709 = stablehlo.multiply %1708, %976 : tensor<128x128xf32>
    %1710 = stablehlo.add %1706, %1709 : tensor<128x128xf32>
    %cst_478 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1711 = stablehlo.broadcast_in_dim %cst_478, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
    %1712 = stablehlo.multiply %1711, %arg171 : tensor<128x128xf32>
    %cst_479 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1713 = stablehlo.broadcast_in_dim %cst_479, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
    %1714 = stablehlo.multiply %1713, %961 : tensor<128x128xf32>
    %1715 = stablehlo.multiply %1714, %961 : tensor<128x128xf32>
    %1716 = stablehlo.add %1712, %1715 : tensor<128x128xf32>
    %cst_480 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1717 = stablehlo.broadcast_in_dim %cst_480, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1718 = stablehlo.multiply %1717, %arg172 : tensor<128xf32>
    %cst_481 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1719 = stablehlo.broadcast_in_dim %cst_481, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1720 = stablehlo.multiply %1719, %715 : tensor<128xf32>
    %1721 = stablehlo.multiply %1720, %715 : tensor<128xf32>
    %1722 = stablehlo.add %1718, %1721 : tensor<128xf32>
    %cst_482 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1723 = stablehlo.broadcast_in_dim %cst_482, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %1724 = stablehlo.multiply %1723, %arg173 : tensor<512xf32>
    %cst_483 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1725 = stablehlo.broadcast_in_dim %cst_483, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %1726 = stablehlo.multiply %1725, %740 : tensor<512xf32>
    %1727 = stablehlo.multiply %1726, %740 : tensor<512xf32>
    %1728 = stablehlo.add %1724, %1727 : tensor<512xf32>
    %cst_484 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1729 = stablehlo.broadcast_in_dim %cst_484, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1730 = stablehlo.multiply %1729, %arg174 : tensor<128xf32>
    %cst_485 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1731 = stablehlo.broadcast_in_dim %cst_485, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1732 = stablehlo.multiply %1731, %817 : tensor<128xf32>
    %1733 = stablehlo.multiply %1732, %817 : tensor<128xf32>
    %1734 = stablehlo.add %1730, %1733 : tensor<128xf32>
    %cst_486 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1735 = stablehlo.broadcast_in_dim %cst_486, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1736 = stablehlo.multiply %1735, %arg175 : tensor<128xf32>
    %cst_487 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1737 = stablehlo.broadcast_in_dim %cst_487, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1738 = stablehlo.multiply %1737, %778 : tensor<128xf32>
    %1739 = stablehlo.multiply %1738, %778 : tensor<128xf32>
    %1740 = stablehlo.add %1736, %1739 : tensor<128xf32>
    %cst_488 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1741 = stablehlo.broadcast_in_dim %cst_488, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1742 = stablehlo.multiply %1741, %arg176 : tensor<128xf32>
    %cst_489 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1743 = stablehlo.broadcast_in_dim %cst_489, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1744 = stablehlo.multiply %1743, %825 : tensor<128xf32>
    %1745 = stablehlo.multiply %1744, %825 : tensor<128xf32>
    %1746 = stablehlo.add %1742, %1745 : tensor<128xf32>
    %cst_490 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1747 = stablehlo.broadcast_in_dim %cst_490, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1748 = stablehlo.multiply %1747, %arg177 : tensor<128xf32>
    %cst_491 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1749 = stablehlo.broadcast_in_dim %cst_491, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1750 = stablehlo.multiply %1749, %810 : tensor<128xf32>
    %1751 = stablehlo.multiply %1750, %810 : tensor<128xf32>
    %1752 = stablehlo.add %1748, %1751 : tensor<128xf32>
    %cst_492 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1753 = stablehlo.broadcast_in_dim %cst_492, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1754 = stablehlo.multiply %1753, %arg178 : tensor<128xf32>
    %cst_493 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1755 = stablehlo.broadcast_in_dim %cst_493, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1756 = stablehlo.multiply %1755, %832 : tensor<128xf32>
    %1757 = stablehlo.multiply %1756, %832 : tensor<128xf32>
    %1758 = stablehlo.add %1754, %1757 : tensor<128xf32>
    %cst_494 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1759 = stablehlo.broadcast_in_dim %cst_494, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1760 = stablehlo.multiply %1759, %arg179 : tensor<128xf32>
    %cst_495 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1761 = stablehlo.broadcast_in_dim %cst_495, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1762 = stablehlo.multiply %1761, %838 : tensor<128xf32>
    %1763 = stablehlo.multiply %1762, %838 : tensor<128xf32>
    %1764 = stablehlo.add %1760, %1763 : tensor<128xf32>
    %cst_496 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1765 = stablehlo.broadcast_in_dim %cst_496, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1766 = stablehlo.multiply %1765, %arg180 : tensor<128xf32>
    %cst_497 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1767 = stablehlo.broadcast_in_dim %cst_497, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1768 = stablehlo.multiply %1767, %746 : tensor<128xf32>
    %1769 = stablehlo.multiply %1768, %746 : tensor<128xf32>
    %1770 = stablehlo.add %1766, %1769 : tensor<128xf32>
    %cst_498 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1771 = stablehlo.broadcast_in_dim %cst_498, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1772 = stablehlo.multiply %1771, %arg181 : tensor<128xf32>
    %cst_499 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1773 = stablehlo.broadcast_in_dim %cst_499, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1774 = stablehlo.multiply %1773, %752 : tensor<128xf32>
    %1775 = stablehlo.multiply %1774, %752 : tensor<128xf32>
    %1776 = stablehlo.add %1772, %1775 : tensor<128xf32>
    %cst_500 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1777 = stablehlo.broadcast_in_dim %cst_500, dims = [] : (tensor<f32>) -> tensor<512x128xf32>
    %1778 = stablehlo.multiply %1777, %arg182 : tensor<512x128xf32>
    %cst_501 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1779 = stablehlo.broadcast_in_dim %cst_501, dims = [] : (tensor<f32>) -> tensor<512x128xf32>
    %1780 = stablehlo.multiply %1779, %717 : tensor<512x128xf32>
    %1781 = stablehlo.multiply %1780, %717 : tensor<512x128xf32>
    %1782 = stablehlo.add %1778, %1781 : tensor<512x128xf32>
    %cst_502 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1783 = stablehlo.broadcast_in_dim %cst_502, dims = [] : (tensor<f32>) -> tensor<128x512xf32>
    %1784 = stablehlo.multiply %1783, %arg183 : tensor<128x512xf32>
    %cst_503 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1785 = stablehlo.broadcast_in_dim %cst_503, dims = [] : (tensor<f32>) -> tensor<128x512xf32>
    %1786 = stablehlo.multiply %1785, %742 : tensor<128x512xf32>
    %1787 = stablehlo.multiply %1786, %742 : tensor<128x512xf32>
    %1788 = stablehlo.add %1784, %1787 : tensor<128x512xf32>
    %cst_504 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1789 = stablehlo.broadcast_in_dim %cst_504, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
    %1790 = stablehlo.multiply %1789, %arg184 : tensor<128x128xf32>
    %cst_505 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1791 = stablehlo.broadcast_in_dim %cst_505, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
    %1792 = stablehlo.multiply %1791, %819 : tensor<128x128xf32>
    %1793 = stablehlo.multiply %1792, %819 : tensor<128x128xf32>
    %1794 = stablehlo.add %1790, %1793 : tensor<128x128xf32>
    %cst_506 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1795 = stablehlo.broadcast_in_dim %cst_506, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
    %1796 = stablehlo.multiply %1795, %arg185 : tensor<128x128xf32>
    %cst_507 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1797 = stablehlo.broadcast_in_dim %cst_507, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
    %1798 = stablehlo.multiply %1797, %780 : tensor<128x128xf32>
    %1799 = stablehlo.multiply %1798, %780 : tensor<128x128xf32>
    %1800 = stablehlo.add %1796, %1799 : tensor<128x128xf32>
    %cst_508 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1801 = stablehlo.broadcast_in_dim %cst_508, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
    %1802 = stablehlo.multiply %1801, %arg186 : tensor<128x128xf32>
    %cst_509 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1803 = stablehlo.broadcast_in_dim %cst_509, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
    %1804 = stablehlo.multiply %1803, %827 : tensor<128x128xf32>
    %1805 = stablehlo.multiply %1804, %827 : tensor<128x128xf32>
    %1806 = stablehlo.add %1802, %1805 : tensor<128x128xf32>
    %cst_510 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1807 = stablehlo.broadcast_in_dim %cst_510, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
    %1808 = stablehlo.multiply %1807, %arg187 : tensor<128x128xf32>
    %cst_511 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1809 = stablehlo.broadcast_in_dim %cst_511, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
    %1810 = stablehlo.multiply %1809, %812 : tensor<128x128xf32>
    %1811 = stablehlo.multiply %1810, %812 : tensor<128x128xf32>
    %1812 = stablehlo.add %1808, %1811 : tensor<128x128xf32>
    %cst_512 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1813 = stablehlo.broadcast_in_dim %cst_512, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1814 = stablehlo.multiply %1813, %arg188 : tensor<128xf32>
    %cst_513 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1815 = stablehlo.broadcast_in_dim %cst_513, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1816 = stablehlo.multiply %1815, %566 : tensor<128xf32>
    %1817 = stablehlo.multiply %1816, %566 : tensor<128xf32>
    %1818 = stablehlo.add %1814, %1817 : tensor<128xf32>
    %cst_514 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1819 = stablehlo.broadcast_in_dim %cst_514, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %1820 = stablehlo.multiply %1819, %arg189 : tensor<512xf32>
    %cst_515 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1821 = stablehlo.broadcast_in_dim %cst_515, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %1822 = stablehlo.multiply %1821, %591 : tensor<512xf32>
    %1823 = stablehlo.multiply %1822, %591 : tensor<512xf32>
    %1824 = stablehlo.add %1820, %1823 : tensor<512xf32>
    %cst_516 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1825 = stablehlo.broadcast_in_dim %cst_516, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1826 = stablehlo.multiply %1825, %arg190 : tensor<128xf32>
    %cst_517 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1827 = stablehlo.broadcast_in_dim %cst_517, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1828 = stablehlo.multiply %1827, %668 : tensor<128xf32>
    %1829 = stablehlo.multiply %1828, %668 : tensor<128xf32>
    %1830 = stablehlo.add %1826, %1829 : tensor<128xf32>
    %cst_518 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1831 = stablehlo.broadcast_in_dim %cst_518, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1832 = stablehlo.multiply %1831, %arg191 : tensor<128xf32>
    %cst_519 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1833 = stablehlo.broadcast_in_dim %cst_519, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1834 = stablehlo.multiply %1833, %629 : tensor<128xf32>
    %1835 = stablehlo.multiply %1834, %629 : tensor<128xf32>
    %1836 = stablehlo.add %1832, %1835 : tensor<128xf32>
    %cst_520 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1837 = stablehlo.broadcast_in_dim %cst_520, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1838 = stablehlo.multiply %1837, %arg192 : tensor<128xf32>
    %cst_521 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1839 = stablehlo.broadcast_in_dim %cst_521, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1840 = stablehlo.multiply %1839, %676 : tensor<128xf32>
    %1841 = stablehlo.multiply %1840, %676 : tensor<128xf32>
    %1842 = stablehlo.add %1838, %1841 : tensor<128xf32>
    %cst_522 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1843 = stablehlo.broadcast_in_dim %cst_522, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1844 = stablehlo.multiply %1843, %arg193 : tensor<128xf32>
    %cst_523 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1845 = stablehlo.broadcast_in_dim %cst_523, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1846 = stablehlo.multiply %1845, %661 : tensor<128xf32>
    %1847 = stablehlo.multiply %1846, %661 : tensor<128xf32>
    %1848 = stablehlo.add %1844, %1847 : tensor<128xf32>
    %cst_524 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1849 = stablehlo.broadcast_in_dim %cst_524, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1850 = stablehlo.multiply %1849, %arg194 : tensor<128xf32>
    %cst_525 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1851 = stablehlo.broadcast_in_dim %cst_525, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1852 = stablehlo.multiply %1851, %683 : tensor<128xf32>
    %1853 = stablehlo.multiply %1852, %683 : tensor<128xf32>
    %1854 = stablehlo.add %1850, %1853 : tensor<128xf32>
    %cst_526 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1855 = stablehlo.broadcast_in_dim %cst_526, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1856 = stablehlo.multiply %1855, %arg195 : tensor<128xf32>
    %cst_527 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1857 = stablehlo.broadcast_in_dim %cst_527, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1858 = stablehlo.multiply %1857, %689 : tensor<128xf32>
    %1859 = stablehlo.multiply %1858, %689 : tensor<128xf32>
    %1860 = stablehlo.add %1856, %1859 : tensor<128xf32>
    %cst_528 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1861 = stablehlo.broadcast_in_dim %cst_528, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1862 = stablehlo.multiply %1861, %arg196 : tensor<128xf32>
    %cst_529 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1863 = stablehlo.broadcast_in_dim %cst_529, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1864 = stablehlo.multiply %1863, %597 : tensor<128xf32>
    %1865 = stablehlo.multiply %1864, %597 : tensor<128xf32>
    %1866 = stablehlo.add %1862, %1865 : tensor<128xf32>
    %cst_530 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1867 = stablehlo.broadcast_in_dim %cst_530, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1868 = stablehlo.multiply %1867, %arg197 : tensor<128xf32>
    %cst_531 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1869 = stablehlo.broadcast_in_dim %cst_531, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1870 = stablehlo.multiply %1869, %603 : tensor<128xf32>
    %1871 = stablehlo.multiply %1870, %603 : tensor<128xf32>
    %1872 = stablehlo.add %1868, %1871 : tensor<128xf32>
    %cst_532 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1873 = stablehlo.broadcast_in_dim %cst_532, dims = [] : (tensor<f32>) -> tensor<512x128xf32>
    %1874 = stablehlo.multiply %1873, %arg198 : tensor<512x128xf32>
    %cst_533 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1875 = stablehlo.broadcast_in_dim %cst_533, dims = [] : (tensor<f32>) -> tensor<512x128xf32>
    %1876 = stablehlo.multiply %1875, %568 : tensor<512x128xf32>
    %1877 = stablehlo.multiply %1876, %568 : tensor<512x128xf32>
    %1878 = stablehlo.add %1874, %1877 : tensor<512x128xf32>
    %cst_534 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1879 = stablehlo.broadcast_in_dim %cst_534, dims = [] : (tensor<f32>) -> tensor<128x512xf32>
    %1880 = stablehlo.multiply %1879, %arg199 : tensor<128x512xf32>
    %cst_535 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1881 = stablehlo.broadcast_in_dim %cst_535, dims = [] : (tensor<f32>) -> tensor<128x512xf32>
    %1882 = stablehlo.multiply %1881, %593 : tensor<128x512xf32>
    %1883 = stablehlo.multiply %1882, %593 : tensor<128x512xf32>
    %1884 = stablehlo.add %1880, %1883 : tensor<128x512xf32>
    %cst_536 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1885 = stablehlo.broadcast_in_dim %cst_536, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
    %1886 = stablehlo.multiply %1885, %arg200 : tensor<128x128xf32>
    %cst_537 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1887 = stablehlo.broadcast_in_dim %cst_537, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
    %1888 = stablehlo.multiply %1887, %670 : tensor<128x128xf32>
    %1889 = stablehlo.multiply %1888, %670 : tensor<128x128xf32>
    %1890 = stablehlo.add %1886, %1889 : tensor<128x128xf32>
    %cst_538 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1891 = stablehlo.broadcast_in_dim %cst_538, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
    %1892 = stablehlo.multiply %1891, %arg201 : tensor<128x128xf32>
    %cst_539 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1893 = stablehlo.broadcast_in_dim %cst_539, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
    %1894 = stablehlo.multiply %1893, %631 : tensor<128x128xf32>
    %1895 = stablehlo.multiply %1894, %631 : tensor<128x128xf32>
    %1896 = stablehlo.add %1892, %1895 : tensor<128x128xf32>
    %cst_540 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1897 = stablehlo.broadcast_in_dim %cst_540, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
    %1898 = stablehlo.multiply %1897, %arg202 : tensor<128x128xf32>
    %cst_541 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1899 = stablehlo.broadcast_in_dim %cst_541, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
    %1900 = stablehlo.multiply %1899, %678 : tensor<128x128xf32>
    %1901 = stablehlo.multiply %1900, %678 : tensor<128x128xf32>
    %1902 = stablehlo.add %1898, %1901 : tensor<128x128xf32>
    %cst_542 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1903 = stablehlo.broadcast_in_dim %cst_542, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
    %1904 = stablehlo.multiply %1903, %arg203 : tensor<128x128xf32>
    %cst_543 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1905 = stablehlo.broadcast_in_dim %cst_543, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
    %1906 = stablehlo.multiply %1905, %663 : tensor<128x128xf32>
    %1907 = stablehlo.multiply %1906, %663 : tensor<128x128xf32>
    %1908 = stablehlo.add %1904, %1907 : tensor<128x128xf32>
    %cst_544 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1909 = stablehlo.broadcast_in_dim %cst_544, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1910 = stablehlo.multiply %1909, %arg204 : tensor<128xf32>
    %cst_545 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1911 = stablehlo.broadcast_in_dim %cst_545, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1912 = stablehlo.multiply %1911, %535 : tensor<128xf32>
    %1913 = stablehlo.multiply %1912, %535 : tensor<128xf32>
    %1914 = stablehlo.add %1910, %1913 : tensor<128xf32>
    %cst_546 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1915 = stablehlo.broadcast_in_dim %cst_546, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1916 = stablehlo.multiply %1915, %arg205 : tensor<128xf32>
    %cst_547 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1917 = stablehlo.broadcast_in_dim %cst_547, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1918 = stablehlo.multiply %1917, %541 : tensor<128xf32>
    %1919 = stablehlo.multiply %1918, %541 : tensor<128xf32>
    %1920 = stablehlo.add %1916, %1919 : tensor<128xf32>
    %cst_548 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1921 = stablehlo.broadcast_in_dim %cst_548, dims = [] : (tensor<f32>) -> tensor<64x128xf32>
    %1922 = stablehlo.multiply %1921, %arg206 : tensor<64x128xf32>
    %cst_549 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1923 = stablehlo.broadcast_in_dim %cst_549, dims = [] : (tensor<f32>) -> tensor<64x128xf32>
    %1924 = stablehlo.multiply %1923, %1162 : tensor<64x128xf32>
    %1925 = stablehlo.multiply %1924, %1162 : tensor<64x128xf32>
    %1926 = stablehlo.add %1922, %1925 : tensor<64x128xf32>
    %cst_550 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1927 = stablehlo.broadcast_in_dim %cst_550, dims = [] : (tensor<f32>) -> tensor<512x128xf32>
    %1928 = stablehlo.multiply %1927, %arg207 : tensor<512x128xf32>
    %cst_551 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1929 = stablehlo.broadcast_in_dim %cst_551, dims = [] : (tensor<f32>) -> tensor<512x128xf32>
    %1930 = stablehlo.multiply %1929, %1164 : tensor<512x128xf32>
    %1931 = stablehlo.multiply %1930, %1164 : tensor<512x128xf32>
    %1932 = stablehlo.add %1928, %1931 : tensor<512x128xf32>
    %1933 = stablehlo.broadcast_in_dim %1173, dims = [] : (tensor<f32>) -> tensor<128x512xf32>
    %1934 = stablehlo.multiply %1933, %1178 : tensor<128x512xf32>
    %1935 = stablehlo.abs %1524 : tensor<128x512xf32>
    %1936 = stablehlo.sqrt %1935 : tensor<128x512xf32>
    %cst_552 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1937 = stablehlo.broadcast_in_dim %cst_552, dims = [] : (tensor<f32>) -> tensor<128x512xf32>
    %1938 = stablehlo.add %1936, %1937 : tensor<128x512xf32>
    %1939 = stablehlo.divide %1934, %1938 : tensor<128x512xf32>
    %1940 = stablehlo.subtract %arg0, %1939 : tensor<128x512xf32>
    %1941 = stablehlo.broadcast_in_dim %1173, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1942 = stablehlo.multiply %1941, %1183 : tensor<128xf32>
    %1943 = stablehlo.abs %1530 : tensor<128xf32>
    %1944 = stablehlo.sqrt %1943 : tensor<128xf32>
    %cst_553 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1945 = stablehlo.broadcast_in_dim %cst_553, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1946 = stablehlo.add %1944, %1945 : tensor<128xf32>
    %1947 = stablehlo.divide %1942, %1946 : tensor<128xf32>
    %1948 = stablehlo.subtract %arg1, %1947 : tensor<128xf32>
    %1949 = stablehlo.broadcast_in_dim %1173, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %1950 = stablehlo.multiply %1949, %1188 : tensor<512xf32>
    %1951 = stablehlo.abs %1536 : tensor<512xf32>
    %1952 = stablehlo.sqrt %1951 : tensor<512xf32>
    %cst_554 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1953 = stablehlo.broadcast_in_dim %cst_554, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %1954 = stablehlo.add %1952, %1953 : tensor<512xf32>
    %1955 = stablehlo.divide %1950, %1954 : tensor<512xf32>
    %1956 = stablehlo.subtract %arg2, %1955 : tensor<512xf32>
    %1957 = stablehlo.broadcast_in_dim %1173, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1958 = stablehlo.multiply %1957, %1193 : tensor<128xf32>
    %1959 = stablehlo.abs %1542 : tensor<128xf32>
    %1960 = stablehlo.sqrt %1959 : tensor<128xf32>
    %cst_555 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1961 = stablehlo.broadcast_in_dim %cst_555, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1962 = stablehlo.add %1960, %1961 : tensor<128xf32>
    %1963 = stablehlo.divide %1958, %1962 : tensor<128xf32>
    %1964 = stablehlo.subtract %arg3, %1963 : tensor<128xf32>
    %1965 = stablehlo.broadcast_in_dim %1173, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1966 = stablehlo.multiply %1965, %1198 : tensor<128xf32>
    %1967 = stablehlo.abs %1548 : tensor<128xf32>
    %1968 = stablehlo.sqrt %1967 : tensor<128xf32>
    %cst_556 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1969 = stablehlo.broadcast_in_dim %cst_556, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1970 = stablehlo.add %1968, %1969 : tensor<128xf32>
    %1971 = stablehlo.divide %1966, %1970 : tensor<128xf32>
    %1972 = stablehlo.subtract %arg4, %1971 : tensor<128xf32>
    %1973 = stablehlo.broadcast_in_dim %1173, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1974 = stablehlo.multiply %1973, %1203 : tensor<128xf32>
    %1975 = stablehlo.abs %1554 : tensor<128xf32>
    %1976 = stablehlo.sqrt %1975 : tensor<128xf32>
    %cst_557 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1977 = stablehlo.broadcast_in_dim %cst_557, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1978 = stablehlo.add %1976, %1977 : tensor<128xf32>
    %1979 = stablehlo.divide %1974, %1978 : tensor<128xf32>
    %1980 = stablehlo.subtract %arg5, %1979 : tensor<128xf32>
    %1981 = stablehlo.broadcast_in_dim %1173, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1982 = stablehlo.multiply %1981, %1208 : tensor<128xf32>
    %1983 = stablehlo.abs %1560 : tensor<128xf32>
    %1984 = stablehlo.sqrt %1983 : tensor<128xf32>
    %cst_558 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1985 = stablehlo.broadcast_in_dim %cst_558, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1986 = stablehlo.add %1984, %1985 : tensor<128xf32>
    %1987 = stablehlo.divide %1982, %1986 : tensor<128xf32>
    %1988 = stablehlo.subtract %arg6, %1987 : tensor<128xf32>
    %1989 = stablehlo.broadcast_in_dim %1173, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1990 = stablehlo.multiply %1989, %1213 : tensor<128xf32>
    %1991 = stablehlo.abs %1566 : tensor<128xf32>
    %1992 = stablehlo.sqrt %1991 : tensor<128xf32>
    %cst_559 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1993 = stablehlo.broadcast_in_dim %cst_559, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1994 = stablehlo.add %1992, %1993 : tensor<128xf32>
    %1995 = stablehlo.divide %1990, %1994 : tensor<128xf32>
    %1996 = stablehlo.subtract %arg7, %1995 : tensor<128xf32>
    %1997 = stablehlo.broadcast_in_dim %1173, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1998 = stablehlo.multiply %1997, %1218 : tensor<128xf32>
    %1999 = stablehlo.abs %1572 : tensor<128xf32>
    %2000 = stablehlo.sqrt %1999 : tensor<128xf32>
    %cst_560 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2001 = stablehlo.broadcast_in_dim %cst_560, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %2002 = stablehlo.add %2000, %2001 : tensor<128xf32>
    %2003 = stablehlo.divide %1998, %2002 : tensor<128xf32>
    %2004 = stablehlo.subtract %arg8, %2003 : tensor<128xf32>
    %2005 = stablehlo.broadcast_in_dim %1173, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %2006 = stablehlo.multiply %2005, %1223 : tensor<128xf32>
    %2007 = stablehlo.abs %1578 : tensor<128xf32>
    %2008 = stablehlo.sqrt %2007 : tensor<128xf32>
    %cst_561 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2009 = stablehlo.broadcast_in_dim %cst_561, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %2010 = stablehlo.add %2008, %2009 : tensor<128xf32>
    %2011 = stablehlo.divide %2006, %2010 : tensor<128xf32>
    %2012 = stablehlo.subtract %arg9, %2011 : tensor<128xf32>
    %2013 = stablehlo.broadcast_in_dim %1173, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %2014 = stablehlo.multiply %2013, %1228 : tensor<128xf32>
    %2015 = stablehlo.abs %1584 : tensor<128xf32>
    %2016 = stablehlo.sqrt %2015 : tensor<128xf32>
    %cst_562 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2017 = stablehlo.broadcast_in_dim %cst_562, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %2018 = stablehlo.add %2016, %2017 : tensor<128xf32>
    %2019 = stablehlo.divide %2014, %2018 : tensor<128xf32>
    %2020 = stablehlo.subtract %arg10, %2019 : tensor<128xf32>
    %2021 = stablehlo.broadcast_in_dim %1173, dims = [] : (tensor<f32>) -> tensor<512x128xf32>
    %2022 = stablehlo.multiply %2021, %1233 : tensor<512x128xf32>
    %2023 = stablehlo.abs %1590 : tensor<512x128xf32>
    %2024 = stablehlo.sqrt %2023 : tensor<512x128xf32>
    %cst_563 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2025 = stablehlo.broadcast_in_dim %cst_563, dims = [] : (tensor<f32>) -> tensor<512x128xf32>
    %2026 = stablehlo.add %2024, %2025 : tensor<512x128xf32>
    %2027 = stablehlo.divide %2022, %2026 : tensor<512x128xf32>
    %2028 = stablehlo.subtract %arg11, %2027 : tensor<512x128xf32>
    %2029 = stablehlo.broadcast_in_dim %1173, dims = [] : (tensor<f32>) -> tensor<128x512xf32>
    %2030 = stablehlo.multiply %2029, %1238 : tensor<128x512xf32>
    %2031 = stablehlo.abs %1596 : tensor<128x512xf32>
    %2032 = stablehlo.sqrt %2031 : tensor<128x512xf32>
    %cst_564 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2033 = stablehlo.broadcast_in_dim %cst_564, dims = [] : (tensor<f32>) -> tensor<128x512xf32>
    %2034 = stablehlo.add %2032, %2033 : tensor<128x512xf32>
    %2035 = stablehlo.divide %2030, %2034 : tensor<128x512xf32>
    %2036 = stablehlo.subtract %arg12, %2035 : tensor<128x512xf32>
    %2037 = stablehlo.broadcast_in_dim %1173, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
    %2038 = stablehlo.multiply %2037, %1243 : tensor<128x128xf32>
    %2039 = stablehlo.abs %1602 : tensor<128x128xf32>
    %2040 = stablehlo.sqrt %2039 : tensor<128x128xf32>
    %cst_565 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2041 = stablehlo.broadcast_in_dim %cst_565, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
    %2042 = stablehlo.add %2040, %2041 : tensor<128x128xf32>
    %2043 = stablehlo.divide %2038, %2042 : tensor<128x128xf32>
    %2044 = stablehlo.subtract %arg13, %2043 : tensor<128x128xf32>
    %2045 = stablehlo.broadcast_in_dim %1173, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
    %2046 = stablehlo.multiply %2045, %1248 : tensor<128x128xf32>
    %2047 = stablehlo.abs %1608 : tensor<128x128xf32>
    %2048 = stablehlo.sqrt %2047 : tensor<128x128xf32>
    %cst_566 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2049 = stablehlo.broadcast_in_dim %cst_566, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
    %2050 = stablehlo.add %2048, %2049 : tensor<128x128xf32>
    %2051 = stablehlo.divide %2046, %2050 : tensor<128x128xf32>
    %2052 = stablehlo.subtract %arg14, %2051 : tensor<128x128xf32>
    %2053 = stablehlo.broadcast_in_dim %1173, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
    %2054 = stablehlo.multiply %2053, %1253 : tensor<128x128xf32>
    %2055 = stablehlo.abs %1614 : tensor<128x128xf32>
    %2056 = stablehlo.sqrt %2055 : tensor<128x128xf32>
    %cst_567 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2057 = stablehlo.broadcast_in_dim %cst_567, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
    %2058 = stablehlo.add %2056, %2057 : tensor<128x128xf32>
    %2059 = stablehlo.divide %2054, %2058 : tensor<128x128xf32>
    %2060 = stablehlo.subtract %arg15, %2059 : tensor<128x128xf32>
    %2061 = stablehlo.broadcast_in_dim %1173, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
    %2062 = stablehlo.multiply %2061, %1258 : tensor<128x128xf32>
    %2063 = stablehlo.abs %1620 : tensor<128x128xf32>
    %2064 = stablehlo.sqrt %2063 : tensor<128x128xf32>
    %cst_568 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2065 = stablehlo.broadcast_in_dim %cst_568, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
    %2066 = stablehlo.add %2064, %2065 : tensor<128x128xf32>
    %2067 = stablehlo.divide %2062, %2066 : tensor<128x128xf32>
    %2068 = stablehlo.subtract %arg16, %2067 : tensor<128x128xf32>
    %2069 = stablehlo.broadcast_in_dim %1173, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %2070 = stablehlo.multiply %2069, %1263 : tensor<128xf32>
    %2071 = stablehlo.abs %1626 : tensor<128xf32>
    %2072 = stablehlo.sqrt %2071 : tensor<128xf32>
    %cst_569 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2073 = stablehlo.broadcast_in_dim %cst_569, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %2074 = stablehlo.add %2072, %2073 : tensor<128xf32>
    %2075 = stablehlo.divide %2070, %2074 : tensor<128xf32>
    %2076 = stablehlo.subtract %arg17, %2075 : tensor<128xf32>
    %2077 = stablehlo.broadcast_in_dim %1173, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %2078 = stablehlo.multiply %2077, %1268 : tensor<512xf32>
    %2079 = stablehlo.abs %1632 : tensor<512xf32>
    %2080 = stablehlo.sqrt %2079 : tensor<512xf32>
    %cst_570 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2081 = stablehlo.broadcast_in_dim %cst_570, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %2082 = stablehlo.add %2080, %2081 : tensor<512xf32>
    %2083 = stablehlo.divide %2078, %2082 : tensor<512xf32>
    %2084 = stablehlo.subtract %arg18, %2083 : tensor<512xf32>
    %2085 = stablehlo.broadcast_in_dim %1173, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %2086 = stablehlo.multiply %2085, %1273 : tensor<128xf32>
    %2087 = stablehlo.abs %1638 : tensor<128xf32>
    %2088 = stablehlo.sqrt %2087 : tensor<128xf32>
    %cst_571 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2089 = stablehlo.broadcast_in_dim %cst_571, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %2090 = stablehlo.add %2088, %2089 : tensor<128xf32>
    %2091 = stablehlo.divide %2086, %2090 : tensor<128xf32>
    %2092 = stablehlo.subtract %arg19, %2091 : tensor<128xf32>
    %2093 = stablehlo.broadcast_in_dim %1173, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %2094 = stablehlo.multiply %2093, %1278 : tensor<128xf32>
    %2095 = stablehlo.abs %1644 : tensor<128xf32>
    %2096 = stablehlo.sqrt %2095 : tensor<128xf32>
    %cst_572 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2097 = stablehlo.broadcast_in_dim %cst_572, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %2098 = stablehlo.add %2096, %2097 : tensor<128xf32>
    %2099 = stablehlo.divide %2094, %2098 : tensor<128xf32>
    %2100 = stablehlo.subtract %arg20, %2099 : tensor<128xf32>
    %2101 = stablehlo.broadcast_in_dim %1173, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %2102 = stablehlo.multiply %2101, %1283 : tensor<128xf32>
    %2103 = stablehlo.abs %1650 : tensor<128xf32>
    %2104 = stablehlo.sqrt %2103 : tensor<128xf32>
    %cst_573 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2105 = stablehlo.broadcast_in_dim %cst_573, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %2106 = stablehlo.add %2104, %2105 : tensor<128xf32>
    %2107 = stablehlo.divide %2102, %2106 : tensor<128xf32>
    %2108 = stablehlo.subtract %arg21, %2107 : tensor<128xf32>
    %2109 = stablehlo.broadcast_in_dim %1173, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %2110 = stablehlo.multiply %2109, %1288 : tensor<128xf32>
    %2111 = stablehlo.abs %1656 : tensor<128xf32>
    %2112 = stablehlo.sqrt %2111 : tensor<128xf32>
    %cst_574 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2113 = stablehlo.broadcast_in_dim %cst_574, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %2114 = stablehlo.add %2112, %2113 : tensor<128xf32>
    %2115 = stablehlo.divide %2110, %2114 : tensor<128xf32>
    %2116 = stablehlo.subtract %arg22, %2115 : tensor<128xf32>
    %2117 = stablehlo.broadcast_in_dim %1173, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %2118 = stablehlo.multiply %2117, %1293 : tensor<128xf32>
    %2119 = stablehlo.abs %1662 : tensor<128xf32>
    %2120 = stablehlo.sqrt %2119 : tensor<128xf32>
    %cst_575 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2121 = stablehlo.broadcast_in_dim %cst_575, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %2122 = stablehlo.add %2120, %2121 : tensor<128xf32>
    %2123 = stablehlo.divide %2118, %2122 : tensor<128xf32>
    %2124 = stablehlo.subtract %arg23, %2123 : tensor<128xf32>
    %2125 = stablehlo.broadcast_in_dim %1173, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %2126 = stablehlo.multiply %2125, %1298 : tensor<128xf32>
    %2127 = stablehlo.abs %1668 : tensor<128xf32>
    %2128 = stablehlo.sqrt %2127 : tensor<128xf32>
    %cst_576 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2129 = stablehlo.broadcast_in_dim %cst_576, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %2130 = stablehlo.add %2128, %2129 : tensor<128xf32>
    %2131 = stablehlo.divide %2126, %2130 : tensor<128xf32>
    %2132 = stablehlo.subtract %arg24, %2131 : tensor<128xf32>
    %2133 = stablehlo.broadcast_in_dim %1173, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %2134 = stablehlo.multiply %2133, %1303 : tensor<128xf32>
    %2135 = stablehlo.abs %1674 : tensor<128xf32>
    %2136 = stablehlo.sqrt %2135 : tensor<128xf32>
    %cst_577 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2137 = stablehlo.broadcast_in_dim %cst_577, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %2138 = stablehlo.add %2136, %2137 : tensor<128xf32>
    %2139 = stablehlo.divide %2134, %2138 : tensor<128xf32>
    %2140 = stablehlo.subtract %arg25, %2139 : tensor<128xf32>
    %2141 = stablehlo.broadcast_in_dim %1173, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %2142 = stablehlo.multiply %2141, %1308 : tensor<128xf32>
    %2143 = stablehlo.abs %1680 : tensor<128xf32>
    %2144 = stablehlo.sqrt %2143 : tensor<128xf32>
    %cst_578 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2145 = stablehlo.broadcast_in_dim %cst_578, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %2146 = stablehlo.add %2144, %2145 : tensor<128xf32>
    %2147 = stablehlo.divide %2142, %2146 : tensor<128xf32>
    %2148 = stablehlo.subtract %arg26, %2147 : tensor<128xf32>
    %2149 = stablehlo.broadcast_in_dim %1173, dims = [] : (tensor<f32>) -> tensor<512x128xf32>
    %2150 = stablehlo.multiply %2149, %1313 : tensor<512x128xf32>
    %2151 = stablehlo.abs %1686 : tensor<512x128xf32>
    %2152 = stablehlo.sqrt %2151 : tensor<512x128xf32>
    %cst_579 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2153 = stablehlo.broadcast_in_dim %cst_579, dims = [] : (tensor<f32>) -> tensor<512x128xf32>
    %2154 = stablehlo.add %2152, %2153 : tensor<512x128xf32>
    %2155 = stablehlo.divide %2150, %2154 : tensor<512x128xf32>
    %2156 = stablehlo.subtract %arg27, %2155 : tensor<512x128xf32>
    %2157 = stablehlo.broadcast_in_dim %1173, dims = [] : (tensor<f32>) -> tensor<128x512xf32>
    %2158 = stablehlo.multiply %2157, %1318 : tensor<128x512xf32>
    %2159 = stablehlo.abs %1692 : tensor<128x512xf32>
    %2160 = stablehlo.sqrt %2159 : tensor<128x512xf32>
    %cst_580 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2161 = stablehlo.broadcast_in_dim %cst_580, dims = [] : (tensor<f32>) -> tensor<128x512xf32>
    %2162 = stablehlo.add %2160, %2161 : tensor<128x512xf32>
    %2163 = stablehlo.divide %2158, %2162 : tensor<128x512xf32>
    %2164 = stablehlo.subtract %arg28, %2163 : tensor<128x512xf32>
    %2165 = stablehlo.broadcast_in_dim %1173, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
    %2166 = stablehlo.multiply %2165, %1323 : tensor<128x128xf32>
    %2167 = stablehlo.abs %1698 : tensor<128x128xf32>
    %2168 = stablehlo.sqrt %2167 : tensor<128x128xf32>
    %cst_581 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2169 = stablehlo.broadcast_in_dim %cst_581, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
    %2170 = stablehlo.add %2168, %2169 : tensor<128x128xf32>
    %2171 = stablehlo.divide %2166, %2170 : tensor<128x128xf32>
    %2172 = stablehlo.subtract %arg29, %2171 : tensor<128x128xf32>
    %2173 = stablehlo.broadcast_in_dim %1173, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
    %2174 = stablehlo.multiply %2173, %1328 : tensor<128x128xf32>
    %2175 = stablehlo.abs %1704 : tensor<128x128xf32>
    %2176 = stablehlo.sqrt %2175 : tensor<128x128xf32>
    %cst_582 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2177 = stablehlo.broadcast_in_dim %cst_582, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
    %2178 = stablehlo.add %2176, %2177 : tensor<128x128xf32>
    %2179 = stablehlo.divide %2174, %2178 : tensor<128x128xf32>
    %2180 = stablehlo.subtract %arg30, %2179 : tensor<128x128xf32>
    %2181 = stablehlo.broadcast_in_dim %1173, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
    %2182 = stablehlo.multiply %2181, %1333 : tensor<128x128xf32>
    %2183 = stablehlo.abs %1710 : tensor<128x128xf32>
    %2184 = stablehlo.sqrt %2183 : tensor<128x128xf32>
    %cst_583 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2185 = stablehlo.broadcast_in_dim %cst_583, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
    %2186 = stablehlo.add %2184, %2185 : tensor<128x128xf32>
    %2187 = stablehlo.divide %2182, %2186 : tensor<128x128xf32>
    %2188 = stablehlo.subtract %arg31, %2187 : tensor<128x128xf32>
    %2189 = stablehlo.broadcast_in_dim %1173, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
    %2190 = stablehlo.multiply %2189, %1338 : tensor<128x128xf32>
    %2191 = stablehlo.abs %1716 : tensor<128x128xf32>
    %2192 = stablehlo.sqrt %2191 : tensor<128x128xf32>
    %cst_584 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2193 = stablehlo.broadcast_in_dim %cst_584, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
    %2194 = stablehlo.add %2192, %2193 : tensor<128x128xf32>
    %2195 = stablehlo.divide %2190, %2194 : tensor<128x128xf32>
    %2196 = stablehlo.subtract %arg32, %2195 : tensor<128x128xf32>
    %2197 = stablehlo.broadcast_in_dim %1173, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %2198 = stablehlo.multiply %2197, %1343 : tensor<128xf32>
    %2199 = stablehlo.abs %1722 : tensor<128xf32>
    %2200 = stablehlo.sqrt %2199 : tensor<128xf32>
    %cst_585 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2201 = stablehlo.broadcast_in_dim %cst_585, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %2202 = stablehlo.add %2200, %2201 : tensor<128xf32>
    %2203 = stablehlo.divide %2198, %2202 : tensor<128xf32>
    %2204 = stablehlo.subtract %arg33, %2203 : tensor<128xf32>
    %2205 = stablehlo.broadcast_in_dim %1173, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %2206 = stablehlo.multiply %2205, %1348 : tensor<512xf32>
    %2207 = stablehlo.abs %1728 : tensor<512xf32>
    %2208 = stablehlo.sqrt %2207 : tensor<512xf32>
    %cst_586 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2209 = stablehlo.broadcast_in_dim %cst_586, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %2210 = stablehlo.add %2208, %2209 : tensor<512xf32>
    %2211 = stablehlo.divide %2206, %2210 : tensor<512xf32>
    %2212 = stablehlo.subtract %arg34, %2211 : tensor<512xf32>
    %2213 = stablehlo.broadcast_in_dim %1173, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %2214 = stablehlo.multiply %2213, %1353 : tensor<128xf32>
    %2215 = stablehlo.abs %1734 : tensor<128xf32>
    %2216 = stablehlo.sqrt %2215 : tensor<128xf32>
    %cst_587 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2217 = stablehlo.broadcast_in_dim %cst_587, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %2218 = stablehlo.add %2216, %2217 : tensor<128xf32>
    %2219 = stablehlo.divide %2214, %2218 : tensor<128xf32>
    %2220 = stablehlo.subtract %arg35, %2219 : tensor<128xf32>
    %2221 = stablehlo.broadcast_in_dim %1173, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %2222 = stablehlo.multiply %2221, %1358 : tensor<128xf32>
    %2223 = stablehlo.abs %1740 : tensor<128xf32>
    %2224 = stablehlo.sqrt %2223 : tensor<128xf32>
    %cst_588 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2225 = stablehlo.broadcast_in_dim %cst_588, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %2226 = stablehlo.add %2224, %2225 : tensor<128xf32>
    %2227 = stablehlo.divide %2222, %2226 : tensor<128xf32>
    %2228 = stablehlo.subtract %arg36, %2227 : tensor<128xf32>
    %2229 = stablehlo.broadcast_in_dim %1173, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %2230 = stablehlo.multiply %2229, %1363 : tensor<128xf32>
    %2231 = stablehlo.abs %1746 : tensor<128xf32>
    %2232 = stablehlo.sqrt %2231 : tensor<128xf32>
    %cst_589 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2233 = stablehlo.broadcast_in_dim %cst_589, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %2234 = stablehlo.add %2232, %2233 : tensor<128xf32>
    %2235 = stablehlo.divide %2230, %2234 : tensor<128xf32>
    %2236 = stablehlo.subtract %arg37, %2235 : tensor<128xf32>
    %2237 = stablehlo.broadcast_in_dim %1173, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %2238 = stablehlo.multiply %2237, %1368 : tensor<128xf32>
    %2239 = stablehlo.abs %1752 : tensor<128xf32>
    %2240 = stablehlo.sqrt %2239 : tensor<128xf32>
    %cst_590 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2241 = stablehlo.broadcast_in_dim %cst_590, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %2242 = stablehlo.add %2240, %2241 : tensor<128xf32>
    %2243 = stablehlo.divide %2238, %2242 : tensor<128xf32>
    %2244 = stablehlo.subtract %arg38, %2243 : tensor<128xf32>
    %2245 = stablehlo.broadcast_in_dim %1173, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %2246 = stablehlo.multiply %2245, %1373 : tensor<128xf32>
    %2247 = stablehlo.abs %1758 : tensor<128xf32>
    %2248 = stablehlo.sqrt %2247 : tensor<128xf32>
    %cst_591 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2249 = stablehlo.broadcast_in_dim %cst_591, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %2250 = stablehlo.add %2248, %2249 : tensor<128xf32>
    %2251 = stablehlo.divide %2246, %2250 : tensor<128xf32>
    %2252 = stablehlo.subtract %arg39, %2251 : tensor<128xf32>
    %2253 = stablehlo.broadcast_in_dim %1173, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %2254 = stablehlo.multiply %2253, %1378 : tensor<128xf32>
    %2255 = stablehlo.abs %1764 : tensor<128xf32>
    %2256 = stablehlo.sqrt %2255 : tensor<128xf32>
    %cst_592 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2257 = stablehlo.broadcast_in_dim %cst_592, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %2258 = stablehlo.add %2256, %2257 : tensor<128xf32>
    %2259 = stablehlo.divide %2254, %2258 : tensor<128xf32>
    %2260 = stablehlo.subtract %arg40, %2259 : tensor<128xf32>
    %2261 = stablehlo.broadcast_in_dim %1173, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %2262 = stablehlo.multiply %2261, %1383 : tensor<128xf32>
    %2263 = stablehlo.abs %1770 : tensor<128xf32>
    %2264 = stablehlo.sqrt %2263 : tensor<128xf32>
    %cst_593 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2265 = stablehlo.broadcast_in_dim %cst_593, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %2266 = stablehlo.add %2264, %2265 : tensor<128xf32>
    %2267 = stablehlo.divide %2262, %2266 : tensor<128xf32>
    %2268 = stablehlo.subtract %arg41, %2267 : tensor<128xf32>
    %2269 = stablehlo.broadcast_in_dim %1173, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %2270 = stablehlo.multiply %2269, %1388 : tensor<128xf32>
    %2271 = stablehlo.abs %1776 : tensor<128xf32>
    %2272 = stablehlo.sqrt %2271 : tensor<128xf32>
    %cst_594 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2273 = stablehlo.broadcast_in_dim %cst_594, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %2274 = stablehlo.add %2272, %2273 : tensor<128xf32>
    %2275 = stablehlo.divide %2270, %2274 : tensor<128xf32>
    %2276 = stablehlo.subtract %arg42, %2275 : tensor<128xf32>
    %2277 = stablehlo.broadcast_in_dim %1173, dims = [] : (tensor<f32>) -> tensor<512x128xf32>
    %2278 = stablehlo.multiply %2277, %1393 : tensor<512x128xf32>
    %2279 = stablehlo.abs %1782 : tensor<512x128xf32>
    %2280 = stablehlo.sqrt %2279 : tensor<512x128xf32>
    %cst_595 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2281 = stablehlo.broadcast_in_dim %cst_595, dims = [] : (tensor<f32>) -> tensor<512x128xf32>
    %2282 = stablehlo.add %2280, %2281 : tensor<512x128xf32>
    %2283 = stablehlo.divide %2278, %2282 : tensor<512x128xf32>
    %2284 = stablehlo.subtract %arg43, %2283 : tensor<512x128xf32>
    %2285 = stablehlo.broadcast_in_dim %1173, dims = [] : (tensor<f32>) -> tensor<128x512xf32>
    %2286 = stablehlo.multiply %2285, %1398 : tensor<128x512xf32>
    %2287 = stablehlo.abs %1788 : tensor<128x512xf32>
    %2288 = stablehlo.sqrt %2287 : tensor<128x512xf32>
    %cst_596 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2289 = stablehlo.broadcast_in_dim %cst_596, dims = [] : (tensor<f32>) -> tensor<128x512xf32>
    %2290 = stablehlo.add %2288, %2289 : tensor<128x512xf32>
    %2291 = stablehlo.divide %2286, %2290 : tensor<128x512xf32>
    %2292 = stablehlo.subtract %arg44, %2291 : tensor<128x512xf32>
    %2293 = stablehlo.broadcast_in_dim %1173, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
    %2294 = stablehlo.multiply %2293, %1403 : tensor<128x128xf32>
    %2295 = stablehlo.abs %1794 : tensor<128x128xf32>
    %2296 = stablehlo.sqrt %2295 : tensor<128x128xf32>
    %cst_597 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2297 = stablehlo.broadcast_in_dim %cst_597, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
    %2298 = stablehlo.add %2296, %2297 : tensor<128x128xf32>
    %2299 = stablehlo.divide %2294, %2298 : tensor<128x128xf32>
    %2300 = stablehlo.subtract %arg45, %2299 : tensor<128x128xf32>
    %2301 = stablehlo.broadcast_in_dim %1173, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
    %2302 = stablehlo.multiply %2301, %1408 : tensor<128x128xf32>
    %2303 = stablehlo.abs %1800 : tensor<128x128xf32>
    %2304 = stablehlo.sqrt %2303 : tensor<128x128xf32>
    %cst_598 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2305 = stablehlo.broadcast_in_dim %cst_598, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
    %2306 = stablehlo.add %2304, %2305 : tensor<128x128xf32>
    %2307 = stablehlo.divide %2302, %2306 : tensor<128x128xf32>
    %2308 = stablehlo.subtract %arg46, %2307 : tensor<128x128xf32>
    %2309 = stablehlo.broadcast_in_dim %1173, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
    %2310 = stablehlo.multiply %2309, %1413 : tensor<128x128xf32>
    %2311 = stablehlo.abs %1806 : tensor<128x128xf32>
    %2312 = stablehlo.sqrt %2311 : tensor<128x128xf32>
    %cst_599 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2313 = stablehlo.broadcast_in_dim %cst_599, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
    %2314 = stablehlo.add %2312, %2313 : tensor<128x128xf32>
    %2315 = stablehlo.divide %2310, %2314 : tensor<128x128xf32>
    %2316 = stablehlo.subtract %arg47, %2315 : tensor<128x128xf32>
    %2317 = stablehlo.broadcast_in_dim %1173, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
    %2318 = stablehlo.multiply %2317, %1418 : tensor<128x128xf32>
    %2319 = stablehlo.abs %1812 : tensor<128x128xf32>
    %2320 = stablehlo.sqrt %2319 : tensor<128x128xf32>
    %cst_600 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2321 = stablehlo.broadcast_in_dim %cst_600, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
    %2322 = stablehlo.add %2320, %2321 : tensor<128x128xf32>
    %2323 = stablehlo.divide %2318, %2322 : tensor<128x128xf32>
    %2324 = stablehlo.subtract %arg48, %2323 : tensor<128x128xf32>
    %2325 = stablehlo.broadcast_in_dim %1173, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %2326 = stablehlo.multiply %2325, %1423 : tensor<128xf32>
    %2327 = stablehlo.abs %1818 : tensor<128xf32>
    %2328 = stablehlo.sqrt %2327 : tensor<128xf32>
    %cst_601 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2329 = stablehlo.broadcast_in_dim %cst_601, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %2330 = stablehlo.add %2328, %2329 : tensor<128xf32>
    %2331 = stablehlo.divide %2326, %2330 : tensor<128xf32>
    %2332 = stablehlo.subtract %arg49, %2331 : tensor<128xf32>
    %2333 = stablehlo.broadcast_in_dim %1173, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %2334 = stablehlo.multiply %2333, %1428 : tensor<512xf32>
    %2335 = stablehlo.abs %1824 : tensor<512xf32>
    %2336 = stablehlo.sqrt %2335 : tensor<512xf32>
    %cst_602 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2337 = stablehlo.broadcast_in_dim %cst_602, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %2338 = stablehlo.add %2336, %2337 : tensor<512xf32>
    %2339 = stablehlo.divide %2334, %2338 : tensor<512xf32>
    %2340 = stablehlo.subtract %arg50, %2339 : tensor<512xf32>
    %2341 = stablehlo.broadcast_in_dim %1173, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %2342 = stablehlo.multiply %2341, %1433 : tensor<128xf32>
    %2343 = stablehlo.abs %1830 : tensor<128xf32>
    %2344 = stablehlo.sqrt %2343 : tensor<128xf32>
    %cst_603 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2345 = stablehlo.broadcast_in_dim %cst_603, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %2346 = stablehlo.add %2344, %2345 : tensor<128xf32>
    %2347 = stablehlo.divide %2342, %2346 : tensor<128xf32>
    %2348 = stablehlo.subtract %arg51, %2347 : tensor<128xf32>
    %2349 = stablehlo.broadcast_in_dim %1173, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %2350 = stablehlo.multiply %2349, %1438 : tensor<128xf32>
    %2351 = stablehlo.abs %1836 : tensor<128xf32>
    %2352 = stablehlo.sqrt %2351 : tensor<128xf32>
    %cst_604 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2353 = stablehlo.broadcast_in_dim %cst_604, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %2354 = stablehlo.add %2352, %2353 : tensor<128xf32>
    %2355 = stablehlo.divide %2350, %2354 : tensor<128xf32>
    %2356 = stablehlo.subtract %arg52, %2355 : tensor<128xf32>
    %2357 = stablehlo.broadcast_in_dim %1173, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %2358 = stablehlo.multiply %2357, %1443 : tensor<128xf32>
    %2359 = stablehlo.abs %1842 : tensor<128xf32>
    %2360 = stablehlo.sqrt %2359 : tensor<128xf32>
    %cst_605 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2361 = stablehlo.broadcast_in_dim %cst_605, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %2362 = stablehlo.add %2360, %2361 : tensor<128xf32>
    %2363 = stablehlo.divide %2358, %2362 : tensor<128xf32>
    %2364 = stablehlo.subtract %arg53, %2363 : tensor<128xf32>
    %2365 = stablehlo.broadcast_in_dim %1173, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %2366 = stablehlo.multiply %2365, %1448 : tensor<128xf32>
    %2367 = stablehlo.abs %1848 : tensor<128xf32>
    %2368 = stablehlo.sqrt %2367 : tensor<128xf32>
    %cst_606 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2369 = stablehlo.broadcast_in_dim %cst_606, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %2370 = stablehlo.add %2368, %2369 : tensor<128xf32>
    %2371 = stablehlo.divide %2366, %2370 : tensor<128xf32>
    %2372 = stablehlo.subtract %arg54, %2371 : tensor<128xf32>
    %2373 = stablehlo.broadcast_in_dim %1173, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %2374 = stablehlo.multiply %2373, %1453 : tensor<128xf32>
    %2375 = stablehlo.abs %1854 : tensor<128xf32>
    %2376 = stablehlo.sqrt %2375 : tensor<128xf32>
    %cst_607 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2377 = stablehlo.broadcast_in_dim %cst_607, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %2378 = stablehlo.add %2376, %2377 : tensor<128xf32>
    %2379 = stablehlo.divide %2374, %2378 : tensor<128xf32>
    %2380 = stablehlo.subtract %arg55, %2379 : tensor<128xf32>
    %2381 = stablehlo.broadcast_in_dim %1173, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %2382 = stablehlo.multiply %2381, %1458 : tensor<128xf32>
    %2383 = stablehlo.abs %1860 : tensor<128xf32>
    %2384 = stablehlo.sqrt %2383 : tensor<128xf32>
    %cst_608 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2385 = stablehlo.broadcast_in_dim %cst_608, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %2386 = stablehlo.add %2384, %2385 : tensor<128xf32>
    %2387 = stablehlo.divide %2382, %2386 : tensor<128xf32>
    %2388 = stablehlo.subtract %arg56, %2387 : tensor<128xf32>
    %2389 = stablehlo.broadcast_in_dim %1173, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %2390 = stablehlo.multiply %2389, %1463 : tensor<128xf32>
    %2391 = stablehlo.abs %1866 : tensor<128xf32>
    %2392 = stablehlo.sqrt %2391 : tensor<128xf32>
    %cst_609 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2393 = stablehlo.broadcast_in_dim %cst_609, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %2394 = stablehlo.add %2392, %2393 : tensor<128xf32>
    %2395 = stablehlo.divide %2390, %2394 : tensor<128xf32>
    %2396 = stablehlo.subtract %arg57, %2395 : tensor<128xf32>
    %2397 = stablehlo.broadcast_in_dim %1173, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %2398 = stablehlo.multiply %2397, %1468 : tensor<128xf32>
    %2399 = stablehlo.abs %1872 : tensor<128xf32>
    %2400 = stablehlo.sqrt %2399 : tensor<128xf32>
    %cst_610 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2401 = stablehlo.broadcast_in_dim %cst_610, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %2402 = stablehlo.add %2400, %2401 : tensor<128xf32>
    %2403 = stablehlo.divide %2398, %2402 : tensor<128xf32>
    %2404 = stablehlo.subtract %arg58, %2403 : tensor<128xf32>
    %2405 = stablehlo.broadcast_in_dim %1173, dims = [] : (tensor<f32>) -> tensor<512x128xf32>
    %2406 = stablehlo.multiply %2405, %1473 : tensor<512x128xf32>
    %2407 = stablehlo.abs %1878 : tensor<512x128xf32>
    %2408 = stablehlo.sqrt %2407 : tensor<512x128xf32>
    %cst_611 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2409 = stablehlo.broadcast_in_dim %cst_611, dims = [] : (tensor<f32>) -> tensor<512x128xf32>
    %2410 = stablehlo.add %2408, %2409 : tensor<512x128xf32>
    %2411 = stablehlo.divide %2406, %2410 : tensor<512x128xf32>
    %2412 = stablehlo.subtract %arg59, %2411 : tensor<512x128xf32>
    %2413 = stablehlo.broadcast_in_dim %1173, dims = [] : (tensor<f32>) -> tensor<128x512xf32>
    %2414 = stablehlo.multiply %2413, %1478 : tensor<128x512xf32>
    %2415 = stablehlo.abs %1884 : tensor<128x512xf32>
    %2416 = stablehlo.sqrt %2415 : tensor<128x512xf32>
    %cst_612 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2417 = stablehlo.broadcast_in_dim %cst_612, dims = [] : (tensor<f32>) -> tensor<128x512xf32>
    %2418 = stablehlo.add %2416, %2417 : tensor<128x512xf32>
    %2419 = stablehlo.divide %2414, %2418 : tensor<128x512xf32>
    %2420 = stablehlo.subtract %arg60, %2419 : tensor<128x512xf32>
    %2421 = stablehlo.broadcast_in_dim %1173, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
    %2422 = stablehlo.multiply %2421, %1483 : tensor<128x128xf32>
    %2423 = stablehlo.abs %1890 : tensor<128x128xf32>
    %2424 = stablehlo.sqrt %2423 : tensor<128x128xf32>
    %cst_613 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2425 = stablehlo.broadcast_in_dim %cst_613, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
    %2426 = stablehlo.add %2424, %2425 : tensor<128x128xf32>
    %2427 = stablehlo.divide %2422, %2426 : tensor<128x128xf32>
    %2428 = stablehlo.subtract %arg61, %2427 : tensor<128x128xf32>
    %2429 = stablehlo.broadcast_in_dim %1173, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
    %2430 = stablehlo.multiply %2429, %1488 : tensor<128x128xf32>
    %2431 = stablehlo.abs %1896 : tensor<128x128xf32>
    %2432 = stablehlo.sqrt %2431 : tensor<128x128xf32>
    %cst_614 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2433 = stablehlo.broadcast_in_dim %cst_614, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
    %2434 = stablehlo.add %2432, %2433 : tensor<128x128xf32>
    %2435 = stablehlo.divide %2430, %2434 : tensor<128x128xf32>
    %2436 = stablehlo.subtract %arg62, %2435 : tensor<128x128xf32>
    %2437 = stablehlo.broadcast_in_dim %1173, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
    %2438 = stablehlo.multiply %2437, %1493 : tensor<128x128xf32>
    %2439 = stablehlo.abs %1902 : tensor<128x128xf32>
    %2440 = stablehlo.sqrt %2439 : tensor<128x128xf32>
    %cst_615 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2441 = stablehlo.broadcast_in_dim %cst_615, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
    %2442 = stablehlo.add %2440, %2441 : tensor<128x128xf32>
    %2443 = stablehlo.divide %2438, %2442 : tensor<128x128xf32>
    %2444 = stablehlo.subtract %arg63, %2443 : tensor<128x128xf32>
    %2445 = stablehlo.broadcast_in_dim %1173, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
    %2446 = stablehlo.multiply %2445, %1498 : tensor<128x128xf32>
    %2447 = stablehlo.abs %1908 : tensor<128x128xf32>
    %2448 = stablehlo.sqrt %2447 : tensor<128x128xf32>
    %cst_616 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2449 = stablehlo.broadcast_in_dim %cst_616, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
    %2450 = stablehlo.add %2448, %2449 : tensor<128x128xf32>
    %2451 = stablehlo.divide %2446, %2450 : tensor<128x128xf32>
    %2452 = stablehlo.subtract %arg64, %2451 : tensor<128x128xf32>
    %2453 = stablehlo.broadcast_in_dim %1173, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %2454 = stablehlo.multiply %2453, %1503 : tensor<128xf32>
    %2455 = stablehlo.abs %1914 : tensor<128xf32>
    %2456 = stablehlo.sqrt %2455 : tensor<128xf32>
    %cst_617 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2457 = stablehlo.broadcast_in_dim %cst_617, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %2458 = stablehlo.add %2456, %2457 : tensor<128xf32>
    %2459 = stablehlo.divide %2454, %2458 : tensor<128xf32>
    %2460 = stablehlo.subtract %arg65, %2459 : tensor<128xf32>
    %2461 = stablehlo.broadcast_in_dim %1173, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %2462 = stablehlo.multiply %2461, %1508 : tensor<128xf32>
    %2463 = stablehlo.abs %1920 : tensor<128xf32>
    %2464 = stablehlo.sqrt %2463 : tensor<128xf32>
    %cst_618 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2465 = stablehlo.broadcast_in_dim %cst_618, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %2466 = stablehlo.add %2464, %2465 : tensor<128xf32>
    %2467 = stablehlo.divide %2462, %2466 : tensor<128xf32>
    %2468 = stablehlo.subtract %arg66, %2467 : tensor<128xf32>
    %2469 = stablehlo.broadcast_in_dim %1173, dims = [] : (tensor<f32>) -> tensor<64x128xf32>
    %2470 = stablehlo.multiply %2469, %1513 : tensor<64x128xf32>
    %2471 = stablehlo.abs %1926 : tensor<64x128xf32>
    %2472 = stablehlo.sqrt %2471 : tensor<64x128xf32>
    %cst_619 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2473 = stablehlo.broadcast_in_dim %cst_619, dims = [] : (tensor<f32>) -> tensor<64x128xf32>
    %2474 = stablehlo.add %2472, %2473 : tensor<64x128xf32>
    %2475 = stablehlo.divide %2470, %2474 : tensor<64x128xf32>
    %2476 = stablehlo.subtract %arg67, %2475 : tensor<64x128xf32>
    %2477 = stablehlo.broadcast_in_dim %1173, dims = [] : (tensor<f32>) -> tensor<512x128xf32>
    %2478 = stablehlo.multiply %2477, %1518 : tensor<512x128xf32>
    %2479 = stablehlo.abs %1932 : tensor<512x128xf32>
    %2480 = stablehlo.sqrt %2479 : tensor<512x128xf32>
    %cst_620 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2481 = stablehlo.broadcast_in_dim %cst_620, dims = [] : (tensor<f32>) -> tensor<512x128xf32>
    %2482 = stablehlo.add %2480, %2481 : tensor<512x128xf32>
    %2483 = stablehlo.divide %2478, %2482 : tensor<512x128xf32>
    %2484 = stablehlo.subtract %arg68, %2483 : tensor<512x128xf32>
    return %1940, %1948, %1956, %1964, %1972, %1980, %1988, %1996, %2004, %2012, %2020, %2028, %2036, %2044, %2052, %2060, %2068, %2076, %2084, %2092, %2100, %2108, %2116, %2124, %2132, %2140, %2148, %2156, %2164, %2172, %2180, %2188, %2196, %2204, %2212, %2220, %2228, %2236, %2244, %2252, %2260, %2268, %2276, %2284, %2292, %2300, %2308, %2316, %2324, %2332, %2340, %2348, %2356, %2364, %2372, %2380, %2388, %2396, %2404, %2412, %2420, %2428, %2436, %2444, %2452, %2460, %2468, %2476, %2484, %1165, %1178, %1183, %1188, %1193, %1198, %1203, %1208, %1213, %1218, %1223, %1228, %1233, %1238, %1243, %1248, %1253, %1258, %1263, %1268, %1273, %1278, %1283, %1288, %1293, %1298, %1303, %1308, %1313, %1318, %1323, %1328, %1333, %1338, %1343, %1348, %1353, %1358, %1363, %1368, %1373, %1378, %1383, %1388, %1393, %1398, %1403, %1408, %1413, %1418, %1423, %1428, %1433, %1438, %1443, %1448, %1453, %1458, %1463, %1468, %1473, %1478, %1483, %1488, %1493, %1498, %1503, %1508, %1513, %1518, %1524, %1530, %1536, %1542, %1548, %1554, %1560, %1566, %1572, %1578, %1584, %1590, %1596, %1602, %1608, %1614, %1620, %1626, %1632, %1638, %1644, %1650, %1656, %1662, %1668, %1674, %1680, %1686, %1692, %1698, %1704, %1710, %1716, %1722, %1728, %1734, %1740, %1746, %1752, %1758, %1764, %1770, %1776, %1782, %1788, %1794, %1800, %1806, %1812, %1818, %1824, %1830, %1836, %1842, %1848, %1854, %1860, %1866, %1872, %1878, %1884, %1890, %1896, %1902, %1908, %1914, %1920, %1926, %1932, %519 : tensor<128x512xf32>, tensor<128xf32>, tensor<512xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<512x128xf32>, tensor<128x512xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128xf32>, tensor<512xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<512x128xf32>, tensor<128x512xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128xf32>, tensor<512xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<512x128xf32>, tensor<128x512xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128xf32>, tensor<512xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<512x128xf32>, tensor<128x512xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<64x128xf32>, tensor<512x128xf32>, tensor<i32>, tensor<128x512xf32>, tensor<128xf32>, tensor<512xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<512x128xf32>, tensor<128x512xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128xf32>, tensor<512xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<512x128xf32>, tensor<128x512xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128xf32>, tensor<512xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<512x128xf32>, tensor<128x512xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128xf32>, tensor<512xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<512x128xf32>, tensor<128x512xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<64x128xf32>, tensor<512x128xf32>, tensor<128x512xf32>, tensor<128xf32>, tensor<512xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<512x128xf32>, tensor<128x512xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128xf32>, tensor<512xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<512x128xf32>, tensor<128x512xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128xf32>, tensor<512xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<512x128xf32>, tensor<128x512xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128xf32>, tensor<512xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<512x128xf32>, tensor<128x512xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<64x128xf32>, tensor<512x128xf32>, tensor<f32>
  }
}
