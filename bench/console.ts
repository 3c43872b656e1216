/**
 * Measures the console in Chromium: a table of a million records, and the picture of a graph. `--only=graph`
 * measures one part. CHROMIUM is the path of the browser.
 */
import { parseArgs } from 'node:util'
import { chromium } from 'playwright-core'
import { buildConsole } from '../dev/build-console.ts'
import { measureGraph } from './console/graph.ts'
import { measureRecords } from './console/records.ts'
import { withStack } from './stack.ts'

const admin = { username: 'admin@example.com', password: 'Admin-bench-1' }
const parts = { records: measureRecords, graph: measureGraph }

const { only } = parseArgs({ options: { only: { type: 'string' } } }).values
const measured = Object.entries(parts).filter(([name]) => only === undefined || name === only)
if (measured.length === 0)
  throw new Error(`There is no part "${only}". There are: ${Object.keys(parts).join(', ')}.`)

await buildConsole()
await withStack(async (stack) => {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--enable-precise-memory-info'],
  })
  const page = await browser.newPage({ baseURL: stack.url.origin, locale: 'en-GB' })
  await page.request.post('/api/auth/session/', { data: admin })
  for (const [, measure] of measured) await measure(stack, page)
  await browser.close()
})
