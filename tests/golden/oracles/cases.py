# SPDX-License-Identifier: Apache-2.0
"""Every family of the oracle corpus: a family is a file, its cases are modules of that file."""

import cases_control
import cases_elementwise
import cases_linear
import cases_movement
import cases_reduction


def families():
    for part in (cases_elementwise, cases_movement, cases_reduction, cases_linear, cases_control):
        for name in sorted(vars(part)):
            if name.startswith("family_"):
                yield name.removeprefix("family_"), getattr(part, name)()
