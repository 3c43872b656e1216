/** Transactions that fail for a reason that may be gone when they are repeated (src/db/client.ts). */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { DatabaseFailure, DatabaseUnavailable } from '../../src/db/failures.ts'
import { sql } from '../../src/db/sql.ts'
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
  await app.sql(`create function public.fail(p_state text, p_times integer) returns bigint
    language plpgsql security definer as $$
    declare attempt constant bigint := nextval('public.attempts');
    begin
      if attempt <= p_times then
        raise exception using errcode = p_state, message = 'attempt ' || attempt;
      end if;
      return attempt;
    end $$`)
})

beforeEach(async () => {
  await app.sql('alter sequence public.attempts restart')
  database = contextOf(app, site, site.owner).database
})

const fail = async (sqlstate: string, times: number) => {
  const statement = sql<{ attempt: number }>`select public.fail(${sqlstate}, ${times}) as attempt`
  return (await database.batch({ statement }, 10_000)).statement.one.attempt
}

describe('a transaction', () => {
  it.each(['23505', '42501', 'P0001'])('is sent once if it fails with %s', async (sqlstate) => {
    const error = await fail(sqlstate, 1).catch((thrown: unknown) => thrown)
    expect([error, (error as DatabaseFailure).sqlstate]).toEqual([expect.any(DatabaseFailure), sqlstate])
    expect(database.spent.roundTrips).toBe(1)
  })

  it.each(['40001', '40P01', 'XX000'])('is repeated twice if it fails with %s', async (sqlstate) => {
    expect(await fail(sqlstate, 2)).toBe(3)
    expect(database.spent.roundTrips).toBe(3)
  })

  it.each([
    ['40001', DatabaseUnavailable],
    ['40P01', DatabaseUnavailable],
    ['XX000', DatabaseFailure],
  ])('is not repeated a third time: %s', async (sqlstate, kind) => {
    await expect(fail(sqlstate, 3)).rejects.toThrow(kind)
    expect(database.spent.roundTrips).toBe(3)
  })
})
