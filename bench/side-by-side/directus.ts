/** Directus as a peer, from the package in bench/peers/directus. */
import { execFile, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, rmSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '../../dev/free-port.ts'
import { installMissing } from '../../dev/install.mjs'
import { temporaryFolder } from '../../dev/temporary-folder.ts'
import type { Stack } from '../stack.ts'
import { peersSchema } from './data.ts'
import { httpPeer, type Peer, type Row } from './peer.ts'
import type { Input, Size } from './questions.ts'
import { startServerProcess } from './server-process.ts'

const root = join(import.meta.dirname, '..', '..')
const folder = join(root, 'bench', 'peers', 'directus')
const program = join(folder, 'node_modules', 'directus', 'cli.js')
const admin = { email: 'admin@example.com', password: 'Admin-bench-1' }

/** Requests come from its administrator, whose permissions it does not look up. */
export async function startDirectus(stack: Stack, size: Size): Promise<Peer> {
  if (!(await installMissing(folder, 'Directus'))) throw new Error('npm ci failed in bench/peers/directus')
  const cwd = temporaryFolder('bench-directus')
  const url = new URL(`http://127.0.0.1:${await freePort()}/`)
  const env = {
    HOST: url.hostname,
    PORT: url.port,
    PUBLIC_URL: url.href,
    SECRET: randomUUID(),
    DB_CLIENT: 'pg',
    DB_CONNECTION_STRING: stack.superuserUrl,
    DB_SEARCH_PATH: `array:${peersSchema}`,
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
    ACCESS_TOKEN_TTL: '1d',
    LOG_LEVEL: 'error',
    TELEMETRY: 'false',
    // It refuses requests when its event loop is busy.
    PRESSURE_LIMITER_ENABLED: 'false',
  }
  const node = suitableNode()
  const remove = () => rmSync(cwd, { recursive: true, force: true })
  try {
    await promisify(execFile)(node, [program, 'bootstrap'], {
      cwd,
      env: { PATH: process.env.PATH, HOME: cwd, ...env },
    })
    const server = await startServerProcess(node, [program, 'start'], {
      cwd,
      env,
      ready: new URL('/server/ping', url),
    })
    return peerAt(url, await tokenAt(url), size, server.pid, () => server.stop().finally(remove))
  } catch (error) {
    remove()
    throw error
  }
}

/**
 * Returns the Node that runs it: ours, or that of the machine. When it is installed, its native module is
 * compiled with the headers that npm finds, which may be those of either Node.
 */
function suitableNode(): string {
  const ownFolder = join(root, 'node_modules')
  const path = (process.env.PATH ?? '').split(delimiter).filter((each) => !each.startsWith(ownFolder))
  const others = path.map((each) => join(each, process.platform === 'win32' ? 'node.exe' : 'node'))
  const loads = (node: string) =>
    spawnSync(node, ['--eval', "require('isolated-vm')"], { cwd: folder, stdio: 'ignore' }).status === 0
  return [process.execPath, ...others.filter((each) => existsSync(each))].find(loads) ?? process.execPath
}

async function tokenAt(url: URL): Promise<string> {
  const answer = await fetch(new URL('/auth/login', url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(admin),
  })
  const { data } = (await answer.json()) as { data: { access_token: string } }
  return data.access_token
}

function peerAt(url: URL, token: string, size: Size, pid: number, stop: () => Promise<void>): Peer {
  const filters = ({ category, priceBelow }: Input) =>
    `filter[category][_eq]=${encodeURIComponent(category)}&filter[price][_lt]=${priceBelow}&sort=-listed_at&limit=20`
  return httpPeer({
    name: 'directus',
    title: 'Directus',
    products: `${peersSchema}.products`,
    pid,
    url,
    headers: { authorization: `Bearer ${token}` },
    size,
    // It has no aggregation with a condition on groups, no recursion, and no upsert by a key other than the
    // primary one.
    asks: {
      healthz: () => ({ path: '/server/ping' }),
      get: ({ id }) => ({ path: `/items/products/${id}` }),
      'list-total': (input) => ({ path: `/items/products?${filters(input)}&meta=filter_count` }),
      list: (input) => ({ path: `/items/products?${filters(input)}` }),
      word: ({ word }) => ({
        path: `/items/products?filter[name][_icontains]=${word}&sort=-listed_at&limit=20`,
      }),
      populate: ({ from, to }) => ({
        path: `/items/orders?filter[ordered_at][_gte]=${from}&filter[ordered_at][_lt]=${to}&fields=*,customer_id.*,product_id.*&sort=-total,id&limit=50`,
      }),
      create: ({ product }) => ({ method: 'POST', path: '/items/products', body: product }),
      bulk: ({ bulk }) => ({ method: 'POST', path: '/items/products', body: bulk() }),
    },
    read(question, body) {
      const { data, meta } = body as { data: Row | Row[]; meta?: { filter_count: number } }
      const rows = Array.isArray(data) ? data : [data]
      return {
        rows: question === 'populate' ? rows.map(populated) : rows,
        ...(meta ? { total: meta.filter_count } : {}),
      }
    },
    stop,
  })
}

/** It replaces foreign keys by the related rows. */
function populated(row: Row): Row {
  const [customer, product] = [row.customer_id as Row, row.product_id as Row]
  return { ...row, customer_id: customer.id, customer, product_id: product.id, product }
}
