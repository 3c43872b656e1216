/**
 * Creates a site from an unpacked archive: the site, its secret types and secrets, the apps with their
 * tables, and the records. The functions with their subscriptions come last, so that imported records do not
 * run functions. A file stores the progress, so that an interrupted import can continue.
 */

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Client, TesseraError } from '../../../../client/src/index.ts'
import { RefusedError } from '../../../../dev/client.ts'
import { loadPath } from '../../../../dev/loader/load-path.ts'
import { fileName } from '../../../../dev/own-files.ts'
import { readJsonVerbatim } from '../../../../src/kernel/lib/exact-json.ts'
import { type Manifest, questionsFile } from '../../../../src/operation/transfers/archive/manifest.ts'
import type { BoxedSecret } from '../../../../src/operation/transfers/archive/secret-box.ts'
import { settingsFor } from '../../../../src/operation/transfers/source/settings.ts'
import type { Members, SavedParts } from '../../../../src/operation/transfers/source/source.ts'
import { dataClient } from '../../data-client.ts'
import { Problem } from '../../problem.ts'
import { applyChanges } from '../../schema/apply.ts'
import { compare, type Difference } from '../../schema/compare.ts'
import { readFiles, verbatim } from '../../schema/files.ts'
import type { FunctionPart, Parts } from '../../schema/parts.ts'
import { readAll, readService } from '../../schema/read-service.ts'
import type { Target } from '../../target.ts'
import { unbox } from './secret-box.ts'

/** The input and the target of an import. */
interface ImportChoice {
  /** A client of the new site. */
  client: Client
  target: Target & { site: string }
  manifest: Manifest
  /** The folder of the unpacked archive. */
  folder: string
  /** The key that decrypts the secrets. Undefined: they are not imported. */
  privateKey: CryptoKey | undefined
  /** Whether the site acts at the end, with the environment of the archive. */
  activate: boolean
}

/** The result of an import, and the remaining tasks for the user. */
export interface ImportedSite {
  apps: number
  secrets: number
  /** Functions whose headers must be set again, with the names of the headers. */
  headers: Readonly<Record<string, readonly string[]>>
  /** The new signing secrets of functions that call a server. */
  signingSecrets: Readonly<Record<string, string>>
}

/** Imports an archive into an existing site. */
export async function importSite(choice: ImportChoice): Promise<ImportedSite> {
  const { client, target, manifest, folder } = choice
  const once = stepsIn(folder)
  const apps = new Map<string, Parts>()
  for (const app of manifest.apps)
    apps.set(app, await readFiles(join(folder, 'apps', fileName(app)), verbatim))
  const change = (body: Members) =>
    client.request({ method: 'PATCH', path: `/api/cloud/sites/${encodeURIComponent(target.site)}/`, body })
  await once('settings', () => change(settingsFor(manifest.site, false)))
  await once('secret types', () => createTypes(choice))
  await createTables(choice, apps)
  await once('questions', () => createQuestions(choice))
  const secrets = await importSecrets(choice)
  for (const app of apps.keys())
    await once(`records of ${app}`, (isResumed) => loadRecords(choice, app, isResumed))
  const headers: Record<string, string[]> = {}
  const signingSecrets: Record<string, string> = {}
  for (const [app, parts] of apps) {
    const functions = new Map([...parts.functions].map(([slug, one]) => [slug, withoutMasks(app, slug, one)]))
    await apply(choice, app, { ...parts, functions }, ['function', 'subscriptions'], (slug, secret) => {
      signingSecrets[`${app}/${slug}`] = secret
    })
  }
  if (choice.activate) await change(settingsFor(manifest.site, true))
  return { apps: apps.size, secrets, headers, signingSecrets }

  /**
   * Removes the masks that the service shows instead of the values of headers, because it does not accept
   * them.
   */
  function withoutMasks(app: string, slug: string, { settings, code }: FunctionPart): FunctionPart {
    const all = Object.entries(Object(settings.headers ?? {}) as Members)
    const masked = all.filter(([, value]) => value === '***HIDDEN***').map(([name]) => name)
    if (masked.length === 0) return { settings, code }
    headers[`${app}/${slug}`] = masked
    const kept = Object.fromEntries(all.filter(([name]) => !masked.includes(name)))
    return { settings: { ...settings, headers: kept }, code }
  }
}

type Once = (step: string, run: (isResumed: boolean) => Promise<unknown>) => Promise<void>

/**
 * Returns a function that runs a step unless an earlier import has finished it. `isResumed`: an earlier
 * import has started the step.
 */
function stepsIn(folder: string): Once {
  const file = join(folder, '.steps.json')
  const steps: Record<string, 'begun' | 'done'> = existsSync(file)
    ? JSON.parse(readFileSync(file, 'utf8'))
    : {}
  const note = (step: string, state: 'begun' | 'done') => {
    steps[step] = state
    writeFileSync(file, JSON.stringify(steps))
  }
  return async (step, run) => {
    if (steps[step] === 'done') return
    const isResumed = steps[step] === 'begun'
    note(step, 'begun')
    await run(isResumed)
    note(step, 'done')
  }
}

const readJson = <Value>(folder: string, path: string): Value =>
  JSON.parse(readFileSync(join(folder, path), 'utf8')) as Value

