/** Statements that block others until a test, or the statement that waits for them, lets them end. */
import type { TestApp } from './app.ts'
import { until } from './until.ts'

/** Starts a PL/pgSQL block, and waits until it sleeps, after the first statement. */
async function start(app: TestApp, statement: string, ending: string) {
  const mark = `held ${crypto.randomUUID()}`
  const ended = app.sql(`do $$ begin ${statement}; /* ${mark} */ ${ending} end $$`)
  // The caller that waits for the end sees the error of a statement.
  ended.catch(() => undefined)
  await until(
    async () => (await app.sql(`${sleeping} and wait_event = 'PgSleep'`, [mark])).length > 0,
    () => `a statement that holds its locks: ${statement}`,
  )
  return { mark, ended }
}

const sleeping = `select pid from pg_stat_activity where strpos(query, $1) > 0 and pid <> pg_backend_pid()`

/**
 * Keeps the locks of a statement until the returned function is called. The statement is then rolled back.
 */
export async function hold(app: TestApp, statement: string): Promise<() => Promise<void>> {
  const { mark, ended } = await start(app, statement, 'perform pg_sleep(300);')
  return async () => {
    await app.sql(`select pg_cancel_backend(pid) from (${sleeping}) _`, [mark])
    await ended.catch(() => undefined)
  }
}

/** Runs a statement, and commits it when another one waits for its locks. */
export async function commitWhenAwaited(
  app: TestApp,
  statement: string,
): Promise<{ committed: Promise<unknown> }> {
  const isAwaited = `exists (select from pg_stat_activity where pg_backend_pid() = any (pg_blocking_pids(pid)))`
  const { ended } = await start(
    app,
    statement,
    `while not ${isAwaited} loop perform pg_sleep(0.01); perform pg_stat_clear_snapshot(); end loop;`,
  )
  return { committed: ended }
}

/** Waits until `count` statements in the file's database wait for locks. */
export const untilWaiting = (app: TestApp, count = 1): Promise<void> =>
  until(
    async () => {
      const waiting = await app.sql(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
      return waiting.length >= count
    },
    () => `${count} statements that wait for locks`,
  )
