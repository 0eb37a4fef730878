// SPDX-License-Identifier: Apache-2.0
package org.tilewright;

/**
 * A plan that begins with another one and goes on by actions, for who learns to choose them. Actions are
 * numbered from 0; the last one stops, and ends the episode. One thread at a time; threads have a {@link
 * #copy} each.
 */
public final class Environment extends TilewrightObject {
  private final Graph graph;

  /**
   * Begins with a plan. What is decided there stays, and the plan itself does not change.
   *
   * @param plan to begin with
   * @param machine its devices and links
   * @param options null: the defaults
   * @throws TilewrightException the machine says nothing of an axis, or an option is wrong
   */
  public Environment(Plan plan, Machine machine, EnvironmentOptions options) throws TilewrightException {
    this(Core.tw_environment_create(plan, machine, Options.pairsOf(options)), plan.graph());
  }

  private Environment(long address, Graph graph) {
    super(address);
    this.graph = graph;
  }

  /**
   * What a step led to.
   *
   * @param reward ln(cost before / cost behind)
   * @param done the episode is over
   */
  public record Step(double reward, boolean done) {}

  /**
   * What a run costs by a plan, one thing after the other.
   *
   * @param costSeconds both times; where it does not fit, (2 + 10 * (peak / cap - 1)) times as much
   * @param computingSeconds of a device
   * @param movingSeconds of a device
   * @param receivedBytes of all devices together
   * @param peakBytes of a device
   * @param capBytes of a device
   * @param fits whether the peak is within the cap
   */
  public record Price(
      double costSeconds, double computingSeconds, double movingSeconds, long receivedBytes, long peakBytes, long capBytes, boolean fits) {}

  /**
   * For another thread. They share what never changes.
   *
   * @return another one that has taken the same steps
   * @throws TilewrightException never, unless the library fails
   */
  public Environment copy() throws TilewrightException {
    return new Environment(Core.tw_environment_clone(this), graph);
  }

  /**
   * Counts the actions.
   *
   * @return how many there are, with the last one, which stops
   */
  public int numActions() {
    return (int) Core.tw_environment_num_actions(this);
  }

  /**
   * Says what may be done.
   *
   * @return of each action, whether it may be taken now
   * @throws TilewrightException never, unless the library fails
   */
  public boolean[] mask() throws TilewrightException {
    byte[] legal = new byte[numActions()];
    Core.tw_environment_mask(this, legal);
    boolean[] mask = new boolean[legal.length];
    for (int i = 0; i < mask.length; ++i) {
      mask[i] = legal[i] != 0;
    }
    return mask;
  }

  /**
   * Takes an action, and propagates.
   *
   * @param action its number
   * @return the reward, and whether it was the last step
   * @throws TilewrightException it would change nothing, or there is no such action; then nothing has changed
   */
  public Step step(int action) throws TilewrightException {
    double[] reward = new double[1];
    int[] done = new int[1];
    Core.tw_environment_step(this, action, reward, done);
    return new Step(reward[0], done[0] != 0);
  }

  /**
   * Takes the last steps back.
   *
   * @param steps how many
   * @throws TilewrightException there are not as many
   */
  public void undo(int steps) throws TilewrightException {
    Core.tw_environment_undo(this, steps);
  }

  /**
   * A snapshot for {@link #restore}, also of a copy.
   *
   * @return the actions that were taken
   * @throws TilewrightException never, unless the library fails
   */
  public long[] actions() throws TilewrightException {
    long[] actions = new long[(int) Core.tw_environment_num_steps(this)];
    Core.tw_environment_snapshot(this, actions);
    return actions;
  }

  /**
   * Goes where actions lead to. What they begin alike with stays as it is.
   *
   * @param actions none: the beginning
   * @throws TilewrightException one would change nothing; then all is as before
   */
  public void restore(long... actions) throws TilewrightException {
    Core.tw_environment_restore(this, actions);
  }

  /**
   * Counts the numbers of an observation.
   *
   * @return how many there are
   */
  public int numFeatures() {
    return (int) Core.tw_environment_num_features(this);
  }

  /**
   * What the plan is like now.
   *
   * @return numbers, of which {@code tw_environment.h} says where what stands
   * @throws TilewrightException never, unless the library fails
   */
  public float[] observe() throws TilewrightException {
    float[] features = new float[numFeatures()];
    observe(features);
    return features;
  }

  /**
   * What the plan is like now, in an array of the caller.
   *
   * @param out as long as {@link #numFeatures} at least
   * @throws TilewrightException it is too short
   */
  public void observe(float[] out) throws TilewrightException {
    Core.tw_environment_observe(this, out);
  }

  /**
   * What a run costs now.
   *
   * @return the price, with its parts
   * @throws TilewrightException never, unless the library fails
   */
  public Price price() throws TilewrightException {
    Struct view = new Struct(Core.tw_environment_price(this));
    return new Price(
        view.real(Fields.PriceView.COST_S),
        view.real(Fields.PriceView.COMPUTING_S),
        view.real(Fields.PriceView.MOVING_S),
        view.number(Fields.PriceView.RECEIVED_BYTES),
        view.number(Fields.PriceView.PEAK_BYTES),
        view.number(Fields.PriceView.CAP_BYTES),
        view.flag(Fields.PriceView.FITS));
  }

  /**
   * The actions so far.
   *
   * @return the lines of a spec for {@link Plan#apply}, with the cost behind each action in a comment
   * @throws TilewrightException the whole program does not take what its few layers took
   */
  public String spec() throws TilewrightException {
    return Core.tw_environment_spec(this);
  }

  /**
   * The plan with these actions.
   *
   * @return a new plan
   * @throws TilewrightException the whole program does not take what its few layers took
   */
  public Plan plan() throws TilewrightException {
    return new Plan(Core.tw_environment_plan(this), graph);
  }

  /**
   * What the numbers of actions and observations mean.
   *
   * @return JSON, whose form {@code tw_environment.h} has
   * @throws TilewrightException never, unless the library fails
   */
  public String report() throws TilewrightException {
    return Core.tw_environment_json(this);
  }

  @Override
  String about() {
    return graph.isClosed() ? "" : graph.name();
  }
}
