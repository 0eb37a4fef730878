// SPDX-License-Identifier: Apache-2.0
package org.tilewright;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A search for the actions after which a program takes the least time on a machine. {@link Plan#search} makes
 * one and runs it; {@code new Search(..)} and {@link #run} do the same, so that other threads may ask for
 * {@link #progress} meanwhile, or {@link #cancel} it.
 */
public final class Search extends TilewrightObject {
  private static final Pattern PEAK = Pattern.compile("\"peak_bytes\": *(\\d+)");

  private final String of;
  private final Graph graph;
  private final long capBytes;

  /**
   * A search from a plan on. What is decided there stays, and the plan itself does not change.
   *
   * @param plan to begin with
   * @param machine its devices and links
   * @param options null: the defaults
   * @throws TilewrightException the machine says nothing of an axis, or an option is wrong
   */
  public Search(Plan plan, Machine machine, SearchOptions options) throws TilewrightException {
    super(Core.tw_search_create(plan, machine, Options.pairsOf(options)));
    this.graph = plan.graph();
    this.of = graph.isClosed() ? "" : graph.name();
    this.capBytes = options == null ? 0 : options.capBytes();
  }

  /**
   * The best plan so far.
   *
   * @param costSeconds of a run, one thing after the other; 0 before the first plan was priced
   * @param boundSeconds no plan takes less; 0 before that is known
   * @param peakBytes of the device that needs most
   * @param episodes how many plans were priced
   */
  public record Progress(double costSeconds, double boundSeconds, long peakBytes, long episodes) {}

  /**
   * Searches until the budget is used, nothing is left to try, or somebody cancels. Once.
   *
   * @return this
   * @throws TilewrightException it has run before, or the plan has axes of steps or threads
   */
  public Search run() throws TilewrightException {
    Core.tw_search_run(this);
    return this;
  }

  /** Ends a run soon, with the best so far. From any thread. */
  public void cancel() {
    Core.tw_search_cancel(this);
  }

  /**
   * How far it is, while it runs and after. From any thread.
   *
   * @return the best plan so far
   * @throws TilewrightException never, unless the library fails
   */
  public Progress progress() throws TilewrightException {
    double[] cost = new double[1];
    double[] bound = new double[1];
    long[] peak = new long[1];
    long[] episodes = new long[1];
    Core.tw_search_progress(this, cost, bound, peak, episodes);
    return new Progress(cost[0], bound[0], peak[0], episodes[0]);
  }

  /**
   * What was found.
   *
   * @return the lines of a spec for {@link Plan#apply}, with the cost behind each action in a comment
   * @throws TilewrightException the run has not ended
   */
  public String spec() throws TilewrightException {
    return Core.tw_search_spec(this);
  }

  /**
   * The plan with these actions.
   *
   * @return a new plan
   * @throws TilewrightException the run has not ended
   */
  public Plan plan() throws TilewrightException {
    return new Plan(Core.tw_search_plan(this), graph);
  }

  /**
   * How the search ended, what the plan costs, and what else was tried.
   *
   * @return JSON, whose form {@code tw_search.h} has
   * @throws TilewrightException the run has not ended
   */
  public String report() throws TilewrightException {
    return Core.tw_search_json(this);
  }

  /**
   * Whether the devices have room for what was found: else no plan that was tried fits.
   *
   * @return true if so
   * @throws TilewrightException the search has not ended
   */
  public boolean fits() throws TilewrightException {
    return !report().contains("\"status\": \"infeasible\"");
  }

  @Override
  String about() {
    try {
      Progress now = progress();
      if (now.episodes == 0) {
        return of;
      }
      String found = String.format(Locale.ROOT, "%s: %.4g ms a run is the best of %d plans", of, now.costSeconds * 1e3, now.episodes);
      if (fits()) {
        return found;
      }
      Matcher peak = PEAK.matcher(report());
      String least = peak.find() ? " (least " + peak.group(1) + " bytes)" : "";
      return found + "; NONE FITS " + (capBytes > 0 ? capBytes + " bytes" : "the machine") + least;
    } catch (TilewrightException running) {
      return of;
    }
  }
}
