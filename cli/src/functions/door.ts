/** The plugin of esbuild through which each import and each file of a bundle passes. */
import { readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { relative } from 'node:path'
import type * as Esbuild from 'esbuild'
import type { Admit } from './bundled-files.ts'

/** The modules of Node that need a machine. The isolates of functions have the others. */
const ofMachines = new Set(
  ['child_process', 'cluster', 'dgram', 'fs', 'fs/promises', 'http2', 'inspector', 'net', 'repl', 'sea']
    .concat(['sqlite', 'test', 'tls', 'tty', 'v8', 'vm', 'wasi', 'worker_threads'])
    .flatMap((name) => [name, `node:${name}`]),
)

const isBuiltin = /^node:/
const bare = new Set(builtinModules.filter((name) => !isBuiltin.test(name)))

/** A relative path, which stays in the app or in its package. */
const isRelative = /^\.{1,2}(?:\/|$)/
/** A path from the root, an address, a path of Windows, and control characters. */
const isElsewhere = /^(?:\/|[a-z][a-z0-9+.-]*:)|[\\\p{Cc}]/iu

/** Returns the plugin. It leaves modules of Node that the isolate has as imports. */
export const doorOf = (esbuild: typeof Esbuild, admit: Admit): Esbuild.Plugin => ({
  name: 'door',
  setup({ onResolve, onLoad, resolve: find, initialOptions: { absWorkingDir = '' } }) {
    onResolve({ filter: /.*/ }, async ({ path, pluginData, with: attributes, ...args }) => {
      if (pluginData === 'again') return undefined
      const { resolveDir, kind, importer } = args
      const isNode = isBuiltin.test(path)
      if (Object.keys(attributes).length > 0)
        return refused('Imports with attributes are not bundled. The extension says what a file is.')
      if (!isNode && isElsewhere.test(path))
        return refused(`${JSON.stringify(path)} is neither a relative path nor a package.`)
      const found = isNode ? undefined : await find(path, { resolveDir, kind, importer, pluginData: 'again' })
      if (found?.errors.length === 0)
        return found.namespace === 'file' ? gate(path, importer, found) : undefined
      if (!isNode && !bare.has(path)) return undefined
      const name = isNode ? path : `node:${path}`
      if (!ofMachines.has(path)) return { path: name, external: true }
      return refused(`${name} needs a machine, and functions run in an isolate without one.`)
    })
    onLoad({ filter: /.*/, namespace: 'file' }, async ({ path, with: attributes }) => {
      const { side, problem } = admit(path)
      if (problem !== undefined) return refused(`${path} is not bundled. ${problem}`)
      if (Object.keys(attributes).length > 0) return refused(`${path} is not bundled with attributes.`)
      if (side === 'package' || path.endsWith('.json')) return undefined
      return { errors: await unresolvedIn(esbuild, path, relative(absWorkingDir, path)) }
    })

    /** Refuses what a path leads to. esbuild resolves it again if it is admitted. */
    function gate(path: string, importer: string, { path: file }: Esbuild.ResolveResult) {
      const { side, problem } = admit(file)
      if (problem !== undefined) return refused(`${file} is not bundled. ${problem}`)
      if (importer !== '' && isRelative.test(path) && admit(importer).side !== side)
        return refused(`${file} is not bundled. A relative path does not lead into a package or out of it.`)
      return undefined
    }
  },
})

const refused = (text: string) => ({ errors: [{ text }] })

const unresolved = 'unsupported-dynamic-import unsupported-require-call indirect-require empty-glob'.split(
  ' ',
)

/**
 * Returns errors for the imports of a file that are not a text in quotes. Patterns would include whole
 * folders.
 */
async function unresolvedIn(
  esbuild: typeof Esbuild,
  path: string,
  label: string,
): Promise<Esbuild.PartialMessage[]> {
  const failed = await esbuild
    .build({
      stdin: { contents: readFileSync(path), sourcefile: label, loader: 'default' },
      bundle: true,
      write: false,
      format: 'esm',
      logLevel: 'silent',
      logOverride: Object.fromEntries(unresolved.map((id) => [id, 'error' as const])),
      tsconfigRaw: {},
      plugins: [{ name: 'external', setup: ({ onResolve }) => onResolve({ filter: /.*/ }, asExternal) }],
    })
    .then(() => undefined)
    .catch((error: Esbuild.BuildFailure) => error)
  return (failed?.errors ?? []).filter(isUnresolved).map(({ location }) => ({
    text: notQuoted,
    location,
  }))
}

const notQuoted =
  'The argument of import() and require() must be a text in quotes, so that it is known what is bundled.'

const asExternal = ({ path }: Esbuild.OnResolveArgs) => ({ path, external: true })

// Patterns fail, because the text is in no folder; other errors are those of the bundle itself.
const isUnresolved = ({ id, text }: Esbuild.Message): boolean =>
  unresolved.includes(id) || /^Could not resolve (?:import|require)\(/.test(text)
