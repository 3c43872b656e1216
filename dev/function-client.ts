/**
 * The module `client.js` in functions' isolates, which implements `context.db`: the client of tables in one
 * file.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'

const root = join(import.meta.dirname, '..')

/** The path of the module in the sources. Every bundle of the Worker imports it as text. */
export const functionClientPath = join(root, 'src', 'functions', 'sandbox', 'client.js')

const head =
  '/** The client of tables, for `context.db`. `npm run build:client` makes it of client/src/in-function.ts. */\n'

/** Returns the text of the module, built from the current sources of the client. */
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

/** Writes the module to the sources. */
export const buildFunctionClient = async (): Promise<void> =>
  writeFileSync(functionClientPath, await functionClient())
