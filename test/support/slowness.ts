/** The present slowness of this machine, relative to the one that the deadlines of tests are written for. */
import { pbkdf2Sync } from 'node:crypto'
import { availableParallelism, loadavg } from 'node:os'

/** The time for the work below on that machine, which has two cores in a data centre. */
const referenceMs = 25
const referenceCores = 2

/** Returns a factor from 1 to 20. TEST_SLOWNESS sets another one. */
export function slowness(): number {
  const wanted = Number(process.env.TEST_SLOWNESS)
  if (wanted > 0) return wanted
  const began = performance.now()
  pbkdf2Sync('password', 'salt', 100_000, 32, 'sha256')
  const compute = (performance.now() - began) / referenceMs
  const [load = 0] = loadavg()
  const cores = availableParallelism()
  // Concurrent files share the cores: half the cores take twice as long.
  const crowd = Math.max(1, referenceCores / cores)
  return Math.min(20, crowd * Math.max(1, compute, load / cores))
}
