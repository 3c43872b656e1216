/** Operations that require a body refuse a request without one, and change nothing. W1, W3. */
import { beforeAll, describe, expect, it } from 'vitest'
import { loadRoutes } from '../../src/app.ts'
import { documentOf } from '../../src/kernel/http/openapi/document.ts'
import { webhooks } from '../../src/runtime/events/schema.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { createShop, type Shop } from '../support/fixtures.ts'

let app: TestApp
let shop: Shop
let root: string
let directory: string

const operations = Object.entries(documentOf(await loadRoutes(), webhooks).paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    method: method.toUpperCase(),
    path,
    ...operation,
  })),
)

/** The values of path parameters. Others are 1, which is an id of everything. */
const values: Readonly<Record<string, string>> = {
  app: 'shop',
  table: 'products',
  datasource: 'main',
  organization: 'bodiless-org',
  site: 'bodiless',
}

beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'bodiless')
  root = (await app.user('bodiless-root', { superuser: true })).token
  const keys = `/api/cloud/organizations/${values.organization}/scim-keys/`
  const made = await app.request('POST', keys, { token: shop.owner.token, body: { name: 'bodiless' } })
  directory = made.body.key
})

describe('a request without the body that its operation requires', () => {
  /** Without the token of an invitation, nobody learns anything about it. */
  const isOpen = ({ operationId }: { operationId: string }) => operationId !== 'acceptInvitation'
  const required = operations.filter((one) => one.requestBody?.required && isOpen(one))

  it.each(required.map(({ method, path, operationId }) => [operationId, method, path]))(
    'is 400: %s',
    async (_id, method, path) => {
      const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '1')
      const isOfDirectory = filled.includes('/scim/v2/')
      const isOfSite = !/^\/api\/(cloud\/(?!events)|users|api-keys)/.test(filled)
      const own = isOfSite ? shop.owner.token : root
      const token = isOfDirectory ? directory : own
      const { status, body } = await app.request(
        method as string,
        isOfSite ? `${shop.api}${filled.slice(4)}` : filled,
        { token },
      )
      expect([status, body]).toEqual([400, expect.anything()])
    },
  )
})
