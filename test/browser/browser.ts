/** A real browser that looks at a service's pages, and notes what it has to complain of. */
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type BrowserContextOptions, chromium, type Page } from 'playwright-core'

const screenshots = join(import.meta.dirname, '..', '..', '.tessera', 'screenshots')
const measuring = readFileSync(join(import.meta.dirname, 'measure.js'), 'utf8')

interface Measured {
  /** How far something stands beside the screen. */
  overflow: number
  /** Of what is clicked and filled in. */
  heights: number[]
  /** Of texts, to what they stand on. */
  contrasts: number[]
}

export const phone: BrowserContextOptions = { viewport: { width: 320, height: 568 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 }

export interface OpenBrowser {
  /** A page of a browser that nobody is signed in with. */
  open(options?: BrowserContextOptions): Promise<Page>
  shoot(page: Page, name: string): Promise<unknown>
  measure(page: Page): Promise<Measured>
  /** What there was to complain of since it was last asked: scripts, styles and pictures that the policy keeps away, files that are not there. */
  complaints(): string[]
  close(): Promise<void>
}

export async function openBrowser(origin: string): Promise<OpenBrowser> {
  mkdirSync(screenshots, { recursive: true })
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM as string, args: ['--no-sandbox'] })
  const complaints: string[] = []
  return {
    async open(options = {}) {
      const context = await browser.newContext({ baseURL: origin, viewport: { width: 1024, height: 768 }, ...options })
      const page = await context.newPage()
      // Of our own pages alone: what another's lack is not ours. That a page itself is a refusal is no fault of it.
      page.on('console', (message) => {
        const { url } = message.location()
        const ours = url.startsWith(origin) || message.text().includes('Content Security Policy')
        const refusal = url === page.url() && /status of 4\d\d/.test(message.text())
        if (message.type() === 'error' && ours && !refusal) complaints.push(`${message.text()} ${url}`)
      })
      page.on('pageerror', (error) => complaints.push(error.message))
      return page
    },
    shoot: (page, name) => page.screenshot({ path: join(screenshots, `${name}.png`), fullPage: true }),
    measure: (page) => page.evaluate<Measured>(measuring),
    complaints: () => complaints.splice(0),
    close: () => browser.close(),
  }
}
