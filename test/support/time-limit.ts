/** Limits of what a test has measured. */
import { inject } from 'vitest'
import { scaled } from './scaled.ts'

/**
 * Returns what may have taken so many milliseconds until now. The machine may have become slower since the run
 * began, when `scaled` was set.
 */
export async function timeLimit(milliseconds: number): Promise<number> {
  const answer = await fetch(inject('slownessServer'))
  return Math.max(scaled(milliseconds), Math.ceil(milliseconds * Number(await answer.text())))
}
