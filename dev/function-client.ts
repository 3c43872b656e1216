/**
 * The files of the sources that `npm run build:client` makes: the module `client.js` in functions' isolates,
 * which implements `context.db`, and the type of the codes of errors in the client.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { errorCodes } from '../src/kernel/error-codes.ts'

const root = join(import.meta.dirname, '..')

/** The path of the module in the sources. Every bundle of the Worker imports it as text. */
export const functionClientPath = join(root, 'src', 'runtime', 'functions', 'sandbox', 'client.js')

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

/** The path of the type of codes in the sources of the client. */
export const codeTypePath = join(root, 'client', 'src', 'connection', 'error-code.ts')

/** Returns the text of the type of codes. */
export const codeType = (): string =>
  [
    '/** The codes of errors. `npm run build:client` makes this file of src/kernel/error-codes.ts. */',
    'export type ErrorCode =',
    ...Object.keys(errorCodes).map((code) => `  | '${code}'`),
    '',
  ].join('\n')

/** Writes both files to the sources. */
export async function buildFromSources(): Promise<void> {
  writeFileSync(codeTypePath, codeType())
  writeFileSync(functionClientPath, await functionClient())
}
