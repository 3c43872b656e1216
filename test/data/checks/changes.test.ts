/**
 * Changes of checks and computed fields: their plans, their refusals, and what becomes of records. D8, D19.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { createSite, type Site, startApp, type TestApp } from '../../support/app.ts'

let app: TestApp
let site: Site

const kinds = ['flat_table', 'jsonb'] as const
const send = (method: string, path: string, body?: unknown) =>
  app.request(method, `${site.api}/apps/shop/${path}`, {
    token: site.owner.token,
    ...(body === undefined ? {} : { body }),
  })
const change = (name: string, json_schema: unknown, query = '') =>
  send('PUT', `datatables/${name}/${query}`, { json_schema })
const records = async (name: string) => (await send('GET', `datatables/${name}/data/?ordering=id`)).body.data

const id = { name: 'id', type: 'integer' }
const quantity = { name: 'quantity', type: 'integer' }
const price = { name: 'price', type: 'number' }
const total = { name: 'total', type: 'number', generated: 'quantity * price' }
const schemaOf = (fields: object[], more: object = {}) => ({
  primaryKey: 'id',
  fields: [id, ...fields],
  ...more,
})
const check = (name: string, expression: string, message?: string) => ({ name, expression, message })

let count = 0
async function make(kind: string, schema: object, rows: object[] = []): Promise<string> {
  const name = `t${++count}`
  const path = `datasources/${kind.replace('_', '-')}/datatables/?materialize=true`
  const made = await send('POST', path, { name, json_schema: schema })
  expect([made.status, made.body]).toEqual([201, made.body])
  if (rows.length > 0) expect((await send('POST', `datatables/${name}/data/`, rows)).status).toBe(201)
  return name
}

beforeAll(async () => {
  app = await startApp()
  site = await createSite(app, 'changing-checks')
  await app.request('POST', `${site.api}/apps/`, { token: site.owner.token, body: { name: 'shop' } })
  for (const kind of kinds)
    await send('POST', 'datasources/', { name: kind, slug: kind.replace('_', '-'), provider_type: kind })
})

const plan = async (name: string, schema: object): Promise<[string, boolean][]> => {
  const { status, body } = await change(name, schema, '?dry_run=true')
  expect([status, body]).toEqual([200, body])
  return body.changes.map((step: { description: string; destructive: boolean }) => [
    step.description,
    step.destructive,
  ])
}
const rows = [
  { id: 1, quantity: 2, price: 1.5 },
  { id: 2, quantity: 3, price: null },
]

describe.each(kinds)('in %s', (kind) => {
  it('a check that records break is refused with their keys: 422, and nothing changes', async () => {
    const name = await make(kind, schemaOf([quantity, price]), rows)
    const refused = await change(
      name,
      schemaOf([quantity, price], { checks: [check('few', 'quantity < 3'), check('cheap', 'price < 1')] }),
    )
    expect([refused.status, refused.body]).toEqual([
      422,
      {
        error: 'Existing records break the schema',
        detail: 'These records break the check few. These records break the check cheap.',
        violations: [
          {
            fields: ['quantity'],
            rule: 'checks.few',
            detail: 'These records break the check few.',
            records: [{ id: 2 }],
          },
          {
            fields: ['price'],
            rule: 'checks.cheap',
            detail: 'These records break the check cheap.',
            records: [{ id: 1 }],
          },
        ],
        code: 'records_break_schema',
      },
    ])
    const { body } = await send('GET', `datatables/${name}/`)
    expect(body.json_schema.checks).toBeUndefined()
  })

  it('a check on a new computed field is tried on the values that it gets', async () => {
    const name = await make(kind, schemaOf([quantity, price]), rows)
    const schema = schemaOf([quantity, price, total], { checks: [check('small', 'total < 3')] })
    const { status, body } = await change(name, schema)
    expect([status, body.violations]).toEqual([
      422,
      [{ fields: ['total'], rule: 'checks.small', detail: expect.any(String), records: [{ id: 1 }] }],
    ])
  })

  it('an expression that cannot be computed for a record is refused: 422 that names it', async () => {
    const name = await make(kind, schemaOf([quantity, price]), [{ id: 1, quantity: 0, price: 1 }])
    const share = { name: 'share', type: 'number', generated: 'price / quantity' }
    const { status, body } = await change(name, schemaOf([quantity, price, share]))
    expect([status, body.violations]).toEqual([
      422,
      [
        {
          fields: [],
          rule: 'expression',
          detail:
            'share: Division by zero in some records. Use nullif(…, 0) to turn such a divisor into null.',
          records: [],
        },
      ],
    ])
  })

  it('steps add, change and drop checks and computed fields, and lose no values', async () => {
    const name = await make(kind, schemaOf([quantity, price]), rows)
    const first = schemaOf([quantity, price, total], {
      checks: [check('positive', 'quantity > 0')],
      indexes: [{ name: 'by_total', fields: ['total'] }],
    })
    const trigger = (verb: string, names: string): [string, boolean][] =>
      kind === 'jsonb' ? [[`${verb} the computation of ${names}`, false]] : []
    expect(await plan(name, first)).toEqual([
      ['Add field total', false],
      ...trigger('Add', 'total'),
      ['Add the check positive', false],
      ['Add the index by_total', false],
    ])
    expect((await change(name, first)).status).toBe(200)
    expect(await records(name)).toEqual([
      { id: 1, quantity: 2, price: 1.5, total: 3 },
      { id: 2, quantity: 3, price: null, total: null },
    ])

    const second = {
      ...first,
      fields: [id, quantity, price, { ...total, generated: 'quantity * coalesce(price, 1)' }],
      checks: [check('positive', 'quantity >= 0', 'Not below zero.')],
    }
    expect(await plan(name, second)).toEqual([
      ['Drop the index by_total', false],
      ['Drop the check positive', false],
      ...trigger('Drop', 'total'),
      ['Drop field total', false],
      ['Add field total', false],
      ...trigger('Add', 'total'),
      ['Add the check positive', false],
      ['Add the index by_total', false],
    ])
    expect((await change(name, second)).status).toBe(200)
    expect((await records(name)).map((one: { total: unknown }) => one.total)).toEqual([3, 3])

    const message = { ...second, checks: [check('positive', 'quantity >= 0', 'Less than nothing.')] }
    expect(await plan(name, message)).toEqual([])
    expect((await change(name, message)).status).toBe(200)
    const broken = await send('POST', `datatables/${name}/data/`, { id: 5, quantity: -1 })
    expect([broken.status, broken.body.details]).toEqual([400, { positive: ['Less than nothing.'] }])

    expect((await change(name, schemaOf([quantity, price]))).status).toBe(200)
    expect((await send('POST', `datatables/${name}/data/`, { id: 5, quantity: -1 })).status).toBe(201)
    expect((await records(name))[0]).toEqual({ id: 1, quantity: 2, price: 1.5 })
  })

  it('a field that is no longer computed keeps its values; one that becomes computed loses its own', async () => {
    const name = await make(kind, schemaOf([quantity, price, total]), rows)
    const plain = schemaOf([quantity, price, { name: 'total', type: 'number' }])
    expect((await plan(name, plain)).every(([, destructive]) => !destructive)).toBe(true)
    expect((await change(name, plain)).status).toBe(200)
    expect((await records(name))[0]).toEqual({ id: 1, quantity: 2, price: 1.5, total: 3 })
    const own = await send('PATCH', `datatables/${name}/data/1/`, { total: 99 })
    expect(own.body.data.total).toBe(99)

    const again = await change(name, schemaOf([quantity, price, total]))
    expect([again.status, again.body.code]).toEqual([422, 'data_loss'])
    expect((await change(name, schemaOf([quantity, price, total]), '?allow_data_loss=true')).status).toBe(200)
    expect((await records(name))[0]).toEqual({ id: 1, quantity: 2, price: 1.5, total: 3 })
    const operations = (await send('GET', `datatables/${name}/operation-history/`)).body.data
    const rolled = await send('POST', `datatables/${name}/rollback/`, { revision_id: operations[0].id })
    expect([rolled.status, rolled.body.warnings]).toEqual([
      200,
      ['The old values of "total" are lost: the field is restored without them.'],
    ])
    expect((await records(name))[0]).toEqual({ id: 1, quantity: 2, price: 1.5, total: null })
  })

  it('a renamed field is renamed in expressions by the client: 400 says where, and what to write', async () => {
    const name = await make(
      kind,
      schemaOf([quantity, price, total], { checks: [check('positive', 'quantity > 0')] }),
      rows,
    )
    const amount = { name: 'amount', type: 'integer', 'x-rename-from': 'quantity' }
    const refused = await change(
      name,
      schemaOf([amount, price, total], { checks: [check('positive', 'quantity > 0')] }),
    )
    const problem =
      'Position 1: "quantity" is no field of the record. Fields: id, amount, price, total. ' +
      'This change renames "quantity" to "amount": write that.'
    expect([refused.status, refused.body]).toEqual([
      400,
      {
        json_schema: [`checks[0] ("positive").expression: ${problem}`, `fields.total.generated: ${problem}`],
      },
    ])
    const renamed = schemaOf([amount, price, { ...total, generated: 'amount * price' }], {
      checks: [check('positive', 'amount > 0')],
    })
    const steps = (await plan(name, renamed)).map(([description]) => description)
    if (kind === 'flat_table') expect(steps).toEqual(['Rename field quantity to amount'])
    else expect(steps).toContain('Rename field quantity to amount')
    expect((await change(name, renamed)).status).toBe(200)
    const broken = await send('POST', `datatables/${name}/data/`, { id: 7, amount: 0 })
    expect([broken.status, broken.body.details]).toEqual([
      400,
      { positive: ['The record breaks the check "positive".'] },
    ])
    const made = await send('POST', `datatables/${name}/data/`, { id: 7, amount: 4, price: 2 })
    expect(made.body.data.total).toBe(8)
  })

  it('a field that an expression names is not dropped: 400 names it', async () => {
    const name = await make(kind, schemaOf([quantity, price, total]), rows)
    expect(await change(name, schemaOf([quantity, total]))).toMatchObject({
      status: 400,
      body: {
        json_schema: [
          'fields.total.generated: Position 12: "price" is no field of the record. Fields: id, quantity, total.',
        ],
      },
    })
  })

  it('the type of a field changes under its computed fields and checks', async () => {
    const name = await make(
      kind,
      schemaOf([quantity, price, total], { checks: [check('positive', 'quantity > 0')] }),
      rows,
    )
    const schema = schemaOf([{ ...quantity, type: 'number' }, price, total], {
      checks: [check('positive', 'quantity > 0')],
    })
    expect((await change(name, schema)).status).toBe(200)
    const made = await send('POST', `datatables/${name}/data/`, { id: 7, quantity: 0.5, price: 3 })
    expect(made.body.data.total).toBe(1.5)
  })

  it('deletion, the trash, a new name and a copy keep both', async () => {
    const schema = schemaOf([quantity, price, total, { name: 'is_deleted', type: 'boolean' }], {
      checks: [check('positive', 'quantity > 0 or is_deleted')],
      history: true,
    })
    const name = await make(kind, schema, rows)
    expect((await send('DELETE', `datatables/${name}/data/1/`)).status).toBe(204)
    expect(
      (await send('PATCH', `datatables/${name}/data/1/?include_deleted=true`, { is_deleted: false })).status,
    ).toBe(200)
    expect((await send('DELETE', `datatables/${name}/`)).status).toBe(204)
    expect((await send('POST', `datatables/${name}/restore/`, { name: `${name}_again` })).status).toBe(200)
    const data = `datatables/${name}_again/data/`
    const broken = await send('POST', data, { id: 7, quantity: 0 })
    expect([broken.status, Object.keys(broken.body.details)]).toEqual([400, ['positive']])
    expect((await send('POST', data, { id: 7, quantity: 2, price: 2 })).body.data.total).toBe(4)
  })
})
