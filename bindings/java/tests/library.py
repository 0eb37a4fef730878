# SPDX-License-Identifier: Apache-2.0
"""Where the native library comes from: out of the jar, from java.library.path where the jar has none, or from the property; and
what else is in the jar; and the jar that brings what its libraries need. Usage: library.py JAVA JAR NATIVE_LIBRARY VERSION ONE_JAR.py"""

import hashlib
import os
import re
import subprocess
import sys
import tempfile
import zipfile

java, version = sys.argv[1], sys.argv[4]
jar, library = [os.path.abspath(path) for path in sys.argv[2:4]]
SHOW = """
public final class Show {
  public static void main(String[] arguments) throws Exception {
    System.out.println(org.tilewright.Tilewright.version());
    java.nio.file.Files.lines(java.nio.file.Path.of("/proc/self/maps"))
        .filter(line -> line.contains("libtilewright")).map(line -> line.substring(line.indexOf('/'))).distinct().forEach(System.out::println);
  }
}
"""

with tempfile.TemporaryDirectory() as root:
    moved, bare, source, extracted = [os.path.join(root, name) for name in ("moved.jar", "bare.jar", "Show.java", "extracted")]
    os.mkdir(extracted)
    with open(source, "w", encoding="utf-8") as file:
        file.write(SHOW)
    with zipfile.ZipFile(jar) as whole, zipfile.ZipFile(moved, "w") as copy, zipfile.ZipFile(bare, "w") as without:
        for name in whole.namelist():
            copy.writestr(name, whole.read(name))
            if not name.startswith("META-INF/native/"):
                without.writestr(name, whole.read(name))
        pom = whole.read("META-INF/maven/org.tilewright/tilewright/pom.xml").decode()
    for line in ("<groupId>org.tilewright</groupId>", "<artifactId>tilewright</artifactId>", f"<version>{version}</version>"):
        assert line in pom, pom

    def show(classes, *options):
        done = subprocess.run([java, *options, "-cp", classes, source], cwd="/", capture_output=True, text=True, check=False)
        lines = done.stdout.split("\n")
        return done, lines[0], {os.path.dirname(path) for path in lines[1:] if path}

    done, shown, folders = show(moved, "-Djava.io.tmpdir=" + extracted)
    assert done.returncode == 0 and shown == version, done
    assert len(folders) == 1 and folders.pop().startswith(extracted + "/"), done.stdout
    assert os.listdir(extracted) == [], f"left behind: {os.listdir(extracted)}"
    for classes, option in ((bare, "-Djava.library.path=" + os.path.dirname(library)), (moved, "-Dorg.tilewright.library=" + library)):
        done, shown, folders = show(classes, option, "-Djava.io.tmpdir=" + extracted)
        assert done.returncode == 0 and shown == version, done
        assert os.path.dirname(library) in folders and not any(f.startswith(extracted) for f in folders), done.stdout
    done, _, _ = show(bare, "-Djava.library.path=" + extracted)
    assert done.returncode != 0 and "no tilewright_java in java.library.path" in done.stderr, done

    # A library that the system lacks: its package is named, and those of the others. One that was damaged on its way is not loaded.
    lacking, damaged = (os.path.join(root, name) for name in ("lacking.jar", "damaged.jar"))
    needed, digests = set(), {}
    with zipfile.ZipFile(jar) as whole, zipfile.ZipFile(lacking, "w") as copy, zipfile.ZipFile(damaged, "w") as other:
        for name in whole.namelist():
            data = whole.read(name)
            if "/libtilewright.so" in name:
                needed = set(re.findall(rb"lib(fmt|hwy|dnnl|gomp)\.so\.(\d+)\0", data))
                changed = re.sub(rb"lib(fmt|hwy|dnnl|gomp)(?=\.so\.\d+\0)", lambda found: found[0][:-1] + b"_", data, count=1)
                digests = {hashlib.sha256(of).hexdigest(): of for of in (data, changed)}
                other.writestr(name, data[:-1] + bytes([data[-1] ^ 1]))
                data = changed
            elif not name.endswith("/files"):
                other.writestr(name, data)
            if not name.endswith("/files"):
                copy.writestr(name, data)
        (name,) = [name for name in whole.namelist() if name.endswith("/files")]
        listed = whole.read(name).decode()
        other.writestr(name, listed)
        old, new = digests if len(digests) == 2 else (*digests, *digests)
        assert old in listed, listed
        copy.writestr(name, listed.replace(old, new))
    done, _, _ = show(damaged, "-Djava.io.tmpdir=" + extracted)
    assert done.returncode != 0 and re.search(r"the jar's libtilewright\.so\S* is damaged: its SHA-256 is \w{64}, and the jar says " + old, done.stderr), done.stderr
    if needed:
        done, _, _ = show(lacking, "-Djava.io.tmpdir=" + extracted)
        assert done.returncode != 0 and "which this system lacks. Debian, Ubuntu: apt-get install lib" in done.stderr, done.stderr
        told = sum(f"lib{name.decode()}{number.decode()}" in done.stderr for name, number in needed)
        assert told >= len(needed) - 1, done.stderr

    # The jar that brings what its libraries need: those are loaded from there.
    one = os.path.join(root, "one.jar")
    subprocess.run([sys.executable, sys.argv[5], jar, one], check=True)
    everything = os.path.join(root, "Everything.java")
    with open(everything, "w", encoding="utf-8") as file:
        file.write(SHOW.replace('line.contains("libtilewright")', 'line.contains(".so")'))
    source = everything
    done, shown, _ = show(one, "-Djava.io.tmpdir=" + extracted)
    assert done.returncode == 0 and shown == version, done
    for name, number in needed:
        assert f"/lib{name.decode()}.so.{number.decode()}" in done.stdout, (name, done.stdout)
        assert not re.search(rf"^/(usr/)?lib/.*lib{name.decode()}\.so", done.stdout, re.MULTILINE), done.stdout
    assert os.listdir(extracted) == [], f"left behind: {os.listdir(extracted)}"
