/**
 * The floor: the smallest Worker that answers the questions. Hono, the Neon driver over HTTP, a check of an
 * ES256 token, and one statement written by hand for each question; no tenants, no permissions, no
 * validation.
 */
import { neon, neonConfig } from '@neondatabase/serverless'
import { type Context, Hono } from 'hono'
import { importJWK, type JWK, jwtVerify } from 'jose'
import { statements } from './statements.ts'

interface Variables {
  DATABASE_URL: string
  NEON_ENDPOINT: string
  /** The public key, as a JSON Web Key. */
  PUBLIC_KEY: string
}
type App = { Bindings: Variables }

const app = new Hono<App>()
let key: Promise<CryptoKey | Uint8Array> | undefined

app.get('/healthz', (c) => c.json({ status: 'ok' }))

app.use(async (c, next) => {
  key ??= importJWK(JSON.parse(c.env.PUBLIC_KEY) as JWK, 'ES256')
  const token = c.req.header('Authorization')?.slice('Bearer '.length) ?? ''
  try {
    await jwtVerify(token, await key)
  } catch {
    return c.json({ detail: 'Unauthorized' }, 401)
  }
  await next()
})

async function run(c: Context<App>, question: keyof typeof statements, values: unknown[]) {
  neonConfig.fetchEndpoint = c.env.NEON_ENDPOINT
  return await neon(c.env.DATABASE_URL).query(statements[question], values)
}

/** Returns the rows of a statement whose last column is the number of rows without the limit. */
function page(rows: Record<string, unknown>[]) {
  const total = Number(rows[0]?.total ?? 0)
  for (const row of rows) delete row.total
  return { data: rows, total }
}

app.get('/products/:id{[0-9]+}', async (c) => {
  const [data] = await run(c, 'get', [c.req.param('id')])
  return data ? c.json({ data }) : c.json({ detail: 'Not found' }, 404)
})

app.get('/products', async (c) => {
  const { category, price__lt, name__icontains, total } = c.req.query()
  if (name__icontains) return c.json({ data: await run(c, 'word', [name__icontains]) })
  if (total) return c.json(page(await run(c, 'list-total', [category, price__lt])))
  return c.json({ data: await run(c, 'list', [category, price__lt]) })
})

app.get('/orders', async (c) => {
  const { ordered_at__gte, ordered_at__lt } = c.req.query()
  return c.json({ data: await run(c, 'populate', [ordered_at__gte, ordered_at__lt]) })
})

app.get('/orders/groups', async (c) => c.json(page(await run(c, 'groups', [c.req.query('avg_total__gte')]))))

app.get('/employees/:id/descendants', async (c) => {
  const [data, ...children] = await run(c, 'descendants', [c.req.param('id')])
  return c.json({ data, children })
})

app.post('/products', async (c) => {
  const body = await c.req.json()
  if (Array.isArray(body)) return c.json({ data: await run(c, 'bulk', [JSON.stringify(body)]) }, 201)
  const { sku, name, category, price, stock, is_active, listed_at } = body
  const [data] = await run(c, 'create', [sku, name, category, price, stock, is_active, listed_at])
  return c.json({ data }, 201)
})

app.put('/products', async (c) => {
  const body = await c.req.json()
  return c.json({ data: await run(c, 'upsert', [JSON.stringify(body)]) })
})

export default app
