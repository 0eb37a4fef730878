// SPDX-License-Identifier: Apache-2.0
package org.tilewright;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;

/**
 * A program bound to kernels, with its memory allocated. Keep it and run it many times. One run at a time:
 * calls from several threads wait for each other.
 */
public final class Executable extends TilewrightObject {
  private final Graph graph;
  private final boolean tiles;

  Executable(long address, Graph graph, boolean tiles) {
    super(address);
    this.graph = graph;
    this.tiles = tiles;
  }

  /**
   * What an executable has done.
   *
   * @param runs that are over
   * @param failedRuns of these; cancelled ones have failed
   * @param steps of the program that every device runs
   * @param collectives of these
   * @param bytes read and written by one run on all devices
   * @param kernelNs processor time over all runs; 0 without {@link ExecutableOptions#profile()}
   * @param collectiveNs processor time over all runs; 0 without {@link ExecutableOptions#profile()}
   */
  public record Counters(
      long runs, long failedRuns, long steps, long collectives, long bytes, long kernelNs, long collectiveNs) {}

  /**
   * Runs on whole arrays.
   *
   * @param inputs in the order of the graph's arguments
   * @return new tensors in the order of its results
   * @throws TilewrightException an input does not fit, or a kernel failed; names device, op and location
   */
  public List<Tensor> run(Tensor... inputs) throws TilewrightException {
    Tensor[] outputs = newOutputs();
    Core.tw_executable_run(this, inputs, outputs);
    return List.of(outputs);
  }

  /**
   * Runs on whole arrays, or on tiles. On an error, outputs keep their bytes.
   *
   * @param inputs in the order of the graph's arguments
   * @param outputs in the order of its results
   * @throws TilewrightException a tensor does not fit, or a kernel failed; names device, op and location
   */
  public void run(List<Tensor> inputs, List<Tensor> outputs) throws TilewrightException {
    Core.tw_executable_run(this, inputs.toArray(Tensor[]::new), outputs.toArray(Tensor[]::new));
  }

  /**
   * Begins a run and returns at once. Its inputs must not be written, and its outputs neither read nor
   * written, until it is over.
   *
   * @param inputs in the order of the graph's arguments
   * @return the run, with new tensors as outputs
   * @throws TilewrightException an input does not fit, or a run is in progress
   */
  public Run start(Tensor... inputs) throws TilewrightException {
    return start(Arrays.asList(inputs), Arrays.asList(newOutputs()));
  }

  /**
   * Begins a run and returns at once.
   *
   * @param inputs in the order of the graph's arguments
   * @param outputs in the order of its results
   * @return the run
   * @throws TilewrightException a tensor does not fit, or a run is in progress
   */
  public Run start(List<Tensor> inputs, List<Tensor> outputs) throws TilewrightException {
    return new Run(
        Core.tw_run_start(this, inputs.toArray(Tensor[]::new), outputs.toArray(Tensor[]::new)), outputs);
  }

  private Tensor[] newOutputs() throws TilewrightException {
    if (tiles) {
      throw new IllegalStateException("an executable of tiles has no whole results: give the outputs");
    }
    return graph.newResults();
  }

  /**
   * The result that is made in the memory of an argument, with {@link ExecutableOptions#donate()}.
   *
   * @param argument its number
   * @return empty where the argument is only read
   * @throws IndexOutOfBoundsException there is no such argument
   */
  public OptionalLong donatedTo(int argument) {
    Checks.number("argument", argument, graph.argumentTypes.size());
    long result = Core.tw_executable_donated_to(this, argument);
    return result < 0 ? OptionalLong.empty() : OptionalLong.of(result);
  }

  /**
   * The devices of this process.
   *
   * @return how many
   */
  public int numDevices() {
    return (int) Core.tw_executable_num_devices(this);
  }

  /**
   * Where the tile of an argument lies, with {@link ExecutableOptions#tiles()}.
   *
   * @param argument its number
   * @param device of this process
   * @return offset and extent in the whole argument
   * @throws TilewrightException there is no such argument or device
   */
  public Box argumentTile(int argument, int device) throws TilewrightException {
    return tile(0, argument, device, graph.argumentTypes);
  }

