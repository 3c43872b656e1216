/** The floor as a peer: the smallest possible Worker, on its own workerd. */

import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from 'miniflare'
import { bundle } from '../../dev/bundle.ts'
import { startedProcesses } from '../cpu/processes.ts'
import type { Stack } from '../stack.ts'
import { peersSchema } from './data.ts'
import { httpPeer, type Peer, type Row } from './peer.ts'
import type { Size } from './questions.ts'

const compatibilityDate = '2026-10-01'

export async function startFloor(stack: Stack, size: Size): Promise<Peer> {
  const { privateKey, publicKey } = await generateKeyPair('ES256')
  const token = await new SignJWT({ sub: '1' })
    .setProtectedHeader({ alg: 'ES256' })
    .setExpirationTime('1d')
    .sign(privateKey)
  const before = startedProcesses('workerd')
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      log: new Log(LogLevel.WARN),
      cf: false,
      workers: [
        {
          name: 'floor',
          compatibilityDate,
          compatibilityFlags: ['nodejs_compat'],
          modules: [
            {
              type: 'ESModule',
              path: 'worker.js',
              contents: await bundle('bench/side-by-side/floor-worker.ts'),
            },
          ],
          bindings: {
            DATABASE_URL: stack.superuserUrl,
            NEON_ENDPOINT: stack.neonEndpoint,
            PUBLIC_KEY: JSON.stringify(await exportJWK(publicKey)),
          },
        },
        {
          // The port leads to the Worker itself, as in dev/worker.ts.
          name: 'door',
          compatibilityDate,
          modules: [{ type: 'ESModule', path: 'door.js', contents: 'export default {}' }],
          unsafeDirectSockets: [{ host: '127.0.0.1', port: 0, serviceName: 'floor' }],
        },
      ],
    }),
  )
  await miniflare.ready
  const [pid = 0] = startedProcesses('workerd', before)
  return httpPeer({
    name: 'floor',
    title: 'floor',
    products: `${peersSchema}.products`,
    pid,
    url: await miniflare.unsafeGetDirectURL('door'),
    headers: { authorization: `Bearer ${token}` },
    size,
    asks: {
      healthz: () => ({ path: '/healthz' }),
      get: ({ id }) => ({ path: `/products/${id}` }),
      'list-total': ({ category, priceBelow }) => ({
        path: `/products?category=${encodeURIComponent(category)}&price__lt=${priceBelow}&total=exact`,
      }),
      list: ({ category, priceBelow }) => ({
        path: `/products?category=${encodeURIComponent(category)}&price__lt=${priceBelow}`,
      }),
      word: ({ word }) => ({ path: `/products?name__icontains=${word}` }),
      populate: ({ from, to }) => ({ path: `/orders?ordered_at__gte=${from}&ordered_at__lt=${to}` }),
      groups: ({ averageFrom }) => ({ path: `/orders/groups?avg_total__gte=${averageFrom}` }),
      descendants: ({ employee }) => ({ path: `/employees/${employee}/descendants` }),
      create: ({ product }) => ({ method: 'POST', path: '/products', body: product }),
      bulk: ({ bulk }) => ({ method: 'POST', path: '/products', body: bulk() }),
      upsert: ({ upsert }) => ({ method: 'PUT', path: '/products', body: upsert() }),
    },
    read(_question, body) {
      const { data, total, children } = body as { data: Row | Row[]; total?: number; children?: Row[] }
      return {
        rows: children ?? (Array.isArray(data) ? data : [data]),
        ...(total === undefined ? {} : { total }),
      }
    },
    stop: () => miniflare.dispose(),
  })
}
