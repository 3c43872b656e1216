/** Transactions that fail for a reason that may be gone when they are repeated (src/kernel/db/client.ts). */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../../src/kernel/db/database.ts'
import { DatabaseFailure, DatabaseUnavailable } from '../../src/kernel/db/failures.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { createSite, type Site, startApp, type TestApp } from '../support/app.ts'
import { contextOf } from '../support/tenant.ts'

let app: TestApp
let site: Site
let database: Database

beforeAll(async () => {
  app = await startApp()
  site = await createSite(app, 'repeated')
  // Numbers of a sequence remain used after a rollback, so they count the attempts.
  await app.sql('create sequence public.attempts')
  await app.sql(`create function public.fail(p_state text, p_times integer, p_message text) returns bigint
    language plpgsql security definer as $$
    declare attempt constant bigint := nextval('public.attempts');
    begin
      if attempt <= p_times then
        raise exception using errcode = p_state, message = p_message;
      end if;
      return attempt;
    end $$`)
})

beforeEach(async () => {
  await app.sql('alter sequence public.attempts restart')
  database = contextOf(app, site, site.owner).database
})

const fail = async (sqlstate: string, times: number, message = 'x') => {
  const statement = sql<{ attempt: number }>`
    select public.fail(${sqlstate}, ${times}, ${message}) as attempt`
  return (await database.batch({ statement }, 10_000)).statement.one.attempt
}

describe('a transaction', () => {
  it.each(['23505', '42501', 'P0001', 'XX000'])('is sent once if it fails with %s', async (sqlstate) => {
    const error = await fail(sqlstate, 1).catch((thrown: unknown) => thrown)
    expect([error, (error as DatabaseFailure).sqlstate]).toEqual([expect.any(DatabaseFailure), sqlstate])
    expect(database.spent.roundTrips).toBe(1)
  })

  const transient = [
    ['40001', 'could not serialize access due to concurrent update'],
    ['40P01', 'deadlock detected'],
    ['XX000', 'cache lookup failed for type 1234'],
    ['XX000', 'could not open relation with OID 1234'],
    ['XX000', 'tuple concurrently updated'],
  ] as const

  it.each(transient)('is repeated up to nine times if it fails with %s: %s', async (sqlstate, message) => {
    expect(await fail(sqlstate, 9, message)).toBe(10)
    expect(database.spent.roundTrips).toBe(10)
  })

  it.each(transient)('is not repeated a tenth time: %s, %s', async (sqlstate, message) => {
    await expect(fail(sqlstate, 10, message)).rejects.toThrow(DatabaseUnavailable)
    expect(database.spent.roundTrips).toBe(10)
  })

  it('is not repeated after half of its time', async () => {
    const statement = sql`select pg_sleep(0.6), public.fail('40P01', 1, 'deadlock detected')`
    await expect(database.batch({ statement }, 1_000)).rejects.toThrow(DatabaseUnavailable)
    expect(database.spent.roundTrips).toBe(1)
  })
})
