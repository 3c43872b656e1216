/** Waits for what has to come, instead of for a time in which it may have come. */
import { scaled } from './scaled.ts'

/** Asks every 50 ms. What throws has not come yet. Throws, when the time is over, what was waited for. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  what: () => string,
  milliseconds = scaled(120_000),
): Promise<void> {
  // Not by the clock of dates, which a test may have stopped.
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
