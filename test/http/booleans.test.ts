/** Booleans in query strings, as clients of several languages write them. W10. */
import { beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../support/app.ts'
import { operations } from '../support/contract.ts'
import { createShop, type Shop } from '../support/fixtures.ts'

let app: TestApp
let shop: Shop
const texts = [
  ['true', true],
  ['True', true],
  ['1', true],
  ['false', false],
  ['False', false],
  ['0', false],
] as const

beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'one')
  await app.request('POST', shop.data('makers'), { token: shop.owner.token, body: { id: 1, name: 'Ostra' } })
})

const ask = (method: string, path: string, body?: unknown) =>
  app.request(method, path, { token: shop.owner.token, ...(body === undefined ? {} : { body }) })

describe('a boolean in a query string', () => {
  it.each(['yes', 'TRUE', 'on', '2', '', 'true,'])('is 400 if it is "%s"', async (text) => {
    const { status, body } = await ask('GET', `${shop.api}/apps/?is_active=${text}`)
    expect([status, body]).toEqual([400, { is_active: ['Must be true or false.'] }])
  })

  it.each(texts)('may be written as %s, which is %s', async (text, value) => {
    const { status, body } = await ask('GET', `${shop.api}/apps/?is_active=${text}`)
    const slugs = body.results.map(({ slug }: { slug: string }) => slug)
    expect([status, slugs]).toEqual([200, value ? ['shop'] : []])
    const found = await ask('GET', `${shop.data('makers')}?name__null=${text}`)
    expect([found.status, found.body.total]).toEqual([200, value ? 0 : 1])
  })

  it.each(texts)(
    'decides in this form, too, whether a write is a dry run: dry_run=%s',
    async (text, isDry) => {
      const created = await ask('POST', `${shop.data('makers')}?dry_run=${text}`, { name: `Maker ${text}` })
      expect([created.status, created.body.dry_run]).toEqual(isDry ? [200, true] : [201, undefined])
      const deleted = await ask(
        'DELETE',
        `${shop.data('makers')}?filter={"name":"Maker ${text}"}&dry_run=${text}`,
      )
      expect([deleted.status, deleted.body.deleted]).toEqual([200, isDry ? 0 : 1])
      const batch = await ask('POST', `${shop.api}/apps/shop/batch/?dry_run=${text}`, [
        { op: 'create', table: 'makers', data: { name: `Batch ${text}` } },
      ])
      expect([batch.status, batch.body.dry_run]).toEqual([200, isDry ? true : undefined])
      const { body } = await ask('GET', `${shop.data('makers')}?name=Batch ${text}`)
      expect(body.total).toBe(isDry ? 0 : 1)
    },
  )

  it('is a boolean in the published document', () => {
    const texts = operations.flatMap(({ operationId, parameters }) =>
      parameters
        .filter(({ schema }) => Array.isArray(schema.enum) && schema.enum.includes('true'))
        .map(({ name }) => `${operationId} ${name}`),
    )
    expect(texts).toEqual([])
  })
})
