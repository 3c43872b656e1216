/** `npm run load -- <datapackage.json> --app <name>`: a Frictionless data package, over the public API. README, "Load data". */
import { isAbsolute, join } from 'node:path'
import { parseArgs } from 'node:util'
import { slugOf } from '../src/lib/slug.ts'
import { type Client, messagesOf, RefusedError, signIn } from './client.ts'
import { inForeignKeyOrder, type Resource, readPackage } from './loader/package.ts'
import { showProgress } from './loader/progress.ts'
import { readRows } from './loader/rows.ts'

const usage = `Usage: npm run load -- <datapackage.json> --app <name> [--url <address>] [--user <name>] [--password <password>]

  --app       the app to create, or to add the tables to
  --url       where Tessera runs, with /sites/<slug> where that names the site; default http://127.0.0.1:8787
  --user      default $ADMIN_EMAIL, or the local demo's
  --password  default $ADMIN_PASSWORD, or the local demo's`

const rowsPerBatch = 1000

try {
  await load()
} catch (error) {
  console.error(`\n${error instanceof Error ? error.message : error}`)
  process.exitCode = 1
}

async function load(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { app: { type: 'string' }, url: { type: 'string' }, user: { type: 'string' }, password: { type: 'string' } },
  })
  const [path] = positionals
  if (!path || !values.app) throw new Error(usage)
  // npm runs scripts in the project's folder, and says where it was called.
  const file = isAbsolute(path) ? path : join(process.env.INIT_CWD ?? process.cwd(), path)
  const { resources, leftAside } = readPackage(file)
  const ordered = inForeignKeyOrder(resources)
  for (const item of leftAside) console.log(`Left aside, as the service has no place for it: ${item}`)

  const base = new URL(values.url ?? 'http://127.0.0.1:8787')
  const user = values.user ?? process.env.ADMIN_EMAIL ?? 'admin@example.com'
  const client = await signIn(base.href, user, values.password ?? process.env.ADMIN_PASSWORD ?? 'Admin-demo-1')
  const api = `${base.pathname.replace(/\/$/, '')}/api/apps/`
  const slug = await appNamed(client, api, values.app)
  await client.request('POST', `${api}${slug}/datatables/create_schema/?materialize=true`, {
    resources: ordered.map(({ name, schema }) => ({ name, schema })),
  })
  let total = 0
  for (const resource of ordered) total += await loadTable(client, `${api}${slug}/datatables/${resource.name}/data/`, resource)
  console.log(`Loaded ${total.toLocaleString('en')} rows into ${ordered.length} tables of the app "${slug}".`)
}

/** The slug of the app, which is created unless it exists. */
async function appNamed(client: Client, api: string, name: string): Promise<string> {
  const app = (await client.find<{ slug: string }>(`${api}${slugOf(name)}/`)) ?? (await client.request<{ slug: string }>('POST', api, { name }))
  return app.slug
}

async function loadTable(client: Client, path: string, resource: Resource): Promise<number> {
  const rows = readRows(resource)
  showProgress(resource.name, 0, rows.length)
  for (let start = 0; start < rows.length; start += rowsPerBatch) {
    const batch = rows.slice(start, start + rowsPerBatch)
    try {
      await client.request('POST', path, batch)
    } catch (error) {
      throw error instanceof RefusedError ? new Error(explain(resource, start, batch.length, error)) : error
    }
    showProgress(resource.name, start + batch.length, rows.length)
  }
  return rows.length
}

/** What the service says of `rows[3]` of a batch, said of the row of the file, counted from 1. */
function explain({ name }: Resource, start: number, size: number, { status, body }: RefusedError): string {
  const lines = messagesOf(body)
    .slice(0, 10)
    .map(({ field, text }) => {
      const [, index, rest] = /^rows\[(\d+)\]: (.*)$/s.exec(text) ?? []
      const place = index === undefined ? '' : `row ${start + Number(index) + 1}: `
      return `  ${place}${field ? `${field}: ` : ''}${rest ?? text}`
    })
  return [
    `${name}: the service refused rows ${start + 1} to ${start + size} (${status}), and took none of them:`,
    ...lines,
    `The ${start} rows of ${name} before them, and the tables before it, are loaded.`,
  ].join('\n')
}
