/**
 * The module `client.js` in functions' isolates, which implements `context.db`: the client of tables in one
 * file.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'

const root = join(import.meta.dirname, '..')

/** The module in the sources: the Worker imports it as text, however it is bundled. */
export const functionClientPath = join(root, 'src', 'functions', 'sandbox', 'client.js')

const head =
  '/** The client of tables, for `context.db`. `npm run build:client` makes it of client/src/in-function.ts. */\n'

/** Returns the text of the module as the sources of the client make it now. */
export async function functionClient(): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ['client/src/in-function.ts'],
    bundle: true,
    write: false,
    minify: true,
    format: 'esm',
    target: 'es2022',
    platform: 'neutral',
    charset: 'ascii',
    lineLimit: 100,
    legalComments: 'none',
  })
  return `${head}${outputFiles[0]?.text ?? ''}`
}

/** Writes the module. */
export const buildFunctionClient = async (): Promise<void> =>
  writeFileSync(functionClientPath, await functionClient())
