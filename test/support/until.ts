/** Waits for a condition instead of a fixed time. */
import { scaled } from './scaled.ts'

/**
 * Checks a condition every 50 ms. An exception counts as false. After the time limit, throws with the awaited
 * condition.
 */
export async function until(
  condition: () => boolean | Promise<boolean>,
  what: () => string,
  milliseconds = scaled(120_000),
): Promise<void> {
  // Not with the clock of dates, which a test may have stopped.
  for (const deadline = performance.now() + milliseconds; performance.now() < deadline; ) {
    try {
      if (await condition()) return
    } catch {
      // Not yet.
    }
    await new Promise((again) => setTimeout(again, 50))
  }
  throw new Error(`not in ${milliseconds} ms: ${what()}`)
}
