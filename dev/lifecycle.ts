/** Stops the parts that a process of the local stack has started: in order, and within 3 seconds. */

interface Part {
  stop(): Promise<void>
}

/** How long a clean stop may take. The keeper ends the remaining processes. */
const stopMs = 2_000

/** In the order in which they were started; they are stopped in reverse. */
const parts: Part[] = []
let stopping: Promise<void> | undefined

/** Adds a part whose `stop` is called at the end. */
export function keep<P extends Part>(part: P): P {
  parts.push(part)
  return part
}

/** Stops a part that is no longer needed. */
export async function drop(part: Part): Promise<void> {
  await part.stop()
  parts.splice(parts.indexOf(part), 1)
}

export const isStopping = (): boolean => stopping !== undefined

/** Ends this process. */
export function quit(): void {
  setTimeout(() => process.exit(0), stopMs)
  void stop().then(() => process.exit(0))
}

/**
 * Runs a program that starts the parts. It ends when the process to which it has a channel was killed, and
 * with code 1 and the reason if a part does not start.
 */
export async function runProgram(start: () => Promise<void>): Promise<void> {
  process.on('disconnect', quit)
  // The other process may have ended before this line.
  if (process.connected === false) quit()
  try {
    await runUntilStopped(start)
  } catch (error) {
    console.error(`\nTessera did not start: ${error instanceof Error ? error.message : error}`)
    process.exit(1)
  }
}

/**
 * Starts the parts. On a signal, stops them and ends the process. Throws if a part does not start, when the
 * others are stopped.
 */
export async function runUntilStopped(start: () => Promise<void>): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, quit)
  try {
    await start()
  } catch (error) {
    if (stopping) return
    await stop()
    throw error
  }
}

function stop(): Promise<void> {
  stopping ??= (async () => {
    for (const part of parts.toReversed()) await part.stop().catch((error) => console.error(String(error)))
  })()
  return stopping
}
