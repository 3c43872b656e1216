/**
 * The code of a function for deployment: one module that includes its imports. docs/guide/cli.md#functions.
 */
import { realpathSync } from 'node:fs'
import { basename, dirname, join, resolve, sep } from 'node:path'
import type * as Esbuild from 'esbuild'
import { readOwn } from '../../../dev/own-files.ts'
import { codeLengthMax } from '../../../src/runtime/functions/code-length.ts'
import { exitCodes } from '../exit-codes.ts'
import { Problem } from '../problem.ts'
import { isAsPulled } from '../schema/state.ts'
import { type Admit, admissionFor } from './bundled-files.ts'
import { doorOf } from './door.ts'

/** A word that every import statement contains. Code without it is deployed unchanged. */
const mayImport = /\b(?:import|from|require)\b/

/** A source of a function in the folder of an app. */
export interface Source {
  folder: string
  /** The path, relative to the folder. */
  path: string
}

/** The code of a source, and its files, except those of packages. */
interface Built {
  code: string
  files: readonly string[]
}

/**
 * Returns the code of a source for deployment. JavaScript that imports no file and no package is unchanged,
 * and so is what a site had at the last pull or push: code of others is bundled only after it was edited
 * here. Throws a Problem with the place of an import that cannot be bundled, or with the size of a bundle
 * that is too large.
 */
export async function buildSource({ folder, path }: Source): Promise<Built> {
  const text = readOwn(folder, path)
  const file = join(folder, path)
  const isScript = file.endsWith('.js')
  const alone = { code: text, files: [file] }
  if (isScript && (!mayImport.test(text) || isAsPulled(folder, text))) return alone
  const place = { file, folder: realpathSync.native(dirname(file)), admit: admissionFor(folder) }
  const bundle = await build(place, false)
  if (isScript && bundle.isAlone) return alone
  const files = bundle.files
    .map((each) => resolve(place.folder, each.path))
    .filter((each) => !each.includes(`${sep}node_modules${sep}`))
  if (bundle.code.length <= codeLengthMax) return { code: bundle.code, files: [file, ...files] }
  const small = await build(place, true)
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

async function build(place: Place, minify: boolean): Promise<Bundle> {
  const { file, folder, admit } = place
  const esbuild = await load(file)
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
      sourcemap: false,
      // Otherwise, settings in the folder would change what an import means.
      tsconfigRaw: {},
      nodePaths: [],
      plugins: [doorOf(esbuild, admit)],
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
    throw isBuildFailure(error) ? notBundled(place, error.errors) : error
  }
}

/** The source of a bundle, its real folder, and what the bundle may contain. */
interface Place {
  file: string
  folder: string
  admit: Admit
}

/** esbuild is a separate package that the user installs. Only commands that need it load it. */
async function load(file: string): Promise<typeof Esbuild> {
  try {
    return await import('esbuild')
  } catch {
    throw new Problem(`${file} has imports, which esbuild bundles. Install it with: npm install esbuild`)
  }
}

const isBuildFailure = (error: unknown): error is Esbuild.BuildFailure =>
  error instanceof Error && Array.isArray((error as Partial<Esbuild.BuildFailure>).errors)

function notBundled({ file, folder }: Place, errors: readonly Esbuild.Message[]): Problem {
  const lines = errors.map(({ text, location }) => {
    const place = location ? `${location.file}:${location.line}:${location.column + 1}: ` : ''
    return `  ${place}${text}`
  })
  const files = errors.flatMap(({ location }) => (location ? resolve(folder, location.file) : []))
  return new Problem(`${file} cannot be bundled:\n${lines.join('\n')}`, exitCodes.failed, { files })
}

function tooLarge(file: string, { code, files }: Bundle): Problem {
  const largest = files.slice(0, 5).map(({ path, bytes }) => `  ${path}: ${bytes}`)
  return new Problem(
    `The bundle of ${file} has ${code.length} characters, and a function at most ${codeLengthMax}. ` +
      `The largest parts:\n${largest.join('\n')}`,
  )
}
