/** Limits for times that a test has measured. */
import { inject } from 'vitest'
import { scaled } from './scaled.ts'

/** How much longer than expected something may take, because a machine may be busy just at that moment. */
const spare = 5

/**
 * Scales a limit by the present slowness of the machine, which may have become slower since `scaled` was set
 * at the start of the run. What it limits would take much longer if it did not work as expected.
 */
export async function timeLimit(milliseconds: number): Promise<number> {
  const answer = await fetch(inject('slownessServer'))
  return spare * Math.max(scaled(milliseconds), Math.ceil(milliseconds * Number(await answer.text())))
}
