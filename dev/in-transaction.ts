/** Runs work in a transaction of a connection. */
import type pg from 'pg'

/** Runs `work` in a transaction and returns its result. If `work` throws, everything is rolled back. */
export async function inTransaction<Result>(
  client: Pick<pg.ClientBase, 'query'>,
  work: () => Promise<Result>,
): Promise<Result> {
  await client.query('begin')
  try {
    const result = await work()
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}
