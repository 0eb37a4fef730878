# SPDX-License-Identifier: Apache-2.0
"""Checks that go on, so that a run shows all that is wrong."""

failures = []


def check(condition, what):
    if not condition:
        failures.append(what)
        print("FAILED:", what)
