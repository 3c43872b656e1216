/** Packs the packages into archives. */
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildCli } from '../build-cli.ts'
import { buildClient } from '../build-client.ts'
import { runNpm } from '../install.mjs'
import { buildLocal } from './local.ts'
import { completed, readManifest, root, version } from './manifests.ts'

const createManifest = {
  name: 'create-tessera',
  description: 'Makes a project for Tessera: npm create tessera@latest my-app.',
  engines: { node: '>=20' },
  bin: 'create.js',
  files: ['create.js'],
  dependencies: { 'tessera-cli': version },
}

const createProgram = `#!/usr/bin/env node
process.argv.splice(2, 0, 'init')
await import('tessera-cli/dist/tessera.js')
`

/** How each package is built into an empty folder. */
const packages: Record<string, (folder: string) => Promise<unknown>> = {
  'tessera-client': async (folder) => {
    await buildClient(join(folder, 'dist'))
    fromWorkspace('client', folder)
  },
  'tessera-cli': async (folder) => {
    await buildCli(join(folder, 'dist'))
    fromWorkspace('cli', folder)
  },
  'tessera-local': buildLocal,
  'create-tessera': async (folder) => {
    writeFileSync(join(folder, 'create.js'), createProgram)
    writeFileSync(join(folder, 'package.json'), completed(createManifest))
  },
}

/** Adds what a package of the repository says of itself. */
function fromWorkspace(name: string, folder: string): void {
  writeFileSync(join(folder, 'package.json'), completed(readManifest(name)))
  cpSync(join(root, name, 'README.md'), join(folder, 'README.md'))
}

/** Builds and packs all packages. Returns the paths of the archives. */
export async function packAll(out: string): Promise<string[]> {
  const place = mkdtempSync(join(tmpdir(), 'tessera-packages-'))
  try {
    const archives: string[] = []
    for (const [name, buildInto] of Object.entries(packages)) {
      const folder = join(place, name)
      mkdirSync(folder)
      await buildInto(folder)
      cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
      if ((await runNpm(['pack', '--silent', '--pack-destination', out], folder)) !== 0)
        throw new Error(`npm pack failed for ${name}.`)
      archives.push(join(out, `${name}-${version}.tgz`))
    }
    return archives
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}
