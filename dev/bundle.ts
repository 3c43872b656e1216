/** A Worker of ours as one module, for workerd. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type BuildOptions, build, type Plugin } from 'esbuild'
import { keepBundle, keptBundle } from './kept-bundle.ts'

const root = join(import.meta.dirname, '..')

/** Imports the modules of functions' isolates as text, as `rules` in wrangler.toml does. */
const sandboxAsText: Plugin = {
  name: 'sandbox-as-text',
  setup({ onLoad }) {
    onLoad({ filter: /\/sandbox\/[^/]+\.js$/ }, async ({ path }) => ({
      contents: await readFile(path, 'utf8'),
      loader: 'text',
    }))
  },
}

const options = {
  absWorkingDir: root,
  bundle: true,
  write: false,
  metafile: true,
  format: 'esm',
  target: 'es2024',
  conditions: ['workerd', 'worker', 'browser', 'module', 'import'],
  loader: { '.sql': 'text', '.md': 'text', '.txt': 'text' },
  plugins: [sandboxAsText],
  logLevel: 'error',
} satisfies BuildOptions
const external = ['node:*', 'cloudflare:*']

/**
 * Returns the text of the module. `entry` is relative to the root of the repository. What has not changed since
 * it was bundled is not bundled again.
 */
export async function bundle(entry: string): Promise<string> {
  const kept = keptBundle(root, entry)
  if (kept !== undefined) return kept
  const began = Date.now()
  const { outputFiles, metafile } = await build({
    ...options,
    entryPoints: [entry],
    external,
    sourcemap: 'inline',
    sourcesContent: false,
  })
  const text = outputFiles[0]?.text as string
  keepBundle(root, entry, { text, inputs: Object.keys(metafile.inputs) }, began)
  return text
}
