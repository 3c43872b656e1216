/**
 * `npm run load -- <path> --app <name>`: loads a data package or a file with rows, over the public API.
 * docs/guide/load.md.
 */
import { signIn } from './client.ts'
import { loadPath } from './loader/load-path.ts'
import { accessOf, accessOptions, accessUsage, apiOf, parseArguments } from './loader/options.ts'
import { messageOf, Refusal } from './loader/refusal.ts'
import type { Mode } from './loader/target.ts'

const usage = `Usage: npm run load -- <path> --app <name> [options]

  <path>      a datapackage.json or .yaml, a folder or zip file with one, or a file with rows:
              .csv, .tsv, .json, .jsonl or .xlsx
  --app       the app for the tables, which is created if needed; default the name of the package
${accessUsage}
  --append    add the rows to existing tables
  --replace   delete tables that are there already, with their records, and create them again
  --resume    continue an interrupted load
  --continue  skip invalid rows, and write them to a file
  --bad-rows  that file; default bad-rows.jsonl
  --dry-run   read and check everything, and write nothing
  --yes       answer every question with yes
  --only      the resources to load, separated by commas; default all
  --encoding  the encoding of the files; default what the package says, otherwise UTF-8
  --table     the name of the table, for a single file; default the file's name
  --sheet     the name or number of the sheet of an Excel file; default the first
  --decimal   the decimal sign of files without a schema, "." or ","; default as their values say
  --dates     the format of their dates, for example "%d/%m/%Y"; default as their values say`

const modes = ['append', 'replace'] as const

try {
  await load()
} catch (error) {
  console.error(`\n${error instanceof Refusal ? error.message : messageOf(error)}`)
  process.exitCode = 1
}

async function load(): Promise<void> {
  const { values, positionals } = parseArguments(
    {
      ...accessOptions,
      append: { type: 'boolean' },
      replace: { type: 'boolean' },
      resume: { type: 'boolean' },
      continue: { type: 'boolean' },
      'bad-rows': { type: 'string' },
      'dry-run': { type: 'boolean' },
      yes: { type: 'boolean' },
      only: { type: 'string' },
      encoding: { type: 'string' },
      table: { type: 'string' },
      sheet: { type: 'string' },
      decimal: { type: 'string' },
      dates: { type: 'string' },
    },
    usage,
  )
  if (values.help) {
    console.log(usage)
    return
  }
  const [path, more] = positionals
  if (path === undefined || more !== undefined) throw new Refusal(usage)
  if (values.append && values.replace) throw new Refusal('Use either --append or --replace, not both.')
  const mode: Mode = modes.find((each) => values[each]) ?? 'create'
  const lines = await loadPath(path, { ...values, mode }, async () => {
    const access = accessOf(values)
    return { client: await signIn(access.url.href, access.user, access.password), api: apiOf(access) }
  })
  for (const line of lines) console.log(line)
}
