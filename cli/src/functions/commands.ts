/** `tessera functions`. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Invocation } from '../../../client/src/site/functions.ts'
import { isFileName } from '../../../dev/own-files.ts'
import { parseStrictly } from '../../../src/kernel/lib/parse-json.ts'
import { action, examples, lazyAction } from '../command.ts'
import type { Context } from '../context.ts'
import { exitCodes } from '../exit-codes.ts'
import { Problem } from '../problem.ts'
import { requireNode } from '../require-node.ts'
import { deployFunction } from '../schema/deploy-function.ts'
import { readStdin } from '../terminal/ask.ts'
import {
  followFunctions,
  isFinished,
  newestInvocation,
  recentInvocations,
  showInvocation,
} from './invocations.ts'
import { addVersionCommands } from './versions.ts'

/** Adds the commands to the program. */
export function addFunctionCommands(program: Command): void {
  const functions = program.command('functions').description('the functions of an app')
  const dir = new Option('--dir <folder>', 'the folder of the files; default tessera/<app>')
  examples(
    functions
      .command('new <app> <slug>')
      .description('write the files of a new function')
      .addOption(dir)
      .action(action(create)),
    'tessera functions new shop total',
  )
  examples(
    functions
      .command('deploy <app> <slug>')
      .description('create or change one function, from its files')
      .addOption(dir)
      .option('--force', 'overwrite changes that were made in the service since the last pull')
      .action(action(deploy)),
    'tessera functions deploy shop total',
  )
  examples(
    functions
      .command('run <app> <slug>')
      .description('run a function and print its result')
      .option('--params <json>', 'its parameters, as a JSON object', '{}')
      .option('--stdin', 'read the parameters from the standard input')
      .option('--event <name>', 'use a sample of this event as its parameters')
      .option('--table <name>', 'with --event: the table of the sample record')
      .option('--queue', 'queue it, and do not wait')
      .action(action(run)),
    `tessera functions run shop total --params '{"days": 3}'`,
    'tessera functions run shop total --event RECORD_CREATE --table loans',
  )
  examples(
    functions
      .command('dev <app> <slug>')
      .description('run a function on this machine, and run it again when one of its files changes')
      .addOption(dir)
      .option('--params <json>', 'its parameters, as a JSON object; default {}')
      .option('--event <file>', 'a file with its parameters, which is watched, too')
      .option('--last', 'use the latest event of the app for which a function ran')
      .option('--type <event>', 'with --last: only events with this name, such as RECORD_UPDATE')
      .option('--table <name>', 'with --last: only events of this table')
      .option('--once', 'run it once; the exit code says whether it failed')
      .action(lazyAction(loadDev)),
    'tessera functions dev shop total --last --type RECORD_CREATE',
    'tessera functions dev shop total --event event.json',
    `tessera functions dev shop total --params '{"days": 3}' --once`,
  )
  examples(
    functions
      .command('logs <app> [slug]')
      .description('print the latest runs with their output; with -f also new ones')
      .option('-f, --follow', 'keep printing new runs until Ctrl-C')
      .option('--limit <count>', 'how many of the latest runs to print, up to 100', countOf, 10)
      .action(action(logs)),
    'tessera functions logs shop total -f',
  )
  examples(
    functions.command('replay <id>').description('run a failed invocation again').action(action(replay)),
    'tessera functions replay 4711',
  )
  addVersionCommands(functions)
}

/**
 * Loads the command. The programs that run isolates ask Node for its trusted certificates, which older
 * versions of Node cannot list.
 */
async function loadDev() {
  requireNode([22, 15], 'Functions on this machine')
  return (await import('./dev/command.ts')).develop
}

function countOf(text: string): number {
  const count = Number(text)
  if (!Number.isInteger(count) || count < 1 || count > 100) throw new InvalidArgumentError('It is 1 to 100.')
  return count
}

interface FolderOptions {
  dir?: string
}

