/**
 * `npm run export -- --app <name> [path]`: an app as a data package, over the public API. docs/guide/load.md.
 */
import { signIn } from './client.ts'
import { readApp } from './exporter/app.ts'
import { exportApp } from './exporter/export-app.ts'
import type { RowFormat } from './exporter/formats.ts'
import { openSink } from './exporter/sinks.ts'
import { accessOf, accessOptions, accessUsage, apiOf, callerPath, parseArguments } from './loader/options.ts'
import { messageOf, Refusal } from './loader/refusal.ts'

const usage = `Usage: npm run export -- --app <name> [path] [options]

  <path>      the folder to write, or a zip file if it ends with .zip; default the app's name
  --app       the app to export
  --format    csv or jsonl (JSON lines); default csv
  --replace   write over an earlier export
${accessUsage}`

const formats: readonly RowFormat[] = ['csv', 'jsonl']

try {
  await run()
} catch (error) {
  console.error(`\n${messageOf(error)}`)
  process.exitCode = 1
}

async function run(): Promise<void> {
  const options = { ...accessOptions, format: { type: 'string' }, replace: { type: 'boolean' } } as const
  const { values, positionals } = parseArguments(options, usage)
  if (values.help) {
    console.log(usage)
    return
  }
  const [path, more] = positionals
  if (values.app === undefined || more !== undefined) throw new Refusal(usage)
  const format = formats.find((one) => one === (values.format ?? 'csv'))
  if (!format) throw new Refusal(`--format ${values.format} is not known. Formats: ${formats.join(', ')}.`)
  const access = accessOf(values)
  const client = await signIn(access.url.href, access.user, access.password)
  const app = await readApp(client, apiOf(access), values.app)
  const target = path ?? app.service.app
  const sink = openSink(callerPath(target), values.replace ?? false)
  try {
    const { records, edges } = await exportApp(app, format, sink)
    const edgesText = edges > 0 ? ` and ${edges.toLocaleString('en')} edges` : ''
    const tables = `${app.tables.length} ${app.tables.length === 1 ? 'table' : 'tables'}`
    console.log(
      `Exported ${records.toLocaleString('en')} records${edgesText} of ${tables} of the app ` +
        `"${app.service.app}" to ${target}.`,
    )
  } catch (error) {
    await sink.discard()
    throw error
  }
}
