/** A real browser that opens the pages of a service, and collects its error messages. */
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import axe from 'axe-core'
import { type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { retry } from '../../src/kernel/lib/retry.ts'
import { scaled } from '../support/scaled.ts'

const isTimeout = (error: unknown) => error instanceof Error && error.name === 'TimeoutError'

const screenshots = join(import.meta.dirname, '..', '..', '.tessera', 'screenshots')
const measureScript = readFileSync(join(import.meta.dirname, 'measure.js'), 'utf8')

/**
 * The height in pixels of the longest page that is drawn whole. The browser lays out and draws all of a page
 * for a part of it, and takes 16 s for 20,000 pixels: of a longer page, its first screen is drawn.
 */
const wholeHeightMax = 8_000

interface Measurements {
  /** The width of the page beyond the screen, in pixels. */
  overflow: number
  /** The heights of links, buttons and fields, in pixels. */
  heights: number[]
  /** The contrast ratios of texts and their backgrounds. */
  contrasts: number[]
}

/** A rule that a page breaks, with the elements that break it. */
interface Violation {
  id: string
  nodes: { html: string; failureSummary?: string }[]
}

/** The widths and color schemes in which pages are tested. */
export const screens: readonly [name: string, options: BrowserContextOptions][] = [375, 1280].flatMap(
  (width) =>
    (['light', 'dark'] as const).map((colorScheme): [string, BrowserContextOptions] => [
      `${width}-${colorScheme}`,
      { viewport: { width, height: 800 }, colorScheme },
    ]),
)

/** The smallest phone that is supported. */
export const phone: BrowserContextOptions = {
  viewport: { width: 320, height: 568 },
  isMobile: true,
  hasTouch: true,
  deviceScaleFactor: 2,
}

/** A running browser. */
export interface OpenBrowser {
  /** Opens a page in a new profile, without cookies. */
  open(options?: BrowserContextOptions): Promise<Page>
  /** Saves a screenshot of the page, or of the first screen of a long one, under .tessera/screenshots. */
  shoot(page: Page, name: string): Promise<unknown>
  measure(page: Page): Promise<Measurements>
  /** Returns the rules of axe that the page breaks, each with the elements that break it. */
  violations(page: Page): Promise<string[]>
  /**
   * Returns the errors since the last call, and forgets them: resources that the policy blocks, missing
   * files, exceptions.
   */
  complaints(): string[]
  close(): Promise<void>
}

/** Starts Chromium from the path in CHROMIUM. `origin` is the address of the service. */
export async function openBrowser(origin: string): Promise<OpenBrowser> {
  mkdirSync(screenshots, { recursive: true })
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM as string,
    args: ['--no-sandbox'],
  })
  const complaints: string[] = []
  return {
    async open(options = {}) {
      const context = await browser.newContext({
        baseURL: origin,
        viewport: { width: 1024, height: 768 },
        ...options,
      })
      const page = await context.newPage()
      page.setDefaultTimeout(scaled(30_000))
      // Only errors of our own pages count. An error page has a 4xx status, which the browser's console
      // reports too.
      page.on('console', (message) => {
        const { url } = message.location()
        const isOurs = url.startsWith(origin) || message.text().includes('Content Security Policy')
        const isErrorPage = url === page.url() && /status of 4\d\d/.test(message.text())
        if (message.type() === 'error' && isOurs && !isErrorPage) complaints.push(`${message.text()} ${url}`)
      })
      page.on('pageerror', (error) => complaints.push(error.message))
      return page
    },
    async shoot(page, name) {
      const height = await page.evaluate<number>('document.documentElement.scrollHeight')
      // A busy machine may not draw in time. What is asserted does not depend on the picture.
      await retry({ attempts: 3, isTransient: isTimeout, pauseMs: () => 1_000 }, () =>
        page.screenshot({ path: join(screenshots, `${name}.png`), fullPage: height <= wholeHeightMax }),
      )
    },
    measure: (page) => page.evaluate<Measurements>(measureScript),
    async violations(page) {
      await page.evaluate(axe.source)
      const found = await page.evaluate<Violation[]>('axe.run().then(({ violations }) => violations)')
      return found.flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary ?? ''}`),
      )
    },
    complaints: () => complaints.splice(0),
    close: () => browser.close(),
  }
}
