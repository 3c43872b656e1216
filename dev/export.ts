/**
 * `npm run export -- --app <name> [path]`: exports an app as a data package, over the public API.
 * docs/guide/load.md.
 */
import { signIn } from './client.ts'
import { exportTo, formatOf } from './exporter/export-to.ts'
import { accessOf, accessOptions, accessUsage, apiOf, parseArguments } from './loader/options.ts'
import { messageOf, Refusal } from './loader/refusal.ts'

const usage = `Usage: npm run export -- --app <name> [path] [options]

  <path>      the folder to write, or a zip file if it ends with .zip; default the app's name
  --app       the app to export
  --format    csv or jsonl (JSON lines); default csv
  --replace   overwrite an earlier export
${accessUsage}`

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
  const format = formatOf(values.format)
  const access = accessOf(values)
  const client = await signIn(access.url.href, access.user, access.password)
  const { line } = await exportTo(client, apiOf(access), {
    app: values.app,
    path,
    format,
    replace: values.replace,
  })
  console.log(line)
}