const template = `/** @param {Record<string, unknown>} params  @param {{ trigger_type: string }} context */
export default async function (params, context) {
  console.log('run by', context.trigger_type)
  return params
}
`

async function create({ output }: Context, options: FolderOptions, app: string, slug: string): Promise<void> {
  if (!isFileName(slug))
    throw new Problem(
      `${slug} is not a slug. A slug contains only lower-case letters, digits, - and _.`,
      exitCodes.usage,
    )
  const folder = join(options.dir ?? join('tessera', app), 'functions')
  const files = [join(folder, `${slug}.js`), join(folder, `${slug}.json`)]
  const found = files.find((file) => existsSync(file))
  if (found !== undefined) throw new Problem(`${found} is there already.`, exitCodes.conflict)
  mkdirSync(folder, { recursive: true })
  const settings = { name: slug, description: '', execution_mode: 'app' }
  for (const [index, text] of [template, `${JSON.stringify(settings, null, 2)}\n`].entries())
    writeFileSync(files[index] as string, text, { flag: 'wx' })
  output.result({ files }, () => output.line(`Wrote ${files.join(' and ')}.`))
}

async function deploy(
  context: Context,
  options: FolderOptions & { force?: boolean },
  app: string,
  slug: string,
): Promise<void> {
  const { output } = context
  const action = await deployFunction(context, { ...options, app, slug })
  output.result({ app, function: slug, action }, () =>
    output.line(`The function ${slug} ${sentences[action]}.`),
  )
}

const sentences = { create: 'was created', change: 'was changed', none: 'has not changed' } as const

interface RunOptions {
  params: string
  stdin?: boolean
  event?: string
  table?: string
  queue?: boolean
}

async function run(context: Context, options: RunOptions, app: string, slug: string): Promise<void> {
  const { output } = context
  const params = await paramsOf(context, options, app)
  const calls = context.client().app(app).$functions
  if (options.queue) {
    const { invocation } = (await calls.queue(slug, params)) as { invocation?: Invocation }
    return output.result({ invocation }, () => output.line(`Queued as ${invocation?.id}.`))
  }
  const { data, invocation } = await calls.run(slug, params)
  output.result({ data, invocation }, () => {
    showInvocation(output, invocation)
    if (invocation.status !== 'FAILURE') output.text(JSON.stringify(data, null, 2))
  })
  if (invocation.status === 'FAILURE') process.exitCode = exitCodes.failed
}

/** Returns the parameters: as they are given, or a sample of an event. */
async function paramsOf(context: Context, options: RunOptions, app: string): Promise<object> {
  const { event, table } = options
  if (event === undefined) return objectOf(options.stdin ? await readStdin() : options.params)
  const { sampleFor } = await import('./sample.ts')
  return sampleFor(context.client(), app, event, table)
}

function objectOf(text: string): object {
  try {
    const value: unknown = parseStrictly(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  } catch {
    // The value is checked below.
  }
  throw new Problem('The parameters must be a JSON object.', exitCodes.usage)
}

async function logs(
  context: Context,
  { follow, limit }: { follow?: boolean; limit: number },
  app: string,
  slug: string | undefined,
): Promise<void> {
  const { output } = context
  const client = context.client()
  const filter = { app, slug }
  const start = await newestInvocation(client)
  const recent = await recentInvocations(client, filter, limit)
  const show = (invocation: Invocation) => output.item(invocation, () => showInvocation(output, invocation))
  if (!follow) return output.result({ invocations: recent }, () => recent.forEach(show))
  // An unfinished run is shown once, when it has finished.
  recent.filter(isFinished).forEach(show)
  await followFunctions(client, filter, { known: recent, start }, show)
}

async function replay(context: Context, _options: object, id: string): Promise<void> {
  if (!/^\d+$/.test(id)) throw new Problem(`${id} is not the id of an invocation.`, exitCodes.usage)
  const answer = await context.client().invocations.replay(Number(id))
  context.output.result(answer, () => context.output.line(`The invocation ${id} is queued again.`))
}
