/**
 * Runs plain SQL by `pg` on pooled connections, in its own process so that its CPU time can be measured.
 * raw.ts calls it.
 */
import pg from 'pg'
import { type Amount, loadWith } from './load.ts'
import { inputOf, type Size } from './questions.ts'
import { type Statement, statements, valuesOf } from './statements.ts'

/** A request to the process. */
export type RawTask = { id: number; question: Statement } & (
  | { n: number }
  | { first: number; amount: Amount }
)

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 64 })
const size = JSON.parse(process.env.SIZE as string) as Size

const run = (question: Statement, n: number) =>
  pool.query(statements[question], valuesOf[question](inputOf(n, size)))

process.on('message', async (task: RawTask) => {
  const { id, question } = task
  try {
    const result =
      'n' in task
        ? (await run(question, task.n)).rows
        : await loadWith((n) => run(question, n), task.first, task.amount)
    process.send?.({ id, result })
  } catch (error) {
    process.send?.({ id, error: String(error) })
  }
})
process.on('disconnect', () => process.exit())