  /**
   * Where the tile of a result lies, with {@link ExecutableOptions#tiles()}.
   *
   * @param result its number
   * @param device of this process
   * @return offset and extent in the whole result
   * @throws TilewrightException there is no such result or device
   */
  public Box resultTile(int result, int device) throws TilewrightException {
    return tile(1, result, device, graph.resultTypes);
  }

  private Box tile(int isResult, int index, int device, List<ArrayType> of) throws TilewrightException {
    Checks.numbered(isResult == 0 ? "argument" : "result", index, of.size());
    Checks.numbered("device", device, numDevices());
    int rank = of.get(index).rank();
    long[] offset = new long[rank];
    long[] extent = new long[rank];
    Core.tw_executable_tile(this, isResult, index, device, offset, extent);
    return Box.of(offset, extent);
  }

  /**
   * Who has the same tile in one place, with {@link ExecutableOptions#tiles()}: runs read the input of that
   * device alone, and outputs of devices with one owner may be one tensor.
   *
   * @param isResult of a result, else of an argument
   * @param index its number
   * @param device of this process
   * @return the first such device of this process; empty without the option
   * @throws IndexOutOfBoundsException there is no such argument, result or device
   */
  public OptionalLong tileOwner(boolean isResult, int index, int device) {
    Checks.number(
        isResult ? "result" : "argument", index, (isResult ? graph.resultTypes : graph.argumentTypes).size());
    Checks.number("device", device, numDevices());
    long owner = Core.tw_executable_tile_owner(this, isResult ? 1 : 0, index, device);
    return owner < 0 ? OptionalLong.empty() : OptionalLong.of(owner);
  }

  /**
   * Memory that is allocated.
   *
   * @return bytes over all devices of this process
   */
  public long arenaBytes() {
    return Core.tw_executable_arena_bytes(this);
  }

  /**
   * Memory that a device needs while it runs.
   *
   * @param device of this process
   * @return bytes
   * @throws IndexOutOfBoundsException there is no such device
   */
  public long peakBytes(int device) {
    Checks.number("device", device, numDevices());
    return Core.tw_executable_peak_bytes(this, device);
  }

  /**
   * The threads that work on a run.
   *
   * @return how many
   */
  public int workers() {
    return Core.tw_executable_workers(this);
  }

  /**
   * The flight recorder: where each device is after the last run.
   *
   * @return JSON
   * @throws TilewrightException a run is in progress
   */
  public String flight() throws TilewrightException {
    return Core.tw_executable_flight(this);
  }

  /**
   * Chrome's trace events, with {@link ExecutableOptions#trace()}.
   *
   * @return JSON
   * @throws TilewrightException a run is in progress, or nothing was noted
   */
  public String trace() throws TilewrightException {
    return Core.tw_executable_trace(this);
  }

  /**
   * What each step took, with {@link ExecutableOptions#profile()}.
   *
   * @return JSON
   * @throws TilewrightException a run is in progress, or nothing was noted
   */
  public String profile() throws TilewrightException {
    return Core.tw_executable_profile(this);
  }

  /**
   * Which steps of a run the host takes for devices that are not the host, why, and the bytes copied for it.
   *
   * @return JSON
   * @throws TilewrightException a run is in progress
   */
  public String onHost() throws TilewrightException {
    return Core.tw_executable_on_host(this);
  }

  /**
   * What it has done.
   *
   * @return counts and times
   * @throws TilewrightException a run is in progress
   */
  public Counters counters() throws TilewrightException {
    Struct fields = new Struct(Core.tw_executable_counters(this));
    return new Counters(
        fields.number(Fields.Counters.RUNS),
        fields.number(Fields.Counters.FAILED_RUNS),
        fields.number(Fields.Counters.STEPS),
        fields.number(Fields.Counters.COLLECTIVES),
        fields.number(Fields.Counters.BYTES),
        fields.number(Fields.Counters.KERNEL_NS),
        fields.number(Fields.Counters.COLLECTIVE_NS));
  }

  @Override
  String about() {
    return numDevices() + " devices, " + workers() + " workers";
  }
}
