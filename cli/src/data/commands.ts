/** `tessera data load` and `data export`. docs/guide/load.md. */
import { type Command, Option } from 'commander'
import { exportTo, formatOf, formats } from '../../../dev/exporter/export-to.ts'
import { type LoadOptions as Chosen, loadPath } from '../../../dev/loader/load-path.ts'
import { silenceProgress } from '../../../dev/loader/progress.ts'
import { action, examples } from '../command.ts'
import type { Context } from '../context.ts'
import { dataClient } from '../data-client.ts'
import { Problem } from '../problem.ts'
import type { Output } from '../terminal/output.ts'

/** Adds the commands to the program. */
export function addDataCommands(program: Command): void {
  const data = program.command('data').description('records from files, and into files')
  examples(
    data
      .command('load <path>')
      .description('load a data package, or a file with rows: .csv, .tsv, .json, .jsonl, .xlsx')
      .option('--app <name>', 'the app to create, or to add the tables to; default the name of the package')
      .addOption(new Option('--append', 'add the rows to tables that are there already').conflicts('replace'))
      .option('--replace', 'delete tables that are there already, with their records, and create them again')
      .option('--resume', 'go on where an interrupted load stopped')
      .option('--continue', 'leave rows with faults out, and write them into a file')
      .option('--bad-rows <file>', 'that file; default bad-rows.jsonl')
      .option('--dry-run', 'read and check everything, and write nothing')
      .option('--yes', 'answer every question with yes')
      .option('--only <resources>', 'the resources to load, separated by commas; default all')
      .option(
        '--encoding <name>',
        'the encoding of the files; default what the package says, otherwise UTF-8',
      )
      .option('--table <name>', 'the name of the table, for a single file; default that of the file')
      .option('--sheet <sheet>', 'the name or number of the sheet of an Excel file; default the first')
      .action(action(load)),
    'tessera data load datapackage.json',
    'tessera data load products.csv --app shop --append',
  )
  examples(
    data
      .command('export <app> [path]')
      .description('write an app as a data package into a folder, or a zip file')
      .addOption(new Option('--format <format>', 'how rows are written').choices(formats).default('csv'))
      .option('--replace', 'write over an earlier export')
      .action(action(save)),
    'tessera data export shop',
    'tessera data export shop shop.zip --format jsonl',
  )
}

/** Makes the loader work for this command. Before Node 22, JSON.parse loses digits of numbers, untold. */
function prepare({ isJson }: Output): void {
  // The scripts of npm run in the folder of the project, and this command in that of its caller.
  delete process.env.INIT_CWD
  if (isJson) silenceProgress()
  if (!('rawJSON' in JSON))
    throw new Problem(
      `Records need Node 22 or newer; this is ${process.version}, which loses digits of numbers.`,
    )
}

interface LoadOptions extends Omit<Chosen, 'mode' | 'bad-rows' | 'dry-run'> {
  append?: boolean
  replace?: boolean
  badRows?: string
  dryRun?: boolean
}

async function load(context: Context, options: LoadOptions, path: string): Promise<void> {
  const { output, target } = context
  prepare(output)
  const { append, replace, badRows, dryRun, ...others } = options
  const otherwise = replace ? 'replace' : 'create'
  const chosen = {
    ...others,
    mode: append ? 'append' : otherwise,
    ...(badRows === undefined ? {} : { 'bad-rows': badRows }),
    ...(dryRun === undefined ? {} : { 'dry-run': dryRun }),
  } as const
  const lines = await loadPath(path, chosen, async () => dataClient(context.client(), target))
  output.result({ messages: lines }, () => {
    for (const line of lines) output.line(line)
  })
}

async function save(
  context: Context,
  { format, replace }: { format: string; replace?: boolean },
  app: string,
  path: string | undefined,
): Promise<void> {
  const { output, target } = context
  prepare(output)
  const { client, api } = dataClient(context.client(), target)
  const { line, ...exported } = await exportTo(client, api, { app, path, format: formatOf(format), replace })
  output.result(exported, () => output.line(line))
}
