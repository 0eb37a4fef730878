# SPDX-License-Identifier: Apache-2.0
"""What other people's viewers make of our files: Perfetto's trace processor of `tw trace` and `tw run --trace`, and Model Explorer, in a
browser, of `tw emit --to model-explorer`. Usage: viewers.py TW perfetto|model_explorer. Runs under the python that TW_VIEWERS_PYTHON names
(`./dev test --viewers` makes one); skipped without."""

import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from urllib.parse import quote

ROOT = os.path.abspath(sys.path[0] + "/../..")
STEP = ["examples/models/gpt_step.mlir", "--mesh", "data=2,model=4", "--spec", "examples/specs/gpt_megatron.txt"]


def skip(why):
    print("skipped:", why)
    sys.exit(77)


python = os.environ.get("TW_VIEWERS_PYTHON")
if python is None:
    skip("TW_VIEWERS_PYTHON names no python with perfetto and ai-edge-model-explorer")
if sys.executable != python:
    os.execv(python, [python, *sys.argv])


def write(folder, name, *words):
    """A file that tw writes to its standard output, or where {} stands."""
    path = os.path.join(folder, name)
    made = subprocess.run([tw, *(word.replace("{}", path) for word in words)], cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout
    if not any("{}" in word for word in words):
        with open(path, "wb") as file:
            file.write(made)
    return path


def perfetto(folder):
    from perfetto.trace_processor import TraceProcessor

    traces = [write(folder, "foreseen.json", "trace", *STEP, "--system", "a100-40g"),
              write(folder, "levels.json", "trace", *STEP, "--system", "a100-40g", "--levels", "node=2"),
              write(folder, "ran.json", "run", *STEP, "--quiet", "--trace", "{}")]
    for path in traces:
        with open(path, encoding="utf-8") as file:
            trace = json.load(file)
        try:
            processor = TraceProcessor(trace=path)
        except subprocess.CalledProcessError as e:
            skip(f"Perfetto's trace processor, a program that its package fetches, could not be had: {e}")
        slices = [event for event in trace["traceEvents"] if event["ph"] == "X"]
        rows = list(processor.query("select name, ts, dur from slice"))
        assert len(rows) == len(slices), (path, len(rows), len(slices))
        assert sorted(row.name for row in rows) == sorted(event["name"] for event in slices), path
        begin = min(event["ts"] for event in slices)
        end = max(event["ts"] + event["dur"] for event in slices)
        read = (max(row.ts + row.dur for row in rows) - min(row.ts for row in rows)) / 1e3  # nanoseconds
        assert abs(read - (end - begin)) <= 1e-3 * (end - begin) + 2, (path, read, end - begin)
        if "ms" in trace["otherData"]:  # it sums to the estimate
            assert abs(read / 1e3 - trace["otherData"]["ms"]) <= 1e-3 * read, (path, read, trace["otherData"])
        dropped = list(processor.query("select name, value from stats where severity = 'error' and value > 0"))
        assert not dropped, (path, [(row.name, row.value) for row in dropped])
        processor.close()


def free_port():
    with socket.socket() as one:
        one.bind(("localhost", 0))
        return one.getsockname()[1]


def model_explorer(folder):
    from devtools import Browser, Failed, find

    browser = find()
    if browser is None:
        skip("there is no Chromium; TW_BROWSER may name one")
    path = write(folder, "step.json", "emit", *STEP, "--to", "model-explorer")
    with open(path, encoding="utf-8") as file:
        graph = json.load(file)["graphs"][0]
    port = free_port()
    server = subprocess.Popen([os.path.join(os.path.dirname(python), "model-explorer"), path, "--no_open_in_browser", "--port", str(port)],
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        until = time.monotonic() + 60
        while socket.socket().connect_ex(("localhost", port)) != 0:
            assert time.monotonic() < until, "Model Explorer does not listen"
            time.sleep(0.2)
        with Browser(browser) as page:
            page.command("Page.navigate", url=f"http://localhost:{port}/?data=" + quote(json.dumps({"models": [{"url": path}]})))
            shown = ""
            while "op node count" not in shown:
                assert time.monotonic() < until + 60, f"Model Explorer shows no graph: {shown}"
                time.sleep(0.5)
                try:
                    shown = page.evaluate("document.body.innerText")
                except Failed:
                    continue  # between two pages
        words = shown.split()
        count = int(words[words.index("count") + 1].replace(",", ""))
        assert count == len(graph["nodes"]), (count, len(graph["nodes"]), shown)
        assert "data=2,model=4" in shown, shown
    finally:
        server.terminate()
        server.wait()


tw = os.path.abspath(sys.argv[1])
with tempfile.TemporaryDirectory() as made:
    {"perfetto": perfetto, "model_explorer": model_explorer}[sys.argv[2]](made)
