/** A Worker of ours as one module, for workerd. */
import { join } from 'node:path'
import { build } from 'esbuild'

const root = join(import.meta.dirname, '..')

/** Returns the text of the module. `entry` is relative to the root of the repository. */
export async function bundle(entry: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(root, entry)],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2024',
    conditions: ['workerd', 'worker', 'browser', 'module', 'import'],
    external: ['node:*', 'cloudflare:*'],
    loader: { '.sql': 'text' },
    sourcemap: 'inline',
    logLevel: 'error',
  })
  return outputFiles[0]?.text as string
}
