/**
 * Clients that are generated from the published documents compile strictly, and their calls return the
 * declared types.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AppCalls, Login, ServiceCalls } from './calls/results.ts'
import { type Stack, startStack } from './stack.ts'

let stack: Stack

beforeAll(async () => {
  stack = await startStack()
  execFileSync(process.execPath, [join(import.meta.dirname, 'generate.ts'), stack.base, stack.token], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
})
afterAll(() => stack.stop())

it('the generated clients, and the calls that use them, compile strictly', () => {
  const compiler = join(import.meta.dirname, 'node_modules', 'typescript', 'bin', 'tsc')
  const { status, stdout } = spawnSync(process.execPath, [compiler, '-p', import.meta.dirname], {
    encoding: 'utf8',
  })
  expect([stdout, status]).toEqual(['', 0])
})

interface Calls {
  callApp(login: Login): Promise<AppCalls>
  callService(login: Login): Promise<ServiceCalls>
}

/** The calls of each client. Their modules exist only after the generation. */
const clients: [name: string, calls: () => Promise<Calls>][] = [
  ['openapi-typescript and openapi-fetch', () => import('./calls/openapi-fetch.ts')],
  ['@hey-api/openapi-ts', () => import('./calls/hey-api.ts')],
  ['orval', () => import('./calls/orval.ts')],
]

describe.each(clients)('%s', (_name, load) => {
  it('makes ten calls to a table, from the document of its app', async () => {
    const { callApp } = await load()
    expect(await callApp(stack)).toEqual({
      made: 'Saw',
      more: 2,
      listed: { total: 3, count: 2 },
      read: 'Saw',
      changed: 3,
      replaced: ['Handsaw', null, 'good'],
      upserted: [200, 1],
      refused: [400, ['fee']],
      deleted: 204,
      all: 2,
    })
  })

  it('makes ten calls to the service', async () => {
    const { callService } = await load()
    expect(await callService(stack)).toEqual({
      signedIn: 'Bearer',
      me: stack.email,
      apps: expect.arrayContaining(['workshop']),
      app: 'workshop',
      tag: expect.stringMatching(/^(openapi-fetch|hey-api|orval)$/),
      // Two are from the demo.
      tags: 3,
      changed: '#FF0000',
      deleted: 200,
      missing: 404,
      records: 200,
    })
  })
})
