/** The settings of the Worker in wrangler.toml. */
import { join } from 'node:path'
import type { unstable_getMiniflareWorkerOptions } from 'wrangler'
import { keepBundle, keptBundle } from './kept-bundle.ts'

type WorkerOptions = ReturnType<typeof unstable_getMiniflareWorkerOptions>['workerOptions']

const root = join(import.meta.dirname, '..')
const entry = 'wrangler.toml'
const inputs = [entry, 'dev/worker-settings.ts']

// The types of wrangler lack this option, which it accepts.
const options = { overrides: {}, envFiles: ['.no-variables'] }

/**
 * Returns the settings in Miniflare's form. wrangler takes a second to load, so the result is cached until
 * the file changes. wrangler would also add the variables of .dev.vars, which are for `wrangler dev`, or
 * those of .env. Naming a file that does not exist prevents this.
 */
export async function workerSettings(): Promise<WorkerOptions> {
  const kept = keptBundle(root, entry)
  if (kept !== undefined) return { ...(JSON.parse(kept) as WorkerOptions), rootPath: root }
  const began = Date.now()
  const { unstable_getMiniflareWorkerOptions: read } = await import('wrangler')
  const { workerOptions } = read(join(root, entry), undefined, options)
  keepBundle(root, entry, { text: JSON.stringify(workerOptions), inputs }, began)
  return workerOptions
}
