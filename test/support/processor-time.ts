/**
 * Milliseconds of the processor that this thread has had. For tests of what work costs: what else the machine does is
 * not in it, as it is in a wall clock.
 */
export function processorMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
