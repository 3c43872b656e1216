/**
 * Statements that the sessions of Postgres keep prepared (src/kernel/db/kept-plans.ts). All sites share the
 * sessions: a hostile statement of one site can see, drop and remake what the session keeps for another.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { DatabaseFailure } from '../../src/kernel/db/failures.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { createShop, type Shop } from '../support/fixtures.ts'
import { written } from '../support/guests.ts'
import { roundTrips } from '../support/secrets.ts'
import { contextOf, runList } from '../support/tenant.ts'

let app: TestApp
let mine: Shop
let theirs: Shop

beforeAll(async () => {
  app = await startApp()
  mine = await createShop(app, 'mine')
  theirs = await createShop(app, 'theirs')
  for (const [shop, name] of [
    [mine, 'Attacker'],
    [theirs, 'CANARY-4711'],
  ] as const)
    await app.request('POST', shop.data('makers'), { token: shop.owner.token, body: { id: 1, name } })
})

interface Kept {
  name: string
  statement: string
}

/** Runs statements as an attacker whose statements are injected into one site. Requests one after the other
 *  use the same session. */
const attack = (texts: readonly string[], shop = mine) =>
  runList(contextOf(app, shop, shop.owner), 'write', texts.map(written))
const utility = (text: string) => `do $attack$ begin execute $text$${text}$text$; end $attack$`
const kept = async (): Promise<Kept[]> =>
  (
    await attack([`select name, statement from pg_prepared_statements where from_sql order by 1`])
  ).rows<Kept>()
const namesOf = (all: readonly Kept[]) => all.map(({ name }) => name)
const forget = () => attack([utility('deallocate all')])

const ask = () => app.request('GET', `${theirs.data('makers')}1/`, { token: theirs.owner.token })
const expected = { id: 1, name: 'CANARY-4711' }

/** Asks until the session keeps the statement, and returns it. */
async function keptByAsking(): Promise<Kept> {
  await forget()
  // It has to be a part of all reads of the isolate, which other tests have used in this minute.
  for (;;) {
    for (let times = 0; times < 4; times++) expect((await ask()).body).toEqual({ data: expected })
    const [one, ...others] = await kept()
    expect(others).toEqual([])
    if (one) return one
  }
}

const outcome = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: unknown) => (error instanceof DatabaseFailure ? error.sqlstate : String(error)),
  )

