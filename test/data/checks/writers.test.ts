/**
 * Sixty checks and their computed fields under twenty writers: what Postgres holds is what the schemas say,
 * by an evaluation of its own (test/support/check-model.ts). Nobody waits in vain, and nobody gets another
 * answer. D19.
 */
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { type BothProviders, createInBothProviders, providers } from '../../support/both-providers.ts'
import { type Cells, modelFields, someCells, someFormulas, someTruths } from '../../support/check-model.ts'
import { runs } from '../../support/runs.ts'
import { scaled } from '../../support/scaled.ts'
import { seed } from '../../support/seed.ts'

const [tableCount, checksEach, writers] = [20, 3, 20]

const naming = /\b[abnsfde]\b/
const examples = fc.sample(someCells, { numRuns: 60, seed })
/** Tells whether most records meet a condition, but not all. */
const isTelling = ({ of }: { of(record: Cells): unknown }): boolean => {
  const broken = examples.filter((record) => of(record) === false).length
  return broken > 0 && broken < examples.length / 3
}
const truths = someTruths.filter((one) => naming.test(one.text) && isTelling(one))
const formulas = someFormulas.filter(({ text }) => naming.test(text))
const tables = fc
  .sample(fc.tuple(fc.array(truths, { minLength: checksEach, maxLength: checksEach }), formulas), {
    numRuns: tableCount,
    seed,
  })
  .map(([checks, formula], position) => ({ name: `t${position}`, checks, formula }))
type Table = (typeof tables)[number]

const resources = tables.map(({ name, checks, formula }) => ({
  name,
  schema: {
    primaryKey: 'id',
    fields: [
      { name: 'id', type: 'string' },
      ...modelFields,
      { name: 'x', type: 'number', generated: formula.text },
    ],
    checks: checks.map(({ text }, position) => ({ name: `c${position}`, expression: text })),
  },
}))

const moments = {
  name: 'moments',
  schema: {
    primaryKey: 'id',
    fields: [
      { name: 'id', type: 'string' },
      { name: 'at', type: 'datetime' },
      { name: 'east', type: 'date', generated: "(at at time zone 'Asia/Tokyo')::date" },
      { name: 'west', type: 'date', generated: "(at at time zone 'Etc/GMT+12')::date" },
      { name: 'moved', type: 'datetime', generated: "(at at time zone 'UTC') at time zone 'Etc/GMT+12'" },
    ],
  },
}

/** Returns the names of the checks that a record breaks: those that are false, not those that are null. */
const brokenBy = ({ checks }: Table, record: Cells): string[] =>
  checks.flatMap((check, position) => (check.of(record) === false ? [`c${position}`] : []))

/** Returns the value of the computed field. Postgres has no negative zero. */
const formulaOf = ({ formula }: Table, record: Cells): unknown => {
  const value = formula.of(record)
  return value === 0 ? 0 : value
}

let both: BothProviders
beforeAll(async () => {
  both = await createInBothProviders('writing-checks', [...resources, moments], [])
}, scaled(120_000))

const call = (method: string, path: string, body?: unknown) =>
  both.app.request(method, path, { token: both.shop.owner.token, ...(body === undefined ? {} : { body }) })

type Answer = Awaited<ReturnType<typeof call>>

/** One request of a writer, and what its answer has to be. */
type Work = (
  data: string,
  table: Table,
  cells: readonly Cells[],
  id: (place: number) => string,
) => Promise<void>

/** Checks the answer to new records: 400 names the first record that breaks the named check. */
function judge(table: Table, records: readonly Cells[], { status, body }: Answer, isBulk: boolean) {
  const isBroken = records.some((record) => brokenBy(table, record).length > 0)
  if (!isBroken) return expect([status, body]).toEqual([201, body])
  expect([status, body.code]).toEqual([400, 'check_failed'])
  const [[name, [text]]] = Object.entries(body.details) as [[string, [string]]]
  const place = records.findIndex((record) => brokenBy(table, record).includes(name))
  expect(text).toBe(`${isBulk ? `rows[${place}]: ` : ''}The record breaks the check "${name}".`)
}

