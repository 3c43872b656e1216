/** `npm run build:cli`: the command line, cli/dist/tessera.js, for Node 20 and newer. */
import { chmodSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'
import { functionCode } from './functions/function-code.ts'

const folder = join(import.meta.dirname, '..', 'cli')

/** Puts what runs in the processes of functions into the program: where it is installed, there are no sources. */
const isolateCode: Plugin = {
  name: 'isolate-code',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]isolate-code\.ts$/ }, async () => {
      const { code, ...settings } = await functionCode()
      return {
        contents: `export const isolateCode = async () => (${JSON.stringify({ code, ...settings })})`,
      }
    })
  },
}

/** Builds the program into a folder, of which nothing else is left. Returns its path. */
export async function buildCli(target = join(folder, 'dist')): Promise<string> {
  rmSync(target, { recursive: true, force: true })
  await build({
    entryPoints: [join(folder, 'src', 'tessera.ts')],
    outdir: target,
    bundle: true,
    // What one command needs is a module of its own, which the others do not load.
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    // Programs for each system: packages beside this one.
    external: ['esbuild', 'miniflare'],
    plugins: [isolateCode],
    // Packages of the older kind ask for modules of Node by `require`.
    banner: {
      js: "#!/usr/bin/env node\nimport { createRequire as _createRequire } from 'node:module'\nconst require = _createRequire(import.meta.url)",
    },
  })
  const program = join(target, 'tessera.js')
  chmodSync(program, 0o755)
  return program
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  console.log(await buildCli(process.argv[2]))
