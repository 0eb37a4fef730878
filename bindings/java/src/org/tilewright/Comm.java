// SPDX-License-Identifier: Apache-2.0
package org.tilewright;

import java.util.Map;

/**
 * Processes that run programs together. The first failure on any of them is an error on all, and the end of
 * the communicator.
 */
public final class Comm extends TilewrightObject {
  private Comm(long address) {
    super(address);
  }

  /**
   * All processes of an MPI job, which all call. {@link Tilewright#startMpi} starts MPI where nobody else
   * does.
   *
   * @param library "openmpi" or "mpich"; null: the one that is loaded, else the one whose launcher started
   *     this process
   * @param deadline how long a process waits for another, in seconds; 0: 30
   * @return a new communicator
   * @throws TilewrightException MPI is not there, or was not started
   */
  public static Comm ofMpi(String library, double deadline) throws TilewrightException {
    return new Comm(Native.commCreateMpi(new Object[] {"library", library, "deadline", deadline})); // tw_comm_create_mpi
  }

  /**
   * The number of this process.
   *
   * @return 0 to below {@link #size()}
   */
  public int rank() {
    return Core.tw_comm_rank(this);
  }

  /**
   * The number of processes.
   *
   * @return 1 or more
   */
  public int size() {
    return Core.tw_comm_size(this);
  }

  /**
   * Checks that values are equal on all processes.
   *
   * @param facts names with values, in the same order on all
   * @throws TilewrightException names the fact, the process and both values
   */
  public void agree(Map<String, String> facts) throws TilewrightException {
    String[] names = facts.keySet().toArray(String[]::new);
    Core.tw_comm_agree(this, new Object[] {names, facts.values().toArray(String[]::new)});
  }

  /**
   * Gives all processes the value of one.
   *
   * @param root that process
   * @param value of this process
   * @return the value of root
   * @throws TilewrightException another process failed
   */
  public long share(int root, long value) throws TilewrightException {
    long[] shared = {value};
    Core.tw_comm_share(this, root, shared);
    return shared[0];
  }

  /**
   * On which hosts the devices of a plan's mesh will run, for {@link LowerOptions#levels}. All processes
   * call.
   *
   * @param plan the plan
   * @return "host=[[0,1],[2,3]]"; "" where all are on one host
   * @throws TilewrightException another process failed
   */
  public String levels(Plan plan) throws TilewrightException {
    return Core.tw_comm_levels(this, plan);
  }

  /**
   * Tells all others that this process gives up.
   *
   * @param status what can be done about it
   * @param message why, in one line
   * @throws TilewrightException the others cannot be told
   */
  public void fail(Status status, String message) throws TilewrightException {
    Core.tw_comm_fail(this, status.code, message);
  }

  @Override
  String about() {
    return rank() + " of " + size();
  }
}
