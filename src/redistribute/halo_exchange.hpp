// SPDX-License-Identifier: Apache-2.0
// The direct exchange where tiles have halos: every device keeps what it holds already, in its tile or in its
// halo, and gets each other element from one device whose tile has it, however far that is and also around
// the corner. What stands in its halo more than once, because the array wraps, it gets once and copies.
#pragma once

#include "redistribute/plan.hpp"

namespace tw::redistribute {

// Sets buffers, images and steps of a plan for its problem, whose layouts have halos.
void plan_halo_exchange(Plan &plan);

} // namespace tw::redistribute
