/** No value changes silently: it is read as it was written, or the write is rejected. R6. */
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { identifier, literal, renderText } from '../../src/kernel/db/sql.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { createShop, type Shop } from '../support/fixtures.ts'
import { runs } from '../support/runs.ts'

let app: TestApp
let shop: Shop
let token: string

const fields = {
  a_string: fc.string({ unit: 'binary', maxLength: 40 }),
  a_integer: fc.oneof(fc.maxSafeInteger(), fc.constantFrom(0, -1, 2 ** 53 - 1, 1 - 2 ** 53)),
  a_number: fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom(0, -0, 1e300, 5e-324, 0.1),
  ),
  a_boolean: fc.boolean(),
  a_date: fc
    .date({
      min: new Date('0001-01-01T00:00:00Z'),
      max: new Date('9999-12-31T00:00:00Z'),
      noInvalidDate: true,
    })
    .map((date) => date.toISOString().slice(-24, -14)),
  a_datetime: fc
    .date({
      min: new Date('0001-01-02T00:00:00Z'),
      max: new Date('9999-12-30T00:00:00Z'),
      noInvalidDate: true,
    })
    .map((date) => date.toISOString().replace(/\.?0*Z$/, 'Z')),
  a_time: fc
    .tuple(fc.nat(23), fc.nat(59), fc.nat(59))
    .map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':')),
  a_uuid: fc.uuid(),
  a_object: fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 4 }),
  a_array: fc.array(fc.jsonValue({ maxDepth: 3 }), { maxLength: 4 }),
}
const record = fc.record(
  Object.fromEntries(
    Object.entries(fields).map(([name, arbitrary]) => [
      name,
      fc.option(arbitrary as fc.Arbitrary<unknown>, { nil: null }),
    ]),
  ),
)

/**
 * Checks a property. Reports a failure as JSON, because the reporter cannot print half of a surrogate pair.
 */
async function checkProperty<Values>(property: fc.IAsyncProperty<Values>, numRuns: number): Promise<void> {
  const { failed, seed, counterexample, errorInstance } = await fc.check(property, { numRuns })
  if (failed)
    throw new Error(JSON.stringify({ seed, counterexample, message: (errorInstance as Error)?.message }))
}

const storable = (value: unknown): boolean => {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0')
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([key, member]) => storable(key) && storable(member))
}

beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'fidelity')
  token = shop.owner.token
  const schema = { fields: Object.keys(fields).map((name) => ({ name, type: name.slice(2) })) }
  const made = await app.request(
    'POST',
    `${shop.api}/apps/shop/datasources/main/datatables/?materialize=true`,
    {
      token,
      body: { name: 'kept', json_schema: schema },
    },
  )
  expect(made.status).toBe(201)
})

describe('records', () => {
  it('records are read as they were written, or rejected', async () => {
    await checkProperty(
      fc.asyncProperty(fc.array(record, { minLength: 1, maxLength: 40 }), async (records) => {
        const answer = await app.request('POST', shop.data('kept'), { token, body: records })
        if (!records.every(storable)) {
          expect(answer.status).toBe(400)
          return
        }
        expect(answer.status).toBe(201)
        expect(answer.body.data.map(({ id: _, ...rest }: Record<string, unknown>) => rest)).toEqual(
          JSON.parse(JSON.stringify(records)),
        )
        const [first] = answer.body.data
        expect((await app.request('GET', `${shop.data('kept')}${first.id}/`, { token })).body.data).toEqual(
          first,
        )
      }),
      runs(15, 300),
    )
  })
})

describe('text in DDL', () => {
  it('text in DDL stays a constant or a name, and never becomes SQL', async () => {
    const text = fc
      .string({ unit: 'binary', maxLength: 20 })
      .filter((value) => value.isWellFormed() && !value.includes('\0'))
    await checkProperty(
      fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 30 }), text, async (constants, raw) => {
        const name = [...(raw || 'x')].slice(0, 15).join('')
        const list = constants.map((value) => renderText(literal(value))).join(', ')
        const [row] = await app.sql<Record<string, string[]>>(
          `select array[${list}]::text[] as ${renderText(identifier(name))}`,
        )
        expect(row).toEqual({ [name]: constants })
      }),
      runs(50, 1_000),
    )
  })
})
