// SPDX-License-Identifier: Apache-2.0
package org.tilewright.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.tilewright.tests.Support.mlp;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tilewright.LowerOptions;
import org.tilewright.Machine;
import org.tilewright.Mesh;
import org.tilewright.Plan;
import org.tilewright.Search;
import org.tilewright.SearchOptions;
import org.tilewright.Status;
import org.tilewright.TilewrightException;

/** Searches: what they find, and ways to end one. */
final class SearchTest {
  private static Machine machine() throws TilewrightException {
    return Machine.load("a100-40g");
  }

  private static Plan plan() throws TilewrightException {
    return mlp().plan(Mesh.of("data", 2, "model", 2));
  }

  @Test
  void found() throws TilewrightException {
    Search search = plan().search(machine(), new SearchOptions().episodes(100).seed(7).threads(1));
    assertEquals(plan().apply(search.spec()).shardings(), search.plan().shardings());
    assertTrue(search.report().contains("\"cost_ms\""), search.report());
    assertTrue(search.progress().episodes() > 0 && search.progress().costSeconds() > 0 && search.progress().peakBytes() > 0);
    assertTrue(search.progress().boundSeconds() > 0 && search.progress().boundSeconds() <= search.progress().costSeconds());
    assertTrue(search.fits());
    assertTrue(search.toString().matches("Search\\(mlp: [0-9.]+ ms a run is the best of 100 plans\\)"), search.toString());
    assertEquals(search.spec(), plan().search(machine(), new SearchOptions().episodes(100).seed(7).threads(2)).spec());
  }

  @Test
  void options() throws TilewrightException {
    SearchOptions options = new SearchOptions().episodes(20).lower(new LowerOptions().gatherPerUse().without("fuse_moves"));
    assertTrue(plan().search(machine(), options).report().contains("\"per-use\""));
    Search none = plan().search(machine(), options.capBytes(100));
    assertTrue(none.report().contains("\"infeasible\""));
    assertFalse(none.fits());
    assertTrue(none.toString().matches(".* plans; NONE FITS 100 bytes \\(least [0-9]+ bytes\\)\\)"), none.toString());
    assertTrue(options.toString().contains("cap_bytes=100") && options.toString().startsWith("SearchOptions(episodes=20"), options.toString());
    for (SearchOptions wrong :
        new SearchOptions[] {
          new SearchOptions().episodes(-1), new SearchOptions().seconds(-1), new SearchOptions().lower(new LowerOptions().bucketBytes(-1))
        }) {
      assertEquals(
          Status.INVALID_ARGUMENT, assertThrows(TilewrightException.class, () -> plan().search(machine(), wrong)).status());
    }
  }

  @Test
  void nearEnough() throws TilewrightException {
    String report = plan().search(machine(), new SearchOptions().episodes(50).gap(0.9)).report();
    assertTrue(report.contains("\"status\": \"gap\""), report);
  }

  @Test
  void cached(@TempDir Path folder) throws TilewrightException {
    SearchOptions options = new SearchOptions().episodes(20).exact().cache(folder.resolve("kept").toString());
    Search first = plan().search(machine(), options);
    assertTrue(first.report().contains("\"cached\": false"), first.report());
    Search second = plan().search(machine(), options);
    assertTrue(second.report().contains("\"cached\": true"), second.report());
    assertEquals(first.spec(), second.spec());
  }

  @Test
  void cancelledByAnotherThread() throws Exception {
    Search search = new Search(plan(), machine(), new SearchOptions().episodes(Long.MAX_VALUE));
    assertEquals(new Search.Progress(0, 0, 0, 0), search.progress());
    assertEquals(Status.FAILED_PRECONDITION, assertThrows(TilewrightException.class, search::spec).status());
    Thread thread = new Thread(search::cancel);
    thread.start();
    assertSame(search, search.run());
    thread.join();
    assertEquals(plan().apply(search.spec()).shardings(), search.plan().shardings());
    assertEquals(Status.FAILED_PRECONDITION, assertThrows(TilewrightException.class, search::run).status());
  }

  @Test
  void cancelledBefore() throws TilewrightException {
    Search search = new Search(plan(), machine(), null);
    search.cancel();
    assertTrue(search.run().report().contains("\"cancelled\""), search.report());
    search.close();
    assertThrows(IllegalStateException.class, search::progress);
  }
}