describe('a kept statement', () => {
  it('cannot be executed by another site', async () => {
    const { name } = await keptByAsking()
    expect(await outcome(attack([`do $$ begin execute 'execute ${name}(1)'; end $$`]))).toBe('42501')
    expect((await ask()).body).toEqual({ data: expected })
  })

  it('cannot be prepared by another site', async () => {
    const { statement } = await keptByAsking()
    await forget()
    expect(await outcome(attack([utility(statement)]))).toBe('42501')
    const path = `set_config('search_path', 'tenant, ${theirs.schema}, pg_temp', true)`
    expect(await outcome(attack([`select ${path}`, utility(statement)]))).toBe('42501')
    expect(await kept()).toEqual([])
  })

  /** What an attacker does with the name of a statement. */
  const changes: [what: string, steps: (of: Kept) => string[]][] = [
    ['drops it', ({ name }) => [`deallocate ${name}`]],
    ['drops all', () => ['deallocate all']],
    [
      'replaces it',
      ({ name }) => [`deallocate ${name}`, `prepare ${name} as select 1 as id, 'forged' as name`],
    ],
    [
      'replaces it by one with a parameter that lets the victim write',
      ({ name }) => [
        `deallocate ${name}`,
        `prepare ${name} (text) as update ${mine.schema}.shop_makers set name = 'forged' where id = 1 returning id, name`,
      ],
    ],
    [
      'replaces it by one whose text begins in the same way',
      ({ name, statement }) => [
        `deallocate ${name}`,
        `prepare ${name} as select 1 as id, $1::text as name /* ${statement} */`,
      ],
    ],
    [
      'replaces it by one that a function of its own answers',
      ({ name }) => [
        `create or replace function ${mine.schema}.forge() returns text language sql as 'select ''forged'''`,
        `deallocate ${name}`,
        `prepare ${name} as select 1 as id, ${mine.schema}.forge() as name`,
      ],
    ],
    ['prepares a long one', () => [`prepare s_long as select 1 /* ${'x'.repeat(140_000)} */`]],
    [
      'prepares many others',
      () => Array.from({ length: 40 }, (_, index) => `prepare s_${index} as select ${index}`),
    ],
  ]

  it.each(changes)(
    'answers with the same records when a statement of another site %s',
    async (_what, steps) => {
      const before = await keptByAsking()
      await attack(steps(before).map(utility))
      expect(await kept()).not.toEqual([before])
      for (let times = 0; times < 3; times++) {
        const answer = await ask()
        expect([answer.status, answer.body, roundTrips(answer)]).toEqual([200, { data: expected }, 1])
      }
      expect(await kept()).toContainEqual(before)
      expect((await kept()).length).toBeLessThanOrEqual(16)
      const [row] = await app.sql(`select name from ${mine.schema}.shop_makers where id = 1`)
      expect(row).toEqual({ name: 'Attacker' })
    },
  )

  it('is not answered with what another site prepared under its name before its first use', async () => {
    const { name } = await keptByAsking()
    await forget()
    await attack([utility(`prepare ${name} as select 1 as id, 'forged' as name`)])
    expect((await ask()).body).toEqual({ data: expected })
  })

  it('is compared even if a statement has changed settings, in its own transaction or for its session', async () => {
    const { name } = await keptByAsking()
    for (const isLocal of [true, false])
      await attack([
        `select set_config('search_path', '${mine.schema}, pg_catalog', ${isLocal})`,
        `create or replace function ${mine.schema}.split_part(text, text, integer) returns text language sql as 'select ''x'''`,
        `select set_config('transform_null_equals', 'on', ${isLocal}), set_config('standard_conforming_strings', 'off', ${isLocal})`,
        utility(`deallocate ${name}`),
        utility(`prepare ${name} as select 1 as id, 'forged' as name`),
      ])
    expect((await ask()).body).toEqual({ data: expected })
  })

  it('does not answer a caller who has lost the right to read', async () => {
    const reader = await app.user('reader')
    const path = `/api/cloud/sites/${theirs.slug}/permissions/${reader.id}/`
    const grant = (permissions: string[]) =>
      app.request('PUT', path, { token: theirs.owner.token, body: { permissions } })
    const read = () => app.request('GET', `${theirs.data('makers')}1/`, { token: reader.token })
    await grant(['access_site'])
    for (let times = 0; times < 4; times++) expect((await read()).status).toBe(200)
    await grant([])
    expect((await read()).status).toBe(403)
  })

  it('is another one as soon as the table has changed', async () => {
    const before = await keptByAsking()
    const fields = [
      { name: 'id', type: 'integer' },
      { name: 'name', type: 'string', constraints: { required: true, unique: true, maxLength: 40 } },
      { name: 'town', type: 'string' },
    ]
    const changed = await app.request('PUT', `${theirs.api}/apps/shop/datatables/makers/`, {
      token: theirs.owner.token,
      body: { json_schema: { fields, primaryKey: 'id' } },
    })
    expect(changed.status).toBe(200)
    await forget()
    const after: string[] = []
    while (after.length === 0) {
      expect((await ask()).body).toEqual({ data: { ...expected, town: null } })
      after.push(...namesOf(await kept()))
    }
    expect([after.length, after.includes(before.name)]).toEqual([1, false])
  })
})

describe('what a session keeps', () => {
  it('is nothing that was asked for twice, and nothing of guests', async () => {
    await forget()
    const open = `${theirs.api}/apps/shop/datatables/products/access/`
    const rules = [{ name: 'all', who: 'anyone', can: ['read'] }]
    expect((await app.request('PUT', open, { token: theirs.owner.token, body: { rules } })).status).toBe(200)
    const list = `${theirs.data('products')}?stock__gt=4711`
    for (let times = 0; times < 2; times++) await app.request('GET', list, { token: theirs.owner.token })
    for (let times = 0; times < 5; times++)
      expect((await app.request('GET', theirs.data('products'))).status).toBe(200)
    expect(await kept()).toEqual([])
  })

  it('is at most 16 statements, the newest ones', async () => {
    await forget()
    const fields = ['id', 'stock', 'price', 'sku']
    const lists = fields.flatMap((field) =>
      ['__gt', '__lt', '__gte', '__lte', ''].map((end) => `${theirs.data('products')}?${field}${end}=1`),
    )
    const names: string[] = []
    for (const list of lists) {
      // Until it is a part of all reads of the isolate.
      for (const before = names.length; names.length === before; ) {
        expect((await app.request('GET', list, { token: theirs.owner.token })).status).toBe(200)
        names.push(...namesOf(await kept()).filter((name) => !names.includes(name)))
      }
      expect(namesOf(await kept())).toEqual(names.slice(-16).sort())
    }
    expect(names).toHaveLength(20)
  })
})
