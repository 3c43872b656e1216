/** The documentation pages of the service, which work without a database. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newSigningKeys } from '../../dev/signing-keys.ts'
import { type RunningWorker, startWorker } from '../../dev/worker.ts'
import { documentsBelow, readDocument } from '../support/documents.ts'

const files = documentsBelow('docs').map((path) => path.slice('docs/'.length))
const pagePath = (file: string) => (file === 'README.md' ? '/docs/' : `/docs/${file.replace(/\.md$/, '')}/`)

let worker: RunningWorker
beforeAll(async () => {
  worker = await startWorker({
    host: '127.0.0.1',
    port: 0,
    quiet: true,
    bindings: {
      DATABASE_URL: 'postgresql://nobody:nothing@127.0.0.1:9/nowhere',
      SIGNING_KEYS: await newSigningKeys(),
    },
  })
})
afterAll(() => worker?.stop())

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(new URL(path, worker.url), { headers })

describe('the service without a database', () => {
  it('returns 503 for /readyz', async () => expect((await get('/readyz')).status).toBe(503))

  it.each(files)('returns %s as a page and as Markdown', async (file) => {
    const page = await get(pagePath(file))
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    const source = await get(`/docs/${file}`)
    expect([source.status, source.headers.get('content-type')]).toEqual([200, 'text/markdown; charset=utf-8'])
    expect(await source.text()).toBe(readDocument(`docs/${file}`).text)
  })
})

describe('the pages of the documentation', () => {
  it('link only to pages and anchors that exist', async () => {
    const texts = new Map<string, string>()
    for (const file of files) texts.set(pagePath(file), await (await get(pagePath(file))).text())
    const broken = [...texts].flatMap(([page, text]) =>
      [...text.matchAll(/href="(\/docs\/[^"#]*|)(?:#([^"]*))?"/g)]
        .filter(([, path = '', anchor]) => {
          if (path.endsWith('.md')) return !files.includes(path.slice('/docs/'.length))
          const target = texts.get(path === '' ? page : path)
          return (
            target === undefined || (anchor !== undefined && !target.includes(`id="${decodeURI(anchor)}"`))
          )
        })
        .map(([link]) => `${page}: ${link}`),
    )
    expect(broken).toEqual([])
  })

  it('contain nothing that the strict content policy forbids', async () => {
    for (const file of files) {
      const page = await get(pagePath(file))
      expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'self'; /)
      expect(await page.text()).not.toMatch(/<script|<style|<iframe| style=| on\w+="|<img(?! src="\/)/)
    }
  })

  it('show drawings, which the service also serves', async () => {
    const page = await (await get('/docs/performance/')).text()
    const [, address = ''] = /<img src="(.+?)" alt="CPU time of a request/.exec(page) ?? []
    expect(address).toMatch(/^\/[\w-]+\.svg$/)
    const drawing = await get(address)
    expect([drawing.status, drawing.headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
  })

  it('are revalidated by their ETag', async () => {
    const first = await get('/docs/guide/queries/')
    const tag = first.headers.get('etag') ?? ''
    expect([tag.length > 2, first.headers.get('cache-control')]).toEqual([true, 'public, max-age=300'])
    expect((await get('/docs/guide/queries/', { 'if-none-match': tag })).status).toBe(304)
    expect((await get('/docs/guide/writes/', { 'if-none-match': tag })).status).toBe(200)
  })

  it('return 404 for a page that does not exist, and 405 for another method', async () => {
    expect((await get('/docs/guide/nothing/')).status).toBe(404)
    expect((await get('/docs/guide/nothing.md')).status).toBe(404)
    expect((await fetch(new URL('/docs/', worker.url), { method: 'POST' })).status).toBe(405)
  })

  it('are linked from the start page', async () => {
    expect(await (await get('/')).text()).toContain('href="/docs/"')
  })
})

describe('the search of the documentation', () => {
  const found = async (query: string) => {
    const text = await (await get(`/docs/search?q=${encodeURIComponent(query)}`)).text()
    const [, list = ''] = /<ol class="found">(.*?)<\/ol>/s.exec(text) ?? []
    return [...list.matchAll(/<a href="(.*?)">/g)].map(([, address = '']) => address)
  }

  it('finds sections by their headings first', async () => {
    expect((await found('upsert'))[0]).toBe('/docs/guide/writes/#upsert')
    expect((await found('RATE_LIMIT_SCALE')).length).toBeGreaterThan(0)
  })

  it('finds only sections that contain every word', async () => {
    expect(await found('upsert zzzz')).toEqual([])
    expect(await found('')).toEqual([])
  })

  it('shows the query, and never as HTML', async () => {
    const text = await (
      await get(`/docs/search?q=${encodeURIComponent('"><script>alert(1)</script>')}`)
    ).text()
    expect(text).not.toContain('<script>')
    expect(text).toContain('&lt;script&gt;')
  })
})

describe('/llms.txt', () => {
  it('has a title, a summary, and a line for each page', async () => {
    const text = await (await get('/llms.txt')).text()
    expect(text).toMatch(/^# Tessera\n\n> A multi-tenant backend/)
    const listed = [...text.matchAll(/^- \[.+\]\((.+)\): .+$/gm)].map(([, address = '']) => address)
    expect(listed).toHaveLength(files.length)
    for (const address of listed) expect((await get(new URL(address).pathname)).status).not.toBe(404)
  })
})
