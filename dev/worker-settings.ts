/** What wrangler.toml says of the Worker. */
import { join } from 'node:path'
import type { unstable_getMiniflareWorkerOptions } from 'wrangler'
import { keepBundle, keptBundle } from './kept-bundle.ts'

type WorkerOptions = ReturnType<typeof unstable_getMiniflareWorkerOptions>['workerOptions']

const root = join(import.meta.dirname, '..')
const entry = 'wrangler.toml'
const inputs = [entry, 'dev/worker-settings.ts']

// Its types lack this option, which it takes.
const options = { overrides: {}, envFiles: ['.no-variables'] }

/**
 * Returns it as Miniflare takes it. wrangler takes a second to load: what it has said is kept until the file changes.
 *
 * wrangler would add the variables of .dev.vars, which are for `wrangler dev`, or those of .env; it adds those of the
 * files that are named instead, and this one does not exist.
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
