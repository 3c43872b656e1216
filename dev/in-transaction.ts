/** Work in a transaction of a connection. */
import type pg from 'pg'

/** Commits what `work` does, and returns its result. If it throws, nothing of it stays. */
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