/** Creates an object, unless an interrupted import has already created it. */
async function create(client: Client, path: string, body: unknown): Promise<void> {
  try {
    await client.request({ method: 'POST', path, body })
  } catch (error) {
    if (!(error instanceof TesseraError) || error.code !== 'already_exists') throw error
  }
}

async function createTypes({ client, folder }: ImportChoice): Promise<void> {
  for (const type of Object.values(readJson<Record<string, Members>>(folder, 'secret-types.json')))
    await create(client, '/api/secret-types/', type)
  for (const { slug: _, ...tag } of readJson<Members[]>(folder, 'tags.json'))
    await create(client, '/api/tags/', tag)
}

/** Creates the saved questions and the dashboards. An archive of an earlier version has no file of them. */
async function createQuestions({ client, folder }: ImportChoice): Promise<void> {
  if (!existsSync(join(folder, questionsFile))) return
  const { questions, dashboards } = readJson<SavedParts>(folder, questionsFile)
  for (const question of questions) await create(client, '/api/questions/', question)
  for (const dashboard of dashboards) await create(client, '/api/dashboards/', dashboard)
}

/** Creates the apps with their tables. An app that references another one waits until that app exists. */
async function createTables(choice: ImportChoice, apps: ReadonlyMap<string, Parts>): Promise<void> {
  let left = [...apps]
  while (left.length > 0) {
    const refused: typeof left = []
    let first: unknown
    for (const [app, parts] of left) {
      try {
        await apply(choice, app, parts, ['app', 'table', 'access rules'])
      } catch (error) {
        if (!(error instanceof TesseraError) || ![400, 404, 409, 422].includes(error.status)) throw error
        first ??= error
        refused.push([app, parts])
      }
    }
    if (refused.length === left.length) throw first
    left = refused
  }
}

/** Creates missing parts of these kinds, or changes existing ones to match the archive. */
async function apply(
  { client, target }: ImportChoice,
  app: string,
  files: Parts,
  kinds: readonly Difference['kind'][],
  onSigningSecret: (slug: string, secret: string) => void = () => undefined,
): Promise<void> {
  const service = await readService(client, target, app)
  const differences = compare(files, service?.parts, {}).differences.filter(
    ({ kind, action }) => kinds.includes(kind) && action !== 'delete',
  )
  await applyChanges({
    client,
    app,
    files,
    service,
    site: target.site,
    differences,
    allowsLoss: false,
    onApplied: () => undefined,
    onProgress: () => undefined,
    onSigningSecret,
  })
}

async function loadRecords(
  { client, target, folder }: ImportChoice,
  app: string,
  resume: boolean,
): Promise<void> {
  const path = join(folder, 'data', app)
  if (!existsSync(path)) return
  // An app may consist only of references to tables of other apps.
  if (readJson<{ resources: unknown[] }>(path, 'datapackage.json').resources.length === 0) return
  await loadPath(path, { app, mode: 'append', yes: true, resume }, async () => dataClient(client, target))
}

/** Imports the secrets, including existing ones. Returns their number. */
async function importSecrets({ client, target, folder, privateKey }: ImportChoice): Promise<number> {
  const file = join(folder, 'secrets.jsonl')
  if (!privateKey || !existsSync(file)) return 0
  const data = dataClient(client, target)
  // Responses have the names of types, and requests need their slugs.
  const types = await readAll<{ name: string; slug: string }>(client, '/api/secret-types/')
  const slugs = new Map(types.map(({ name, slug }) => [name, slug]))
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
  for (const line of lines) {
    const boxed = JSON.parse(line) as BoxedSecret
    const { key, app, secret_type, tags } = boxed
    // Keeps all digits of numbers.
    const value = readJsonVerbatim(await unbox(privateKey, boxed))
    const level = app === null ? '' : `?app=${encodeURIComponent(app)}`
    const type = slugs.get(secret_type) ?? secret_type
    try {
      const secret = { key, secret_type: type, value, tags, ...(app === null ? {} : { app }) }
      await data.client.request('POST', `${data.api}secrets/`, secret)
    } catch (error) {
      if (!isTaken(error)) throw error
      const path = `${data.api}secrets/${encodeURIComponent(key)}/${level}`
      await data.client.request('PUT', path, { value, tags })
    }
  }
  return lines.length
}

/** Returns whether an interrupted import has already created the secret. */
const isTaken = (error: unknown): boolean => error instanceof RefusedError && error.code === 'already_exists'

/** Returns the site with the slug, and creates it if needed. Throws a Problem if it already has apps. */
export async function ensureSite(
  client: Client,
  {
    slug,
    name,
    organization,
    environment,
  }: { slug: string; name: string; organization: string; environment: unknown },
  isResumed: boolean,
): Promise<void> {
  try {
    await client.request({ path: `/api/cloud/sites/${encodeURIComponent(slug)}/` })
  } catch (error) {
    if (!(error instanceof TesseraError) || error.status !== 404) throw error
    await client.request({
      method: 'POST',
      path: `/api/cloud/organizations/${encodeURIComponent(organization)}/sites/`,
      body: { name, slug, environment },
    })
    return
  }
  if (!isResumed) throw new Problem(`There is a site ${slug} already. Name another one.`)
}
