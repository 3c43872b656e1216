/** Batches of named statements: the rows of each statement have the statement's name and type. */
import { beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../src/kernel/db/database.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { inTenant } from '../../src/kernel/db/tenant.ts'
import { createSite, type Site, startApp, type TestApp } from '../support/app.ts'
import { contextOf } from '../support/tenant.ts'

let app: TestApp
let site: Site
let database: Database

const numbers = (...all: number[]) => sql<{ n: number }>`select n from unnest(${all}::integer[]) n`
const word = (text: string) => sql<{ word: string }>`select ${text} as word`
const deadlineMs = 10_000

beforeAll(async () => {
  app = await startApp()
  site = await createSite(app, 'named')
  database = contextOf(app, site, site.owner).database
})

describe('named statements', () => {
  it('have typed rows, so that the rows of one cannot be read as the rows of another', async () => {
    const { word: answer } = await database.batch({ numbers: numbers(1), word: word('a') }, deadlineMs)
    // @ts-expect-error: a row of `word` has no number.
    expect(answer.one.n).toBeUndefined()
  })

  it('can return no row; `one` then throws', async () => {
    const { none } = await database.batch({ none: numbers() }, deadlineMs)
    expect(() => none.one).toThrow('A statement that should return a row returned none.')
    expect([none.first, none.all]).toEqual([undefined, []])
  })

  it('return their rows under their names in one round trip', async () => {
    const ctx = contextOf(app, site, site.owner)
    const { many, one } = await ctx.database.batch({ many: numbers(1, 2), one: word('a') }, deadlineMs)
    expect([many.all, one.one]).toEqual([[{ n: 1 }, { n: 2 }], { word: 'a' }])
    expect(ctx.database.spent.roundTrips).toBe(1)
  })

  it('are not sent if they are undefined, and the others keep their rows', async () => {
    const { skipped, sent } = await database.batch({ skipped: undefined, sent: word('a') }, deadlineMs)
    expect([skipped, sent.all]).toEqual([{ all: [] }, [{ word: 'a' }]])
  })

  it('can be lists, which return lists of rows', async () => {
    const { each, last } = await database.batch(
      { each: [numbers(1), numbers(2, 3)], last: word('z') },
      deadlineMs,
    )
    expect(each.map(({ all }) => all)).toEqual([[{ n: 1 }], [{ n: 2 }, { n: 3 }]])
    expect(last.one).toEqual({ word: 'z' })
  })

  it('of the service and of the tenant return their rows together', async () => {
    const role = sql<{ role: string }>`select current_user as role`
    const answers = await inTenant(
      contextOf(app, site, site.owner),
      'read',
      { asTenant: role },
      { asService: { before: role } },
    )
    expect(answers.asTenant.one.role).toBe(site.schema)
    expect(answers.before.one.role).not.toBe(answers.asTenant.one.role)
  })
})
