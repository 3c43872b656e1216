/** Writes src/routes.json, by which a request finds its area before any route is loaded. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import { bundle } from '../bundle.ts'
import { workerSettings } from '../worker-settings.ts'

const file = join(import.meta.dirname, '..', '..', 'src', 'routes.json')

/** Loads the routes on workerd, where alone their modules run, and writes them. Returns whether they differ. */
export async function writeRouteList(): Promise<boolean> {
  const { compatibilityDate, compatibilityFlags } = await workerSettings()
  const worker = new Miniflare(
    convertV4MiniflareOptions({
      compatibilityDate: compatibilityDate as string,
      compatibilityFlags: compatibilityFlags as string[],
      modules: [{ type: 'ESModule', path: 'worker.js', contents: await bundle('dev/route-list/worker.ts') }],
    }),
  )
  try {
    const answer = await worker.dispatchFetch('http://localhost/')
    const text = `${JSON.stringify(await answer.json(), null, 2)}\n`
    const differs = readFileSync(file, 'utf8') !== text
    if (differs) writeFileSync(file, text)
    return differs
  } finally {
    await worker.dispose()
  }
}
