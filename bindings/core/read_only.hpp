// SPDX-License-Identifier: Apache-2.0
// Tensors over memory of the host that nobody may write to.
#pragma once

#define TW_DLPACK_STRUCTS
#include <tilewright/tw_dlpack.h>

namespace tw::bindings {

// The same tensor, which nobody may write to: only DLPack can say so. Takes over `tensor` where it succeeds.
inline tw_status_t make_read_only(tw_tensor_t **tensor) {
  DLManagedTensorVersioned *managed = nullptr;
  tw_status_t status = tw_tensor_to_dlpack_versioned(*tensor, &managed);
  if (status != TW_OK)
    return status;
  managed->flags |= 1;
  tw_tensor_t *read_only = nullptr;
  status = tw_tensor_from_dlpack_versioned(managed, &read_only);
  if (status != TW_OK) {
    managed->deleter(managed);
    return status;
  }
  tw_tensor_release(*tensor);
  *tensor = read_only;
  return TW_OK;
}

} // namespace tw::bindings
