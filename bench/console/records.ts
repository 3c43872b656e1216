/**
 * Measures the grid with a table of a million records: the time until the first rows are shown, how smoothly
 * they scroll, and the memory that the page uses.
 */
import type { Page } from 'playwright-core'
import { median, report, type Stack } from '../stack.ts'

const recordCount = 1_000_000
const firstRowsMaxMs = 300
/** 60 frames per second, with the rounding of the clock. */
const frameMaxMs = 16.8
const memoryMaxMb = 300
const scrollMs = 10_000

interface Scrolled {
  /** Milliseconds between frames. */
  frames: number[]
  rows: number
  heapBytes: number
}

/** Creates the table, opens it, and scrolls it. */
export async function measureRecords(stack: Stack, page: Page): Promise<void> {
  await makeRecords(stack)
  const opened = await timesToOpen(page)
  const first = median(opened)
  report('first rows of 1,000,000 records', `${first.toFixed(0)} ms`, first, firstRowsMaxMs)
  const { frames, rows, heapBytes } = await scroll(page)
  console.log(`${rows} rows were scrolled past in ${scrollMs / 1000} s, ${frames.length} frames`)
  const frame = median(frames)
  report('a frame while it scrolls', `${frame.toFixed(1)} ms`, frame, frameMaxMs)
  const megabytes = heapBytes / 1_000_000
  report('memory of the page', `${megabytes.toFixed(0)} MB`, megabytes, memoryMaxMb)
}

/** Creates the table by the API, and its million records by one SQL statement. */
async function makeRecords({ client, api, sql, schema }: Stack): Promise<void> {
  await client.request('POST', `${api}/apps/bench/datatables/create_schema/?materialize=true`, {
    resources: [
      {
        name: 'events',
        schema: {
          primaryKey: 'id',
          fields: [
            { name: 'id', type: 'integer' },
            { name: 'title', type: 'string' },
            { name: 'amount', type: 'number' },
            { name: 'seen_at', type: 'datetime' },
            { name: 'is_open', type: 'boolean' },
          ],
        },
      },
    ],
  })
  await sql.query(
    `insert into ${schema}.bench_events (title, amount, seen_at, is_open)
     select 'Event ' || n, n % 1000, now() - n * interval '1 second', n % 2 = 0
       from generate_series(1, ${recordCount}) n`,
  )
  await sql.query(`analyze ${schema}.bench_events`)
}

/**
 * Returns the milliseconds from the click on a table to its first rows. The application is already loaded.
 */
async function timesToOpen(page: Page): Promise<number[]> {
  const times: number[] = []
  for (let round = 0; round < 7; round++) {
    await page.goto('/console/bench/')
    const link = page.getByRole('link', { name: 'events' })
    // Hovering over a link loads its page, as it does for users.
    await link.hover()
    await page.waitForLoadState('networkidle')
    const began = performance.now()
    await link.click()
    await page.getByRole('gridcell').first().waitFor()
    times.push(performance.now() - began)
  }
  return times
}

/** Scrolls the grid for some seconds, a row and a half in each frame. */
function scroll(page: Page): Promise<Scrolled> {
  return page.evaluate<Scrolled>(`new Promise((done) => {
    const grid = document.querySelector('[role=grid]')
    const frames = []
    const began = performance.now()
    let last = began
    const step = (now) => {
      frames.push(now - last)
      last = now
      grid.scrollBy(0, 48)
      if (now - began < ${scrollMs}) return requestAnimationFrame(step)
      const heapBytes = performance.memory.usedJSHeapSize
      done({ frames: frames.slice(1), rows: Math.round(grid.scrollTop / 32), heapBytes })
    }
    requestAnimationFrame(step)
  })`)
}
