/** The client in a page of another origin, in a real browser. docs/guide/client.md. */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expected } from '../client/expected.ts'
import { admin, type Service, startService } from '../support/service.ts'
import { type OpenBrowser, openBrowser } from './browser.ts'

let service: Service
let browser: OpenBrowser
let pages: Server

beforeAll(async () => {
  const { outputFiles } = await build({
    stdin: { contents: program, resolveDir: import.meta.dirname, loader: 'ts' },
    bundle: true,
    format: 'iife',
    globalName: 'trial',
    write: false,
  })
  const script = outputFiles[0]?.text ?? ''
  pages = createServer((request, response) => {
    const isScript = request.url === '/script.js'
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
    response.end(isScript ? script : '<!doctype html><title>Trial</title><script src="/script.js"></script>')
  })
  pages.listen(0, '127.0.0.1')
  await once(pages, 'listening')
  service = await startService([], { CORS_ORIGINS: pageOrigin() })
  browser = await openBrowser(pageOrigin())
})

afterAll(async () => {
  await browser?.close()
  await service?.stop()
  pages?.close()
})

const pageOrigin = () => `http://127.0.0.1:${(pages.address() as AddressInfo).port}`

const program = `
import { browserStore, createClient } from '../../client/src/index.ts'
import { playScenario } from '../client/scenario.ts'
export const clientOf = (options) => createClient({ ...options, auth: { store: browserStore() } })
export const expire = async () => {
  const store = browserStore()
  await store.write({ ...(await store.read()), expiresAt: 0 })
}
export const play = async (options) => JSON.stringify(await playScenario(createClient(options)))
`

describe('a page of another origin', () => {
  it('can do the same as programs in Node and workerd', async () => {
    await service.client.request('POST', '/api/cloud/organizations/harbour-street/sites/', {
      name: 'Page',
      slug: 'page',
    })
    const page = await browser.open()
    await page.goto('/')
    const options = {
      url: service.origin,
      site: 'page',
      auth: { username: admin.email, password: admin.password },
    }
    const played = await page.evaluate<string>(`trial.play(${JSON.stringify(options)})`)
    expect(JSON.parse(played)).toEqual(JSON.parse(JSON.stringify(expected)))
  })

  it('stays signed in when it is opened again, and its tabs renew the tokens once for all', async () => {
    const page = await browser.open()
    await page.goto('/')
    const client = `trial.clientOf({ url: ${JSON.stringify(service.origin)} })`
    await page.evaluate(
      `${client}.accounts.signIn(${JSON.stringify(admin.email)}, ${JSON.stringify(admin.password)})`,
    )
    let refreshes = 0
    page.context().on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/refresh/')) refreshes++
    })
    const others = await Promise.all(Array.from({ length: 3 }, () => page.context().newPage()))
    const tabs = [page, ...others]
    for (let round = 1; round <= 10; round++) {
      await page.evaluate('trial.expire()')
      await Promise.all(tabs.map((tab) => tab.goto('/')))
      const names = await Promise.all(
        tabs.map((tab) => tab.evaluate<string>(`${client}.accounts.me().then(({ username }) => username)`)),
      )
      expect([names, refreshes]).toEqual([tabs.map(() => 'admin'), round])
    }
  })
})
