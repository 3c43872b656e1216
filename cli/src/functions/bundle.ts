/**
 * The code of a function for deployment: one module that includes its imports. docs/guide/cli.md#functions.
 */
import { readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { basename, dirname, resolve, sep } from 'node:path'
import type * as Esbuild from 'esbuild'
import { codeLengthMax } from '../../../src/functions/code-length.ts'
import { exitCodes } from '../exit-codes.ts'
import { Problem } from '../problem.ts'

/** A word that every import statement contains. Code without it is deployed unchanged. */
const mayImport = /\b(?:import|from|require)\b/

/** The code of a source, and its files, except those of packages. */
interface Built {
  code: string
  files: readonly string[]
}

/**
 * Returns the code of a source, `.js` or `.ts`. JavaScript that imports no file and no package is unchanged.
 * Throws a Problem with the place of an import that cannot be bundled, or with the size of a bundle that is
 * too large.
 */
export const bundleOf = async (file: string): Promise<string> => (await buildSource(file)).code

/** Returns the code as `bundleOf`, with its files. */
export async function buildSource(file: string): Promise<Built> {
  const source = readFileSync(file, 'utf8')
  const isScript = file.endsWith('.js')
  const alone = { code: source, files: [file] }
  if (isScript && !mayImport.test(source)) return alone
  const bundle = await build(file, false)
  if (isScript && bundle.isAlone) return alone
  const files = bundle.files
    .map(({ path }) => resolve(dirname(file), path))
    .filter((path) => !path.includes(`${sep}node_modules${sep}`))
  if (bundle.code.length <= codeLengthMax) return { code: bundle.code, files: [file, ...files] }
  const small = await build(file, true)
  if (small.code.length > codeLengthMax) throw tooLarge(file, small)
  return { code: small.code, files: [file, ...files] }
}

interface Bundle {
  code: string
  /** Whether the source imports no file and no package. */
  isAlone: boolean
  /** The files of the bundle, largest first. */
  files: { path: string; bytes: number }[]
}

async function build(file: string, minify: boolean): Promise<Bundle> {
  const esbuild = await load(file)
  const folder = resolve(dirname(file))
  try {
    const { outputFiles, metafile } = await esbuild.build({
      // Makes the comments with file names independent of the current folder.
      absWorkingDir: folder,
      entryPoints: [basename(file)],
      bundle: true,
      write: false,
      metafile: true,
      minify,
      keepNames: minify,
      format: 'esm',
      target: 'es2024',
      platform: 'browser',
      conditions: ['workerd', 'worker', 'browser', 'module', 'import'],
      legalComments: 'none',
      logLevel: 'silent',
      plugins: [builtins],
    })
    const [inputs] = Object.values(metafile.outputs).map((output) => output.inputs)
    const files = Object.entries(inputs ?? {}).map(([path, { bytesInOutput }]) => ({
      path,
      bytes: bytesInOutput,
    }))
    return {
      code: outputFiles[0]?.text ?? '',
      isAlone: Object.keys(metafile.inputs).length === 1,
      files: files.toSorted((a, b) => b.bytes - a.bytes),
    }
  } catch (error) {
    throw isBuildFailure(error) ? notBundled(file, error.errors) : error
  }
}

/** esbuild is a separate package that the user installs. Only commands that need it load it. */
async function load(file: string): Promise<typeof Esbuild> {
  try {
    return await import('esbuild')
  } catch {
    throw new Problem(`${file} has imports, which esbuild bundles. Install it with: npm install esbuild`)
  }
}

/** The modules of Node that need a machine. The isolates of functions have the others. */
const ofMachines = new Set(
  ['child_process', 'cluster', 'dgram', 'fs', 'fs/promises', 'http2', 'inspector', 'net', 'repl', 'sea']
    .concat(['sqlite', 'test', 'tls', 'tty', 'v8', 'vm', 'wasi', 'worker_threads'])
    .flatMap((name) => [name, `node:${name}`]),
)

const isBuiltin = /^node:/
const bare = new Set(builtinModules.filter((name) => !isBuiltin.test(name)))

/** Leaves modules of Node that the isolate has as imports, and refuses the others. */
const builtins: Esbuild.Plugin = {
  name: 'modules-of-node',
  setup({ onResolve, resolve: find }) {
    onResolve({ filter: /./ }, async ({ path, pluginData, ...args }) => {
      const isNode = isBuiltin.test(path)
      const name = isNode ? path : `node:${path}`
      if (pluginData === 'again' || !(isNode || bare.has(path))) return undefined
      if (!isNode) {
        // A package may have the name of a module, such as buffer.
        const { resolveDir, kind, importer } = args
        const found = await find(path, { resolveDir, kind, importer, pluginData: 'again' })
        if (found.errors.length === 0) return found
      }
      if (!ofMachines.has(path)) return { path: name, external: true }
      return { errors: [{ text: `${name} needs a machine, and functions run in an isolate without one.` }] }
    })
  },
}

const isBuildFailure = (error: unknown): error is Esbuild.BuildFailure =>
  error instanceof Error && Array.isArray((error as Partial<Esbuild.BuildFailure>).errors)

function notBundled(file: string, errors: readonly Esbuild.Message[]): Problem {
  const lines = errors.map(({ text, location }) => {
    const place = location ? `${location.file}:${location.line}:${location.column + 1}: ` : ''
    return `  ${place}${text}`
  })
  const files = errors.flatMap(({ location }) => (location ? resolve(dirname(file), location.file) : []))
  return new Problem(`${file} cannot be bundled:\n${lines.join('\n')}`, exitCodes.failed, { files })
}

function tooLarge(file: string, { code, files }: Bundle): Problem {
  const largest = files.slice(0, 5).map(({ path, bytes }) => `  ${path}: ${bytes}`)
  return new Problem(
    `The bundle of ${file} has ${code.length} characters, and a function at most ${codeLengthMax}. ` +
      `The largest parts:\n${largest.join('\n')}`,
  )
}
