# SPDX-License-Identifier: Apache-2.0
"""A headless Chromium, driven through its DevTools protocol over a pipe: nothing but Python's own library."""

import json
import os
import select
import shutil
import subprocess
import tempfile
import time

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")


def find():
    """The browser that TW_BROWSER names, or the first that is installed; None where there is none."""
    named = os.environ.get("TW_BROWSER")
    return named or next((path for path in map(shutil.which, NAMES) if path), None)


class Failed(Exception):
    """The page or the browser did what it should not."""


class Browser:
    """One browser with one page. Whatever the page reports as wrong, and whatever it asks the network for, is in `problems`."""

    def __init__(self, path, seconds=120):
        self.seconds, self.number, self.events, self.problems = seconds, 0, [], []
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        to_browser, self.to = os.pipe()
        self.back, from_browser = os.pipe()
        # It reads commands from descriptor 3 and answers on 4.
        script = f'exec 3<&{to_browser} 4>&{from_browser}; exec "$@"'
        flags = ["--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                 "--disable-background-networking", "--disable-component-update", "--hide-scrollbars", f"--user-data-dir={self.profile.name}"]
        self.process = subprocess.Popen(["bash", "-c", script, "bash", path, *flags, "about:blank"], pass_fds=[to_browser, from_browser],
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.text = b""
        self.session = None
        target = next(t for t in self.command("Target.getTargets")["targetInfos"] if t["type"] == "page")
        self.session = self.command("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.command(domain + ".enable")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        os.close(self.to)
        os.close(self.back)
        self.profile.cleanup()

    def message(self, until):
        """The next thing that the browser says."""
        while b"\0" not in self.text:
            left = until - time.monotonic()
            if left <= 0 or not select.select([self.back], [], [], left)[0]:
                raise Failed(f"the browser said nothing for {self.seconds} s")
            got = os.read(self.back, 1 << 20)
            if not got:
                raise Failed("the browser ended")
            self.text += got
        text, _, self.text = self.text.partition(b"\0")
        return json.loads(text)

    def command(self, method, **parameters):
        self.number += 1
        about = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            about["sessionId"] = self.session
        text = json.dumps(about).encode() + b"\0"
        while text:
            text = text[os.write(self.to, text) :]
        until = time.monotonic() + self.seconds
        while True:
            said = self.message(until)
            if said.get("id") == self.number:
                if "error" in said:
                    raise Failed(f"{method}: {said['error']['message']}")
                return said["result"]
            self.note(said)

    def note(self, event):
        method, about = event.get("method"), event.get("params", {})
        if method == "Runtime.exceptionThrown":
            details = about["exceptionDetails"]
            self.problems.append(f"exception: {details.get('exception', {}).get('description', details['text'])}")
        elif method == "Log.entryAdded" and about["entry"]["level"] in ("error", "warning"):
            self.problems.append(f"{about['entry']['level']}: {about['entry']['text']}")
        elif method == "Runtime.consoleAPICalled" and about["type"] in ("error", "warning", "assert"):
            self.problems.append(f"console.{about['type']}: {[a.get('value') for a in about['args']]}")
        elif method == "Network.requestWillBeSent" and not about["request"]["url"].startswith(("file:", "data:", "about:")):
            self.problems.append(f"asks for {about['request']['url']}")

    def evaluate(self, script):
        """The value of an expression, which may be a promise, in the page."""
        said = self.command("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in said:
            details = said["exceptionDetails"]
            raise Failed(f"{script[:200]}: {details.get('exception', {}).get('description', details['text'])}")
        return said["result"].get("value")

    def open(self, path):
        """Shows a file; how many seconds it takes until its last section is there."""
        begin = time.monotonic()
        self.command("Page.navigate", url="file://" + os.path.abspath(path))
        while self.evaluate("document.documentElement?.dataset.ready") != "true":
            if time.monotonic() - begin > self.seconds or self.problems:
                raise Failed(f"{path} is not there after {time.monotonic() - begin:.0f} s; {self.problems}")
            time.sleep(0.02)
        return time.monotonic() - begin

    def look(self, width, height, dark, mobile=False):
        self.command("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=mobile)
        self.command("Emulation.setEmulatedMedia", media="", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def key(self, key):
        for kind in ("keyDown", "keyUp"):
            text = {"text": key} if kind == "keyDown" and len(key) == 1 else {}
            self.command("Input.dispatchKeyEvent", type=kind, key=key, **text)

    def mouse(self, kind, x, y, **more):
        self.command("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)
