/** Loads the source at a path: a data package or a file with rows. Several commands use it. */
import { existsSync, realpathSync } from 'node:fs'
import { quoteValue } from '../../src/kernel/lib/quote-value.ts'
import { isPattern } from '../../src/kernel/lib/written/dates.ts'
import type { Hints } from '../../src/kernel/lib/written/guess.ts'
import type { Client } from '../client.ts'
import { loadPackage } from './load-package.ts'
import { callerPath } from './options.ts'
import { Refusal } from './refusal.ts'
import { openSource } from './source.ts'
import { findApp, type Mode } from './target.ts'

/** The options of a load. docs/guide/load.md. */
export interface LoadOptions {
  app?: string
  mode: Mode
  resume?: boolean
  continue?: boolean
  'bad-rows'?: string
  'dry-run'?: boolean
  yes?: boolean
  /** Separated by commas. */
  only?: string
  encoding?: string
  table?: string
  sheet?: string
  /** The decimal sign and the format of dates, in files without a schema. */
  decimal?: string
  dates?: string
}

/** A signed-in client, and the path of the API on its service. */
interface Connected {
  client: Client
  api: string
}

/** Loads the source. Signs in after the source has been opened. Returns lines that describe the result. */
export async function loadPath(
  path: string,
  options: LoadOptions,
  connect: () => Promise<Connected>,
): Promise<string[]> {
  const file = /^[a-z][a-z0-9+.-]+:\/\//i.test(path) ? path : callerPath(path)
  const opened = await openSource(file, {
    only: options.only?.split(',').map((name) => name.trim()),
    encoding: options.encoding,
    table: options.table,
    sheet: options.sheet,
    hints: hintsOf(options),
  })
  const { members } = opened.data
  const app = options.app ?? textOf(members.name)
  if (app === undefined) throw new Refusal('The package has no name: select the app with --app.')
  const { client, api } = await connect()
  const found = await findApp(client, api, app)
  const badRows = callerPath(options['bad-rows'] ?? 'bad-rows.jsonl')
  return loadPackage(opened, found, {
    app: options.app ?? textOf(members.title) ?? app,
    mode: options.mode,
    resume: options.resume ?? false,
    dryRun: options['dry-run'] ?? false,
    yes: options.yes ?? false,
    badRows: options.continue || options['bad-rows'] !== undefined ? badRows : undefined,
    path: existsSync(file) ? realpathSync(file) : file,
  })
}

/** Returns a text that is a valid name of an app. */
function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, 100) : undefined
}

/** Returns how values are written. Throws a Refusal for an option with another value than it takes. */
function hintsOf({ decimal, dates }: LoadOptions): Hints {
  if (decimal !== undefined && decimal !== '.' && decimal !== ',')
    throw new Refusal('--decimal must be "." or ",".')
  if (dates !== undefined && !isPattern(dates))
    throw new Refusal(
      `--dates ${quoteValue(dates)} is not a pattern. Write it with the directives of strptime, for ` +
        'example "%d/%m/%Y".',
    )
  return { ...(decimal === undefined ? {} : { decimalChar: decimal }), ...(dates && { format: dates }) }
}
