/**
 * `tessera secrets list`, `get` and `set`. Values come from the standard input, the environment, or a prompt.
 */

import type { Command } from 'commander'
import { type Client, TesseraError } from '../../../client/src/index.ts'
import { parseStrictly } from '../../../src/kernel/lib/parse-json.ts'
import { allItems } from '../all-items.ts'
import { action, examples } from '../command.ts'
import type { Context } from '../context.ts'
import { exitCodes } from '../exit-codes.ts'
import { Problem } from '../problem.ts'
import { requireSite } from '../require-site.ts'
import { ask, canAsk, readStdin } from '../terminal/ask.ts'

/** Adds the commands to the program. */
export function addSecretCommands(program: Command): void {
  const secrets = program.command('secrets').description('the secrets of the site and of its apps')
  const sub = (name: string, description: string) =>
    secrets
      .command(name)
      .description(description)
      .option('--app <slug>', 'the secrets of an app; default those of the site')
  examples(
    sub('list', 'list keys and types, never values').action(action(list)),
    'tessera secrets list --app shop',
  )
  examples(
    sub('get <key>', 'print a value of the app, or else of the site')
      .option('--field <name>', 'print one member of the value, as text')
      .action(action(get)),
    'tessera secrets get PRINTER',
    'tessera secrets get STRIPE --field api_key',
  )
  examples(
    sub('set <key>', 'create a secret or change its value, which is never an argument')
      .option('--type <slug>', 'the type of a new secret')
      .option('--field <name>', 'set one member of the value to a text, and keep the others')
      .option(
        '--stdin',
        'read the value from the standard input; default $TESSERA_SECRET, otherwise you are ' + 'asked',
      )
      .action(action(set)),
    'tessera secrets set PRINTER --type printer --stdin < printer.json',
    'TESSERA_SECRET=… tessera secrets set STRIPE --type api-key --field api_key',
  )
}

interface Level {
  app?: string
}

async function list(context: Context, { app }: Level): Promise<void> {
  const { output } = context
  const client = context.client()
  const all = await allItems((page) => client.secrets.list({ app, ordering: ['key'], ...page }))
  const found = all.map(({ key, secret_type, sensitivity_level, app: level, tags }) => {
    return { key, secret_type, sensitivity_level, app: level, tags }
  })
  output.result({ secrets: found }, () =>
    output.table(
      ['KEY', 'TYPE', 'SENSITIVITY', 'APP', 'TAGS'],
      found.map(({ key, secret_type, sensitivity_level, app: level, tags }) =>
        [key, secret_type, sensitivity_level, level, (tags as string[]).join(' ')].map((cell) =>
          String(cell ?? ''),
        ),
      ),
    ),
  )
}

async function get(context: Context, { app, field }: Level & { field?: string }, key: string): Promise<void> {
  const { output } = context
  const { value } = await context.client().secrets.get(key, { app })
  if (field === undefined)
    return output.result({ key, value }, () => output.text(JSON.stringify(value, null, 2)))
  if (!Object.hasOwn(value, field))
    throw new Problem(
      `The value of ${key} has no member ${field}. Members: ${Object.keys(value).join(', ')}.`,
      exitCodes.notFound,
    )
  const member = value[field]
  output.result({ key, field, value: member }, () =>
    output.text(typeof member === 'string' ? member : JSON.stringify(member)),
  )
}

interface SetOptions extends Level {
  type?: string
  field?: string
  stdin?: boolean
}

async function set(context: Context, options: SetOptions, key: string): Promise<void> {
  const { output } = context
  const client = context.client()
  const text = await givenValue(options)
  const before = await ofLevel(client, key, options)
  const value = options.field === undefined ? parsed(text) : { ...before, [options.field]: text }
  if (before === undefined) {
    if (options.type === undefined)
      throw new Problem(
        `There is no secret ${key} at this level. To create it, give its type with --type.`,
        exitCodes.usage,
      )
    await client.secrets.create({ key, secret_type: options.type, value, app: options.app })
  } else await client.secrets.update(key, { value }, { app: options.app })
  const action = before === undefined ? 'created' : 'changed'
  output.result({ key, app: options.app ?? null, action }, () =>
    output.line(`The secret ${key} was ${action}.`),
  )
}

async function givenValue({ stdin }: SetOptions): Promise<string> {
  const given = stdin ? await readStdin() : process.env.TESSERA_SECRET
  if (given) return given
  if (stdin || !canAsk())
    throw new Problem(
      stdin
        ? 'The standard input is empty.'
        : 'Set TESSERA_SECRET, or add --stdin: there is no terminal to ask for the value.',
      exitCodes.usage,
    )
  return ask('Value:', { isHidden: true })
}

/**
 * Returns the value at exactly this level; undefined if there is none. A normal read falls back to the site's
 * value.
 */
async function ofLevel(
  client: Client,
  key: string,
  { app }: Level,
): Promise<Record<string, unknown> | undefined> {
  try {
    const secret = await client.secrets.get(key, { app })
    return secret.app === (app ?? null) ? secret.value : undefined
  } catch (error) {
    if (!(error instanceof TesseraError && error.status === 404)) throw error
    await requireSite(client)
    return undefined
  }
}

/** Parses a JSON object. Throws a Problem that does not quote the value. */
function parsed(text: string): Record<string, unknown> {
  try {
    const value: unknown = parseStrictly(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>
  } catch {
    // The error below describes the expected value.
  }
  throw new Problem('The value must be a JSON object, or with --field a string.', exitCodes.usage)
}
