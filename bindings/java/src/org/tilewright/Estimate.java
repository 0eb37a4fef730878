// SPDX-License-Identifier: Apache-2.0
package org.tilewright;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What one run of a program takes on a machine. {@link Program#estimate} makes it; it never changes. */
public final class Estimate extends TilewrightObject {
  private final List<String> axes;
  private final long numCollectives;

  Estimate(long address, List<String> axes, long numCollectives) {
    super(address);
    this.axes = axes;
    this.numCollectives = numCollectives;
  }

  /**
   * Seconds and bytes of all.
   *
   * @param serialSeconds one thing after the other: the sum of the next three
   * @param computeSeconds of steps that operations bound
   * @param memorySeconds of steps that bytes bound
   * @param communicationSeconds of what moves between devices
   * @param overlappedSeconds collectives beside what does not need them
   * @param peakBytes of the device that needs most, with what its libraries hold and its allocator adds
   * @param capBytes what it may need
   * @param fits whether it needs no more
   * @param peakPlace where its arrays take most, of {@link #places}
   */
  public record Totals(
      double serialSeconds,
      double computeSeconds,
      double memorySeconds,
      double communicationSeconds,
      double overlappedSeconds,
      long peakBytes,
      long capBytes,
      boolean fits,
      int peakPlace) {}

  /**
   * A step as an executable would run it, on the device that has most of it.
   *
   * @param what "dot_general", "add and 7 more", "all_reduce over model"
   * @param value what it makes first
   * @param location where its first op comes from
   * @param instr the first that it runs, of {@link Program#instrs}; -1: it only copies
   * @param numOps how many ops it runs
   * @param collective of {@link Program#collectives}; -1: it is none
   * @param bound what decides how long it takes
   * @param times that it runs
   * @param seconds of one run of it
   * @param flops of one run of it
   * @param bytes of one run of it
   * @param beginSeconds of its first run, where collectives run beside what does not need them
   * @param lastsSeconds there
   */
  public record Step(
      String what,
      String value,
      String location,
      int instr,
      int numOps,
      int collective,
      Bound bound,
      long times,
      double seconds,
      double flops,
      double bytes,
      double beginSeconds,
      double lastsSeconds) {}

  /**
   * What a collective of the program takes.
   *
   * @param kind what it does
   * @param axes over which data moves
   * @param step of {@link #steps}; -1: who reads it adds it up, or nothing reads it, and the rest is 0
   * @param times that it runs
   * @param seconds of one run of it
   * @param bytes of one run of it
   */
  public record CollectiveCost(
      CollectiveKind kind, List<String> axes, int step, long times, double seconds, double bytes) {}

  /**
   * A place of the program in memory: before the first step, at one of them, or behind the last.
   *
   * @param bytes of the arrays that the device which needs most has then
   * @param instr the first that runs then; -1: none
   * @param step of {@link #steps}; -1: what runs then takes no time, as a jump
   */
  public record Place(long bytes, int instr, int step) {}

  /**
   * An array that the device has where its arrays take most.
   *
   * @param value its name
   * @param local for {@link Program#localSharding}
   * @param bytes of the device's part
   * @param role what it is for
   */
  public record Held(String value, int local, long bytes, Role role) {}

  /**
   * Seconds and bytes of all.
   *
   * @return the totals
   * @throws TilewrightException never, unless the library fails
   */
  public Totals totals() throws TilewrightException {
    Struct view = new Struct(Core.tw_estimate_totals(this));
    return new Totals(
        view.real(Fields.EstimateView.SERIAL_S),
        view.real(Fields.EstimateView.COMPUTE_S),
        view.real(Fields.EstimateView.MEMORY_S),
        view.real(Fields.EstimateView.COMMUNICATION_S),
        view.real(Fields.EstimateView.OVERLAPPED_S),
        view.number(Fields.EstimateView.PEAK_BYTES),
        view.number(Fields.EstimateView.CAP_BYTES),
        view.flag(Fields.EstimateView.FITS),
        view.integer(Fields.EstimateView.PEAK_PLACE));
  }

  /**
   * The communication by the axes of the program's mesh.
   *
   * @return seconds by the name of each axis
   */
  public Map<String, Double> axisSeconds() {
    Map<String, Double> seconds = new LinkedHashMap<>();
    for (int i = 0; i < axes.size(); ++i) {
      seconds.put(axes.get(i), Core.tw_estimate_axis_seconds(this, i));
    }
    return seconds;
  }

  /**
   * The steps; seconds times times add up to the serial seconds.
   *
   * @return in the order of the program
   * @throws TilewrightException never, unless the library fails
   */
  public List<Step> steps() throws TilewrightException {
    List<Step> steps = new ArrayList<>();
    for (long i = 0; i < Core.tw_estimate_num_steps(this); ++i) {
      Struct view = new Struct(Core.tw_estimate_step(this, i));
      steps.add(
          new Step(
              view.text(Fields.StepView.WHAT),
              view.text(Fields.StepView.VALUE),
              view.text(Fields.StepView.LOCATION),
              view.integer(Fields.StepView.INSTR),
              view.integer(Fields.StepView.NUM_OPS),
              view.integer(Fields.StepView.COLLECTIVE),
              Bound.of(view.integer(Fields.StepView.BOUND)),
              view.number(Fields.StepView.TIMES),
              view.real(Fields.StepView.SECONDS),
              view.real(Fields.StepView.FLOPS),
              view.real(Fields.StepView.BYTES),
              view.real(Fields.StepView.BEGIN_S),
              view.real(Fields.StepView.LASTS_S)));
    }
    return steps;
  }

  /**
   * The collectives of the program; seconds times times add up to the seconds of communication.
   *
   * @return by their numbers
   * @throws TilewrightException never, unless the library fails
   */
  public List<CollectiveCost> collectives() throws TilewrightException {
    List<CollectiveCost> collectives = new ArrayList<>();
    for (long i = 0; i < numCollectives; ++i) {
      Struct view = new Struct(Core.tw_estimate_collective(this, i));
      collectives.add(
          new CollectiveCost(
              CollectiveKind.of(view.integer(Fields.CollectiveCostView.KIND)),
              Mesh.axesOf(view.number(Fields.CollectiveCostView.AXES), axes),
              view.integer(Fields.CollectiveCostView.STEP),
              view.number(Fields.CollectiveCostView.TIMES),
              view.real(Fields.CollectiveCostView.SECONDS),
              view.real(Fields.CollectiveCostView.BYTES)));
    }
    return collectives;
  }

  /**
   * What the device that needs most has in memory.
   *
   * @return place after place of the program
   * @throws TilewrightException never, unless the library fails
   */
  public List<Place> places() throws TilewrightException {
    List<Place> places = new ArrayList<>();
    for (long i = 0; i < Core.tw_estimate_num_places(this); ++i) {
      Struct view = new Struct(Core.tw_estimate_place(this, i));
      places.add(
          new Place(
              view.number(Fields.PlaceView.BYTES),
              view.integer(Fields.PlaceView.INSTR),
              view.integer(Fields.PlaceView.STEP)));
    }
    return places;
  }

  /**
   * What it has where that is most: together the bytes of that place.
   *
   * @return the largest first
   * @throws TilewrightException never, unless the library fails
   */
  public List<Held> held() throws TilewrightException {
    List<Held> held = new ArrayList<>();
    for (long i = 0; i < Core.tw_estimate_num_held(this); ++i) {
      Struct view = new Struct(Core.tw_estimate_held(this, i));
      held.add(
          new Held(
              view.text(Fields.HeldView.VALUE),
              view.integer(Fields.HeldView.LOCAL_VALUE),
              view.number(Fields.HeldView.BYTES),
              Role.of(view.integer(Fields.HeldView.ROLE))));
    }
    return held;
  }

  /**
   * All of it.
   *
   * @return JSON, whose form {@code tw_estimate.h} has
   * @throws TilewrightException there is no memory
   */
  public String info() throws TilewrightException {
    return Core.tw_estimate_json(this);
  }

  /**
   * The same for people.
   *
   * @param width of the tables in columns; 0: 120
   * @return text
   * @throws TilewrightException there is no memory
   */
  public String report(int width) throws TilewrightException {
    return Upcalls.report(Core.tw_estimate_report(this, width));
  }

  /**
   * The run as a Chrome trace, for Perfetto.
   *
   * @return JSON
   * @throws TilewrightException there is no memory
   */
  public String trace() throws TilewrightException {
    return Core.tw_estimate_trace(this);
  }

  @Override
  String about() {
    try {
      Totals totals = totals();
      String fits = totals.fits ? "fits" : "does not fit";
      return String.format(Locale.ROOT, "%.4g ms, %d bytes: %s", totals.overlappedSeconds * 1e3, totals.peakBytes, fits);
    } catch (TilewrightException failure) {
      return failure.text();
    }
  }
}
