/** What wrangler.toml says of the Worker. */
import { join } from 'node:path'
import { unstable_getMiniflareWorkerOptions } from 'wrangler'

// Its types lack this option, which it takes.
const options = { overrides: {}, envFiles: ['.no-variables'] }

/**
 * Returns it as Miniflare takes it. wrangler would add the variables of .dev.vars, which are for `wrangler dev`, or those
 * of .env; it adds those of the files that are named instead, and this one does not exist.
 */
export function workerSettings() {
  const config = join(import.meta.dirname, '..', 'wrangler.toml')
  return unstable_getMiniflareWorkerOptions(config, undefined, options).workerOptions
}
