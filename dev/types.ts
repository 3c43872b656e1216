/**
 * `npm run types -- <app> …`: writes the TypeScript types of apps of a running service. docs/guide/client.md.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { type AppDocument, generateTypes } from '../client/src/generate.ts'
import { signIn } from './client.ts'
import { accessOf, accessOptions, accessUsage, apiOf, callerPath, parseArguments } from './loader/options.ts'
import { messageOf, Refusal } from './loader/refusal.ts'

const usage = `Usage: npm run types -- <app> [<app> …] [options]

  <app>       the slugs of the apps
  --out       the file to write; default the standard output
  --integers  number, or exact: whole numbers beyond 2^53 are strings of digits; default number
${accessUsage}`

const { app: _, ...access } = accessOptions
const options = { ...access, out: { type: 'string' }, integers: { type: 'string' } } as const

async function main(): Promise<void> {
  const { values, positionals: apps } = parseArguments(options, usage)
  if (values.help) return console.log(usage)
  if (apps.length === 0) throw new Refusal(`Name an app.\n\n${usage}`)
  const integers = values.integers ?? 'number'
  if (integers !== 'number' && integers !== 'exact')
    throw new Refusal(`--integers ${integers} is neither number nor exact.`)
  const service = accessOf(values)
  const client = await signIn(service.url.href, service.user, service.password)
  const documents: Record<string, AppDocument> = {}
  for (const app of apps)
    documents[app] = await client.request('GET', `${apiOf(service)}apps/${encodeURIComponent(app)}/schema/`)
  const text = generateTypes(documents, { integers })
  if (values.out === undefined) process.stdout.write(text)
  else {
    const file = callerPath(values.out)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof Refusal ? error.message : messageOf(error))
  process.exitCode = 1
})
