/** Writes the log: one JSON object a line. JSON escapes line breaks, so that clients cannot inject lines. */

export function log(entry: Record<string, unknown>): void {
  console.log(JSON.stringify(entry))
}

/**
 * Returns the parts of an error and its causes that the log may contain: name, stack, and the SQLSTATE and
 * constraint of a database error. Postgres's messages quote values, which may be personal data, so only
 * `verbose`, for local use, includes them.
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
