/** `tessera types`: writes the TypeScript types of apps, once or whenever a schema changes. */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { type AppDocument, type FunctionPart, generateTypes } from '../../../client/src/generate.ts'
import { type Client, ConnectionError, TesseraError } from '../../../client/src/index.ts'
import { allItems } from '../all-items.ts'
import { action, examples } from '../command.ts'
import type { Context } from '../context.ts'
import { exitCodes } from '../exit-codes.ts'
import { Problem } from '../problem.ts'
import { readSettings } from '../schema/files.ts'

/** Adds the command to the program. */
export function addTypesCommand(program: Command): void {
  examples(
    program
      .command('types <app...>')
      .description('write the TypeScript of apps: see docs/guide/client.md')
      .option('--out <file>', 'the file to write; default the standard output')
      .option(
        '--watch',
        'write the file again whenever a schema, or the secrets or variables of a function change',
      )
      .option('--dir <folder>', 'the folder of the files of the app; default tessera/<app>')
      .option('--every <seconds>', 'how often --watch looks', positive, 2)
      .addOption(
        new Option('--integers <how>', 'exact: whole numbers beyond 2^53 are strings of digits')
          .choices(['number', 'exact'])
          .default('number'),
      )
      .option('--from <module>', 'the module of the client', 'tessera-client')
      .action(action(writeTypes)),
    'tessera types library --out library.ts',
    'tessera types shop company --out src/types.ts --watch',
  )
}

function positive(text: string): number {
  const value = Number(text)
  if (!(value > 0)) throw new InvalidArgumentError('It must be a number above 0.')
  return value
}

interface TypesOptions {
  out?: string
  watch?: boolean
  every: number
  integers: 'number' | 'exact'
  from: string
  dir?: string
}

async function writeTypes(context: Context, options: TypesOptions, apps: string[]): Promise<void> {
  const { output } = context
  if (options.dir !== undefined && apps.length > 1)
    throw new Problem('--dir is the folder of one app. Name one app.', exitCodes.usage)
  const client = context.client()
  if (!options.watch) {
    const { text, hashes } = await typesOf(client, apps, options)
    if (options.out === undefined)
      return output.result({ types: text, schemas: hashes }, () => output.text(text.trimEnd()))
    write(options.out, text)
    return output.result({ file: options.out, schemas: hashes }, () => output.line(`Wrote ${options.out}.`))
  }
  if (options.out === undefined) throw new Problem('--watch needs --out.', exitCodes.usage)
  let known: string | undefined
  for (;;) {
    const found = await typesOf(client, apps, options).catch((error: unknown) => {
      // The first read reports errors. Later, the service may restart, a table may be missing for a moment,
      // and a file may be half edited.
      const isPassing = [TesseraError, ConnectionError, Problem].some((kind) => error instanceof kind)
      if (known === undefined || !isPassing) throw error
      return undefined
    })
    const seen = found?.text
    if (found && seen !== known) {
      if (!isWritten(options.out, found.text)) write(options.out, found.text)
      output.item({ file: options.out, schemas: found.hashes }, () => output.line(`Wrote ${options.out}.`))
      known = seen
    }
    await wait(options.every * 1000)
  }
}

/** Writes the types of apps into a file, unless it has them already. */
export async function keepTypes(client: Client, apps: readonly string[], file: string): Promise<void> {
  const { text } = await typesOf(client, apps, { integers: 'number', from: 'tessera-client' })
  if (!isWritten(file, text)) write(file, text)
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

/**
 * Returns whether a file already has the text. It is then not written, so that tools that watch it do
 * nothing.
 */
function isWritten(file: string, text: string): boolean {
  try {
    return readFileSync(file, 'utf8') === text
  } catch {
    return false
  }
}

/** Returns the TypeScript types of apps, and the hashes of their schemas by app and table. */
async function typesOf(
  client: Client,
  apps: readonly string[],
  { integers, from, dir }: Pick<TypesOptions, 'integers' | 'from' | 'dir'>,
) {
  const documents: Record<string, AppDocument> = {}
  const functions: Record<string, readonly FunctionPart[]> = {}
  for (const app of apps) {
    documents[app] = await client.request<AppDocument>({
      path: `/api/apps/${encodeURIComponent(app)}/schema/`,
    })
    const deployed = await functionsOf(client, app)
    const own = functionsIn(dir ?? join('tessera', app))
    if (deployed || own.length > 0) functions[app] = withOwn(deployed ?? [], own)
  }
  const hashes = Object.fromEntries(
    Object.entries(documents).map(([app, { components }]) => [
      app,
      Object.fromEntries(
        Object.entries(components.schemas).flatMap(([name, schema]) =>
          name.endsWith('.Record') ? [[name.slice(0, -'.Record'.length), schema['x-schema-hash'] ?? '']] : [],
        ),
      ),
    ]),
  )
  return { text: generateTypes(documents, { integers, from, functions }), hashes }
}

/** Returns the functions of an app that have code, as their files declare them. */
const functionsIn = (folder: string): FunctionPart[] =>
  [...readSettings(folder)].flatMap(([slug, { execution_mode, secrets, variables }]) =>
    execution_mode === 'app'
      ? [{ slug, secrets: [secrets].flat().map(String), variables: Object.keys(Object(variables)) }]
      : [],
  )

/** Returns the functions by slug. The files win: they need not be deployed for their types. */
function withOwn(deployed: readonly FunctionPart[], own: readonly FunctionPart[]): FunctionPart[] {
  const all = new Map([...deployed, ...own].map((one) => [one.slug, one]))
  return [...all.values()].toSorted((a, b) => (a.slug < b.slug ? -1 : 1))
}

/**
 * Returns the functions of an app that have code, by their slugs; undefined for callers who may not list
 * them.
 */
async function functionsOf(client: Client, app: string): Promise<FunctionPart[] | undefined> {
  const calls = client.app(app).$functions
  try {
    const all = await allItems((page) => calls.list({ ordering: ['slug'], ...page }))
    return all
      .filter(({ execution_mode }) => execution_mode === 'app')
      .map(({ slug, secrets, variables }) => ({
        slug,
        secrets,
        variables: variables && Object.keys(variables),
      }))
  } catch (error) {
    if (error instanceof TesseraError && (error.status === 401 || error.status === 403)) return undefined
    throw error
  }
}
