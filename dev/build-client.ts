/**
 * `npm run build:client`: builds the package `tessera-client` in client/dist, each entry as one module with
 * its types.
 */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { buildFromSources } from './function-client.ts'
import { packageProgram } from './package-program.ts'

const folder = join(import.meta.dirname, '..', 'client')
const entries = [
  'index',
  'react-admin',
  'refine',
  'tanstack-query',
  'passkeys',
  'react',
  'testing',
  'generate',
]

/** The maximum compressed size of the client in bytes. */
export const sizeMax = 12 * 1024

/**
 * Builds the package into a folder, whose other content is deleted. Returns the compressed size of each entry
 * with its imports in bytes.
 */
export async function buildClient(target = join(folder, 'dist')): Promise<Record<string, number>> {
  rmSync(target, { recursive: true, force: true })
  const options = {
    bundle: true,
    format: 'esm',
    minify: true,
    target: 'es2022',
    platform: 'neutral',
  } as const
  const external = ['react']
  const points = entries.map((entry) => join(folder, 'src', `${entry}.ts`))
  await build({
    ...options,
    external,
    entryPoints: points,
    outdir: target,
    splitting: true,
    chunkNames: 'shared-[hash]',
  })
  execFileSync(process.execPath, [packageProgram('typescript', 'tsc'), '-p', folder, '--outDir', target], {
    stdio: 'inherit',
  })
  for (const name of readdirSync(target, { recursive: true, encoding: 'utf8' }))
    if (name.endsWith('.d.ts')) nameModules(join(target, name))
  const sizes = points.map(async (point) => {
    const { outputFiles } = await build({ ...options, external, entryPoints: [point], write: false })
    return outputFiles.reduce((sum, { contents }) => sum + gzipSync(contents, { level: 9 }).length, 0)
  })
  const measured = await Promise.all(sizes)
  return Object.fromEntries(entries.map((entry, index) => [entry, measured[index] ?? 0]))
}

/** Renames imports: the sources import `./x.ts`, which is `./x.js` in the package. */
function nameModules(path: string): void {
  const text = readFileSync(path, 'utf8')
  writeFileSync(path, text.replaceAll(/(from ')(\.[^']+)\.ts'/g, "$1$2.js'"))
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await buildFromSources()
  const sizes = await buildClient()
  for (const [entry, bytes] of Object.entries(sizes))
    console.log(`${entry.padEnd(16)} ${(bytes / 1024).toFixed(1).padStart(6)} KiB gzipped`)
  if ((sizes.index ?? 0) > sizeMax) {
    console.error(`The client has more than ${sizeMax / 1024} KiB.`)
    process.exitCode = 1
  }
}
