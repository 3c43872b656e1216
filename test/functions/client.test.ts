/** What the code of functions may do with the API of its site: as the service, and as its caller. */
import { beforeAll, describe, expect, it } from 'vitest'
import type { TestApp, User } from '../support/app.ts'
import { createEventful, type Eventful } from '../support/events.ts'
import { grant } from '../support/fixtures.ts'

let one: Eventful
let app: TestApp

const functions = '/apps/shop/functions/'
const makers = '/api/apps/shop/datatables/makers/data/'
/** What functions are told of anything but records of their app. */
const refused = {
  detail: 'A function can read and write records and edges of its own app, and nothing else.',
}

beforeAll(async () => {
  one = await createEventful('acts')
  app = one.app
})

let made = 0
/** Makes a function. Returns its slug. */
async function make(code: string, more: object = {}): Promise<string> {
  const slug = `f${++made}`
  const answer = await one.owner.post(functions, { name: slug, code, ...more })
  expect(answer.status).toBe(201)
  return slug
}

/** Runs code and returns its result, or the error that it ends with. */
async function run(code: string, params: object = {}, more: object = {}, user?: User): Promise<unknown> {
  const slug = await make(code, more)
  const answer = await app.request('POST', `${one.shop.api}${functions}${slug}/execute/`, {
    token: (user ?? one.shop.owner).token,
    body: { params },
  })
  return answer.body.data ?? answer.body.invocation?.error ?? answer.body
}

/** Asks the API, and returns the status and the body. */
const ask = `async ({ method = 'GET', path, headers, body }, { client }) => {
  const init = { method, headers: { 'content-type': 'application/json', ...headers } }
  const answer = await client.fetch(path, { ...init, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
  const text = await answer.text()
  return [answer.status, text === '' ? null : JSON.parse(text)]
}`

describe('as the service', () => {
  it('reads and writes records of its app', async () => {
    const code = `export default async (params, { client }) => {
      const made = await client.post('${makers}', { id: 1, name: 'Anker' })
      await client.patch('${makers}1/', { name: 'Bosch' })
      const read = await client.get('${makers}?name=Bosch')
      await client.delete('${makers}1/')
      return [made, read.data ?? read.results ?? read, (await client.get('${makers}')).total]
    }`
    expect(await run(code)).toEqual([])
  })
  it('asks', async () => {
    expect(await run(`export default ${ask}`, { path: '/api/apps/shop/' })).toEqual([403, refused])
  })
})
