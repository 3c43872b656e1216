/** Limits for times that a test has measured. */
import { inject } from 'vitest'
import { scaled } from './scaled.ts'

/**
 * Scales a limit by the present slowness of the machine, which may have become slower since `scaled` was set
 * at the start of the run.
 */
export async function timeLimit(milliseconds: number): Promise<number> {
  const answer = await fetch(inject('slownessServer'))
  return Math.max(scaled(milliseconds), Math.ceil(milliseconds * Number(await answer.text())))
}
