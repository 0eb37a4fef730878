# SPDX-License-Identifier: Apache-2.0
"""The notebooks of examples/notebooks, executed from the first cell to the last by nbconvert: none fails, and the cells that show plans
and shardings show pictures. They are kept without outputs. Usage: test_notebook.py NOTEBOOK..."""

import json
import os
import subprocess
import sys
import tempfile
import unittest

import lane

lane.enter("jax", "nbconvert", "ipykernel")


def executed(path, scratch):
    """The notebook with the outputs of its cells."""
    places = {name: scratch for name in ("IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_RUNTIME_DIR", "JUPYTER_DATA_DIR")}
    done = subprocess.run(
        [sys.executable, "-m", "nbconvert", "--to", "notebook", "--execute", "--ExecutePreprocessor.timeout=300", "--output-dir", scratch,
         "--output", "executed", path],
        capture_output=True, text=True, check=False, env={**os.environ, **places})
    if done.returncode:
        raise AssertionError(done.stdout[-4000:] + done.stderr[-4000:])
    with open(os.path.join(scratch, "executed.ipynb"), encoding="utf-8") as file:
        return json.load(file)


class Notebooks(unittest.TestCase):
    paths = []

    def test_kept_without_outputs(self):
        for path in self.paths:
            with open(path, encoding="utf-8") as file:
                cells = [cell for cell in json.load(file)["cells"] if cell["cell_type"] == "code"]
            self.assertTrue(cells)
            for cell in cells:
                self.assertEqual((cell["outputs"], cell["execution_count"]), ([], None), path)

    def test_executed(self):
        for path in self.paths:
            with tempfile.TemporaryDirectory() as scratch:
                outputs = [out for cell in executed(path, scratch)["cells"] for out in cell.get("outputs", [])]
            shown = ["".join(out["data"].get("text/html", "")) for out in outputs if "data" in out]
            printed = "".join("".join(out["text"]) for out in outputs if out["output_type"] == "stream")
            self.assertEqual([out for out in outputs if out["output_type"] == "error"], [])
            self.assertEqual(len(shown), 2)
            self.assertTrue(all("<svg" in html for html in shown), shown)
            self.assertIn("<td>params[&#x27;down&#x27;]</td><td>f32[256,64]</td><td>[{model}, {}]</td>", shown[0])
            self.assertIn("all_reduce   over model", printed)
            self.assertIn("on 8 devices", printed)


if __name__ == "__main__":
    Notebooks.paths = sys.argv[1:]
    unittest.main(argv=sys.argv[:1])
