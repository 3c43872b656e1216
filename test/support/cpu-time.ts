/** The CPU time of work in Node, which other programs hardly prolong, unlike its duration. */

/** Returns the milliseconds that this process has computed while it did some work. */
export async function cpuMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
