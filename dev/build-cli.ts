/** `npm run build:cli`: builds the command line, cli/dist/tessera.js, for Node 20 and newer. */
import { chmodSync, cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'
import { functionCode } from './functions/function-code.ts'

const folder = join(import.meta.dirname, '..', 'cli')

/** Includes the program for the processes of functions, because an installed package has no sources. */
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

/** Builds the program into a folder, whose other content is deleted. Returns its path. */
export async function buildCli(target = join(folder, 'dist')): Promise<string> {
  rmSync(target, { recursive: true, force: true })
  await build({
    entryPoints: [join(folder, 'src', 'tessera.ts')],
    outdir: target,
    bundle: true,
    // Code that only one command needs is a separate module, which other commands do not load.
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    // Programs that differ between systems are separate packages.
    external: ['esbuild', 'miniflare'],
    plugins: [isolateCode],
    // CommonJS packages load modules of Node by `require`.
    banner: {
      js: "#!/usr/bin/env node\nimport { createRequire as _createRequire } from 'node:module'\nconst require = _createRequire(import.meta.url)",
    },
  })
  cpSync(join(folder, 'templates'), join(target, 'templates'), { recursive: true })
  const program = join(target, 'tessera.js')
  chmodSync(program, 0o755)
  return program
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  console.log(await buildCli(process.argv[2]))
