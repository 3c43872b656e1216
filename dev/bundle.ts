/** Bundles a Worker of this repository as one module for workerd. */
import { readFile } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { type BuildOptions, type BuildResult, build, type Plugin, stop } from 'esbuild'
import { keepBundle, keptBundle } from './kept-bundle.ts'

const root = join(import.meta.dirname, '..')

/** Imports the modules of functions' isolates as text, as `rules` in wrangler.toml do. */
const sandboxAsText: Plugin = {
  name: 'sandbox-as-text',
  setup({ onLoad }) {
    onLoad({ filter: /\/sandbox\/[^/]+\.js$/ }, async ({ path }) => ({
      contents: await readFile(path, 'utf8'),
      loader: 'text',
    }))
  },
}

/**
 * The modules of Node that CommonJS packages require. A module of a Worker has no `require`; wrangler does
 * the same.
 */
const requiredOfNode: Plugin = {
  name: 'required-of-node',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(node:)?[\w/]+$/ }, ({ path, kind }) =>
      (kind === 'require-call' || kind === 'dynamic-import') && isBuiltin(path)
        ? { path: path.replace('node:', ''), namespace: 'required-of-node' }
        : undefined,
    )
    onLoad({ filter: /.*/, namespace: 'required-of-node' }, ({ path }) => ({
      contents: `import built from 'node:${path}'; module.exports = built`,
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
  plugins: [sandboxAsText, requiredOfNode],
  logLevel: 'error',
} satisfies BuildOptions
const external = ['node:*', 'cloudflare:*']

type Options = typeof options & BuildOptions

/**
 * Builds. esbuild is a separate process: if it was killed, for example because memory ran out, starts another
 * one.
 */
async function builtBy(own: Options): Promise<BuildResult<Options>> {
  try {
    return await build(own)
  } catch (error) {
    if (!/^The service (was stopped|is no longer running)/.test((error as Error).message)) throw error
    await stop()
    return build(own)
  }
}

/**
 * Returns the text of the module. `entry` is relative to the root of the repository. An unchanged module is
 * not bundled again.
 */
export async function bundle(entry: string): Promise<string> {
  const kept = keptBundle(root, entry)
  if (kept !== undefined) return kept
  const began = Date.now()
  const { outputFiles, metafile } = await builtBy({
    ...options,
    entryPoints: [entry],
    external,
  })
  const text = outputFiles[0]?.text as string
  const inputs = Object.keys(metafile.inputs).filter((input) => !input.startsWith('required-of-node:'))
  keepBundle(root, entry, { text, inputs }, began)
  return text
}

/**
 * Returns a module for one of two runtimes, without comments and source map, because the file is kept for
 * long.
 */
export async function bundleForRelease(entry: string, runtime: 'workerd' | 'node'): Promise<string> {
  const forNode = runtime === 'node'
  const { outputFiles } = await builtBy({
    ...options,
    entryPoints: [entry],
    external,
    minify: true,
    keepNames: true,
    legalComments: 'inline',
    platform: forNode ? 'node' : 'browser',
    packages: forNode ? 'external' : 'bundle',
    conditions: forNode ? ['import'] : options.conditions,
  })
  return outputFiles[0]?.text as string
}
