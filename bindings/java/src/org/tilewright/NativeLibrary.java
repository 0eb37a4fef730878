// SPDX-License-Identifier: Apache-2.0
package org.tilewright;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Loads the native library: the file that the property org.tilewright.library names, else the one in the jar,
 * else tilewright_java from java.library.path.
 */
final class NativeLibrary {
  private static final String NAME = "tilewright_java";
  private static final Pattern SONAME = Pattern.compile("lib([A-Za-z_]+)\\.so\\.(\\d+)");
  private static final Pattern NEEDED = Pattern.compile("lib(fmt|hwy|dnnl|gomp)\\.so\\.(\\d+)");

  static {
    String given = System.getProperty("org.tilewright.library");
    List<String> inJar = given == null ? listed() : List.of();
    if (given != null) {
      System.load(Path.of(given).toAbsolutePath().toString());
    } else if (inJar.isEmpty()) {
      System.loadLibrary(NAME);
    } else {
      loadExtracted(inJar);
    }
  }

  private NativeLibrary() {}

  /** Loads it, once. */
  static void load() {}

  private static String folder() {
    String system = System.getProperty("os.name").toLowerCase(Locale.ROOT);
    String machine = System.getProperty("os.arch").toLowerCase(Locale.ROOT);
    return "/META-INF/native/" + system + "-" + (machine.equals("amd64") ? "x86_64" : machine) + "/";
  }

  /** The files in the jar for this system, in the order in which they are loaded: name, space, SHA-256. */
  private static List<String> listed() {
    try (InputStream list = NativeLibrary.class.getResourceAsStream(folder() + "files")) {
      return list == null ? List.of() : new String(list.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    } catch (IOException error) {
      throw new UncheckedIOException("the list of native libraries in the jar cannot be read", error);
    }
  }

  /** Loads a file, or says which packages the system lacks. */
  private static void load(Path file, Path library) throws IOException {
    try {
      System.load(file.toString());
    } catch (UnsatisfiedLinkError error) {
      String text = String.valueOf(error.getMessage());
      String advice = advice(text.substring(text.indexOf(": ") + 1), library); // the file's own name is first
      UnsatisfiedLinkError told = new UnsatisfiedLinkError(text + advice);
      told.initCause(error);
      throw told;
    }
  }

  /** Where the loader lacks a library, all that ours needs; Debian's package of libfmt.so.9 is libfmt9. */
  static String advice(String message, Path library) throws IOException {
    Matcher missing = SONAME.matcher(message);
    if (!message.contains("cannot open shared object file") || !missing.find()) {
      return "";
    }
    Set<String> packages = new TreeSet<>();
    packages.add("lib" + missing.group(1) + missing.group(2));
    Matcher needed = NEEDED.matcher(Files.readString(library, StandardCharsets.ISO_8859_1));
    while (needed.find()) {
      packages.add("lib" + needed.group(1) + needed.group(2));
    }
    return "\ntilewright needs " + missing.group() + ", which this system lacks. Debian, Ubuntu: apt-get install "
        + String.join(" ", packages);
  }

  /**
   * Only libraries can be loaded that are files. The plug-ins for MPI lie beside the library, which looks for
   * them there.
   */
  private static void loadExtracted(List<String> listed) {
    try {
      Path folder = Files.createTempDirectory("tilewright");
      folder.toFile().deleteOnExit();
      List<Path> libraries = new ArrayList<>();
      Path own = null;
      for (String line : listed) {
        int end = line.indexOf(' ');
        String name = line.substring(0, end);
        Path file = folder.resolve(name);
        extract(name, line.substring(end + 1), file);
        if (name.startsWith("libtilewright.so")) {
          own = file;
        }
        if (!name.startsWith("libtilewright_") || name.contains(NAME)) {
          libraries.add(file);
        }
      }
      for (Path file : libraries) {
        load(file, own);
      }
    } catch (IOException error) {
      throw new UncheckedIOException("the native library cannot be extracted from the jar", error);
    }
  }

  /** A jar that was cut or changed on its way is told before any of it runs. */
  private static void extract(String name, String digest, Path file) throws IOException {
    MessageDigest seen;
    try {
      seen = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException error) {
      throw new IllegalStateException("every Java has SHA-256", error);
    }
    try (InputStream bytes = NativeLibrary.class.getResourceAsStream(folder() + name)) {
      if (bytes == null) {
        throw new UnsatisfiedLinkError("the jar lists " + name + ", and lacks it");
      }
      Files.copy(new DigestInputStream(bytes, seen), file);
    }
    file.toFile().deleteOnExit();
    String found = HexFormat.of().formatHex(seen.digest());
    if (!found.equals(digest)) {
      throw new UnsatisfiedLinkError(
          "the jar's " + name + " is damaged: its SHA-256 is " + found + ", and the jar says " + digest);
    }
  }
}