const isTaken = ({ status, body }: Answer) => {
  if (status === 400) expect([body.code, body]).toEqual(['check_failed', body])
  else expect([200, 201, 404]).toContain(status)
}

const works: Work[] = [
  async (data, table, [cells = {}], id) => {
    const answer = await call('POST', data, { id: id(0), ...cells })
    judge(table, [cells], answer, false)
    if (answer.status === 201) expect(answer.body.data.x).toBe(formulaOf(table, cells))
  },
  async (data, table, cells, id) => {
    const records = cells.map((one, place) => ({ id: id(place), ...one }))
    judge(table, cells, await call('POST', data, records), true)
  },
  async (data, _, [cells], id) => isTaken(await call('PATCH', `${data}${id(-1)}/`, cells)),
  async (data, _, [{ a = null, s = null } = {}], id) =>
    isTaken(await call('PATCH', `${data}${id(-1)}/`, { a, s })),
  async (data, _, cells, id) =>
    isTaken(
      await call(
        'PATCH',
        data,
        cells.map((one, place) => ({ id: id(-1 - place), ...one })),
      ),
    ),
  async (data, _, cells, id) =>
    isTaken(
      await call(
        'POST',
        `${data}upsert/?unique_fields=id`,
        cells.map((one, place) => ({ id: id(-1 - place), ...one })),
      ),
    ),
  async (data, _, [{ a = null } = {}]) => isTaken(await call('PATCH', `${data}?filter={"f": true}`, { a })),
]

describe.each(providers)('in %s', (provider) => {
  it('the records of each table keep its checks, whoever writes them', {
    timeout: scaled(300_000),
  }, async () => {
    const steps = runs(12, 120)
    const orders = fc.sample(
      fc.array(
        fc.tuple(
          fc.constantFrom(...tables),
          fc.constantFrom(...works),
          fc.array(someCells, { minLength: 3, maxLength: 3 }),
          fc.nat(40),
        ),
        { minLength: steps, maxLength: steps },
      ),
      { numRuns: writers, seed },
    )
    await Promise.all(
      orders.map(async (order, writer) => {
        for (const [step, [table, work, cells, known]] of order.entries()) {
          // Names of new records are the writer's own; those of changed ones may be everybody's.
          const id = (place: number) =>
            place >= 0 ? `w${writer}-${step}-${place}` : `w${(known - place) % writers}-${step % 3}-0`
          await work(both.data[provider](table.name), table, cells, id)
        }
      }),
    )
    let count = 0
    for (const table of tables) {
      const { status, body } = await call('GET', `${both.data[provider](table.name)}?page_size=1000`)
      expect(status).toBe(200)
      count += body.data.length
      for (const record of body.data)
        expect([record, brokenBy(table, record), record.x]).toEqual([record, [], formulaOf(table, record)])
    }
    expect(count).toBeGreaterThan(writers)
  })
})

describe.each(providers)('dates that no client could send, in %s', (provider) => {
  it.each(['9999-12-31T23:59:59Z', '0001-01-01T11:59:59Z'])('from %s are refused: 400', async (at) => {
    const data = both.data[provider]('moments')
    const { status, body } = await call('POST', data, { id: 'm1', at })
    const text =
      'This, or another expression of the table, cannot be computed from the values of the record: ' +
      'a value is out of range, or of another form.'
    const details = { east: [text], west: [text], moved: [text] }
    const refusal = { error: 'Validation failed', details, code: 'validation_failed' }
    expect([status, body]).toEqual([400, refusal])
    expect((await call('GET', data)).status).toBe(200)
  })

  it('those at the ends are written', async () => {
    const data = both.data[provider]('moments')
    for (const [id, at] of Object.entries({ first: '0001-01-01T12:00:00Z', last: '9999-12-31T11:59:59Z' })) {
      const { status, body } = await call('POST', data, { id, at })
      expect([status, body]).toEqual([201, body])
      const back = await call('PATCH', `${data}${id}/`, { ...body.data, id })
      expect([back.status, back.body]).toEqual([200, back.body])
    }
  })
})
