/**
 * `tessera data load`, `watch`, `export`, `list` and `collections`. docs/guide/load.md, docs/guide/live.md,
 * docs/guide/organizations-and-sites.md, docs/guide/mongodb.md.
 */
import { type Command, Option } from 'commander'
import { formats } from '../../../dev/exporter/formats.ts'
import { action, examples, lazyAction } from '../command.ts'
import { listCollections } from './collections.ts'

/** Adds the commands to the program. */
export function addDataCommands(program: Command): void {
  const data = program
    .command('data')
    .description('load records from files, watch and export them, and list those of all sites')
  examples(
    data
      .command('load <path>')
      .description('load a data package, or a file with rows: .csv, .tsv, .json, .jsonl, .xlsx')
      .option(
        '--app <name>',
        'the app for the tables, which is created if needed; default the name of the ' + 'package',
      )
      .addOption(new Option('--append', 'add the rows to existing tables').conflicts('replace'))
      .option('--replace', 'delete tables that are there already, with their records, and create them again')
      .option('--resume', 'continue an interrupted load')
      .option('--continue', 'skip invalid rows, and write them to a file')
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
      .option(
        '--decimal <sign>',
        'the decimal sign of files without a schema, "." or ","; default as their values say',
      )
      .option(
        '--dates <format>',
        'the format of their dates, for example "%d/%m/%Y"; default as their values say',
      )
      .action(lazyAction(async () => (await import('./run.ts')).load)),
    'tessera data load datapackage.json',
    'tessera data load products.csv --app shop --append',
  )
  examples(
    data
      .command('watch <app> <table> [query]')
      .description('print a list whenever it changes, one JSON line each, until Ctrl-C')
      .option('--once', 'end after the first line')
      .action(lazyAction(async () => (await import('./watch.ts')).watch)),
    "tessera data watch shop orders 'state=open&ordering=-placed_at'",
    "tessera data watch shop orders '_aggregate=count(*)' | jq .aggregates",
  )
  examples(
    data
      .command('export <app> [path]')
      .description('export an app as a data package to a folder or a zip file')
      .addOption(new Option('--format <format>', 'how rows are written').choices(formats).default('csv'))
      .option('--replace', 'overwrite an earlier export')
      .action(lazyAction(async () => (await import('./run.ts')).save)),
    'tessera data export shop',
    'tessera data export shop shop.zip --format jsonl',
  )
  examples(
    data
      .command('list <app> <table>')
      .description('list the records of a table in all sites of an organization')
      .requiredOption('--organization <slug>', 'the organization')
      .option('--sites <slugs>', 'the sites, separated by commas; default all')
      .option('--environment <name>', 'only sites of this environment')
      .option(
        '--query <query>',
        'filters, _sort, page_size, _aggregate and others, as in the address of a list',
      )
      .action(lazyAction(async () => (await import('./list.ts')).list)),
    'tessera data list practice bookings --organization practices',
    'tessera data list shop orders --organization acme --query "_aggregate=count(*),sum(total)"',
  )
  examples(
    data
      .command('collections <app> <datasource>')
      .description('list the collections in the database of a datasource of the type mongodb')
      .action(action(listCollections)),
    'tessera data collections shop documents',
  )
}
