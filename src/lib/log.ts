/** The log: one JSON object a line. JSON escapes line breaks, so that no client can write a line of its own. */

export function log(entry: Record<string, unknown>): void {
  console.log(JSON.stringify(entry))
}

/**
 * What a failure may say in the log: its kind, where it was thrown, and the SQLSTATE and constraint of a database
 * failure. Postgres's own words quote values, which are personal data: only `verbose`, for local use, adds them.
 */
export function describeFailure(thrown: unknown, verbose: boolean): Record<string, unknown> {
  const chain: Record<string, unknown>[] = []
  for (let error = thrown; error instanceof Error && chain.length < 4; error = error.cause) {
    const { sqlstate, constraint } = error as { sqlstate?: string; constraint?: string }
    const fromDatabase = error.name === 'NeonDbError'
    chain.push({
      name: error.name,
      ...(verbose || !fromDatabase ? { message: error.message } : {}),
      ...(sqlstate ? { sqlstate, constraint } : {}),
      at: error.stack
        ?.split('\n')
        .slice(1, 6)
        .map((line) => line.trim()),
    })
  }
  return { failure: chain }
}
