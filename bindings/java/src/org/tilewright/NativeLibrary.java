// SPDX-License-Identifier: Apache-2.0
package org.tilewright;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Loads the native library: the file that the property org.tilewright.library names, else the one in the jar,
 * else tilewright_java from java.library.path.
 */
final class NativeLibrary {
  private static final String NAME = "tilewright_java";

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

  /** The names of the files in the jar for this system, in the order in which they are loaded. */
  private static List<String> listed() {
    try (InputStream list = NativeLibrary.class.getResourceAsStream(folder() + "files")) {
      return list == null ? List.of() : new String(list.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    } catch (IOException error) {
      throw new UncheckedIOException("the list of native libraries in the jar cannot be read", error);
    }
  }

  /**
   * Only libraries can be loaded that are files. The plug-ins for MPI lie beside the library, which looks for
   * them there.
   */
  private static void loadExtracted(List<String> names) {
    try {
      Path folder = Files.createTempDirectory("tilewright");
      folder.toFile().deleteOnExit();
      List<Path> libraries = new ArrayList<>();
      for (String name : names) {
        Path file = folder.resolve(name);
        try (InputStream bytes = NativeLibrary.class.getResourceAsStream(folder() + name)) {
          Files.copy(bytes, file);
        }
        file.toFile().deleteOnExit();
        if (!name.startsWith("libtilewright_") || name.contains(NAME)) {
          libraries.add(file);
        }
      }
      for (Path file : libraries) {
        System.load(file.toString());
      }
    } catch (IOException error) {
      throw new UncheckedIOException("the native library cannot be extracted from the jar", error);
    }
  }
}
