/**
 * Generates typed clients from the documents that a service publishes: `node generate.ts <address of the
 * service> <token>`.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '@hey-api/openapi-ts'
import { generate } from 'orval'
import { app } from './stack.ts'

const [base = '', token = ''] = process.argv.slice(2)
const folder = join(import.meta.dirname, '.generated')

/**
 * The names of the calls of hey-api and orval. They are set here, so that they do not depend on operation
 * ids.
 */
const data = `/api/apps/${app}/datatables/tools/data/`
const names = {
  app: {
    [`GET ${data}`]: 'listTools',
    [`POST ${data}`]: 'createTools',
    [`PATCH ${data}`]: 'changeTools',
    [`DELETE ${data}`]: 'deleteTools',
    [`POST ${data}upsert/`]: 'upsertTools',
    [`GET ${data}{record}/`]: 'readTool',
    [`PATCH ${data}{record}/`]: 'changeTool',
    [`PUT ${data}{record}/`]: 'replaceTool',
    [`DELETE ${data}{record}/`]: 'deleteTool',
  },
  service: {
    'POST /api/auth/jwt/token/': 'signIn',
    'GET /api/users/me/': 'readMe',
    'GET /api/apps/': 'listApps',
    'GET /api/apps/{app}/': 'readApp',
    'POST /api/tags/': 'createTag',
    'GET /api/tags/': 'listTags',
    'PATCH /api/tags/{tag}/': 'changeTag',
    'DELETE /api/tags/{tag}/': 'deleteTag',
    'GET /api/secrets/{secret}/': 'readSecret',
    'GET /api/apps/{app}/datatables/{table}/data/': 'listRecords',
  },
} as const

rmSync(folder, { recursive: true, force: true })
for (const [name, path] of [
  ['service', '/api/schema/'],
  ['app', `/api/apps/${app}/schema/`],
] as const) {
  const response = await fetch(`${base}${path}`, { headers: { authorization: `Bearer ${token}` } })
  if (!response.ok) throw new Error(`GET ${path} answered ${response.status}`)
  const target = join(folder, name)
  mkdirSync(target, { recursive: true })
  const document = join(target, 'openapi.json')
  writeFileSync(document, await response.text())
  const own = new Map<string, string>(Object.entries(names[name]))
  const nameOf = (method: string, route: string, id: string) =>
    own.get(`${method.toUpperCase()} ${route}`) ?? id

  // Properties with a default are optional in a request.
  const cli = join(import.meta.dirname, 'node_modules', 'openapi-typescript', 'bin', 'cli.js')
  execFileSync(
    process.execPath,
    [cli, document, '--default-non-nullable=false', '-o', join(target, 'paths.d.ts')],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  )

  await createClient({
    input: document,
    output: join(target, 'hey-api'),
    plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
    logs: { level: 'silent' },
    parser: {
      patch: {
        operations: Object.fromEntries(
          [...own].map(([place, called]) => [
            place,
            (operation: { operationId?: string }) => {
              operation.operationId = called
            },
          ]),
        ),
      },
    },
  })

  await generate({
    input: document,
    output: {
      target: join(target, 'orval.ts'),
      client: 'fetch',
      mode: 'single',
      baseUrl: base,
      override: {
        operationName: ({ operationId = '' }, route, verb) =>
          nameOf(verb, route.replaceAll('${', '{'), operationId),
      },
    },
  })
}
