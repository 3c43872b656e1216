/** Writes a site into an archive: apps with their records, secret types, tags and secrets. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Client } from '../../../../client/src/index.ts'
import { readApp } from '../../../../dev/exporter/app.ts'
import { exportApp } from '../../../../dev/exporter/export-app.ts'
import { openSink, type Sink } from '../../../../dev/exporter/sinks.ts'
import { readJsonVerbatim } from '../../../../src/kernel/lib/exact-json.ts'
import { logoPath } from '../../../../src/kernel/page/branding-paths.ts'
import {
  type Manifest,
  manifestFile,
  questionsFile,
} from '../../../../src/operation/transfers/archive/manifest.ts'
import { inOrder } from '../../../../src/operation/transfers/archive/order.ts'
import { box, type SecretHead } from '../../../../src/operation/transfers/archive/secret-box.ts'
import { logoText } from '../../../../src/operation/transfers/source/settings.ts'
import type { Members } from '../../../../src/operation/transfers/source/source.ts'
import { dataClient } from '../../data-client.ts'
import { Problem } from '../../problem.ts'
import { writeFiles } from '../../schema/files.ts'
import { readAll, readSecretTypes, readService } from '../../schema/read-service.ts'
import type { Target } from '../../target.ts'
import { below, digesting, once, writeFolder } from './container.ts'

/** The options of an export. */
interface ExportChoice {
  client: Client
  target: Target & { site: string }
  /** The zip file. */
  path: string
  replace: boolean
  /** Whether to export records and edges. */
  rows: boolean
  /** The key that encrypts the secrets. Undefined: they are not exported. */
  publicKey: CryptoKey | undefined
}

/** The numbers of exported objects. */
interface ExportedSite {
  apps: number
  records: number
  edges: number
  secrets: number
}

/** Writes the archive. If this fails, removes the unfinished archive. */
export async function exportSite(choice: ExportChoice): Promise<ExportedSite> {
  const { client, target, path, replace } = choice
  if (!path.endsWith('.zip')) throw new Problem(`${path} must end with .zip.`)
  const site = await readSite(client, target.site)
  const apps = (await readAll<{ slug: string }>(client, '/api/apps/')).map(({ slug }) => slug).toSorted()
  const sink = digesting(openSink(path, replace))
  try {
    const counts = { apps: apps.length, records: 0, edges: 0, secrets: 0 }
    for (const app of apps) {
      await writeApp(choice, sink, app)
      if (!choice.rows) continue
      const { records, edges } = await writeRecords(choice, sink, app)
      counts.records += records
      counts.edges += edges
    }
    const types = Object.fromEntries(await readSecretTypes(client))
    await sink.write('secret-types.json', once(jsonText(types)))
    await sink.write('tags.json', once(jsonText(await readTags(client))))
    await sink.write(questionsFile, once(jsonText(inOrder(await readQuestions(client)))))
    if (choice.publicKey) counts.secrets = await writeSecrets(choice, sink, apps, choice.publicKey)
    const manifest: Manifest = { format: 'tessera-site', version: 1, site, apps, files: sink.files }
    await sink.write(manifestFile, once(jsonText(manifest)))
    await sink.finish()
    return counts
  } catch (error) {
    await sink.discard()
    throw error
  }
}

/** Reads the site, with its logo instead of the logo's address. */
async function readSite(client: Client, slug: string): Promise<Members> {
  const path = `/api/cloud/sites/${encodeURIComponent(slug)}/`
  const site = await client.request<Members & { branding: Members }>({ path })
  const hash = String(site.branding.logo ?? '')
    .split('/')
    .at(-2)
  if (hash === undefined) return site
  const answer = await client.send({ path: logoPath(hash) })
  const logo = logoText(answer.headers.get('content-type') ?? '', new Uint8Array(await answer.arrayBuffer()))
  return { ...site, branding: { ...site.branding, logo } }
}

const jsonText = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

/** Writes the same files as `tessera schema pull`. */
async function writeApp({ client, target }: ExportChoice, sink: Sink, app: string): Promise<void> {
  const service = await readService(client, target, app)
  if (!service) throw new Problem(`Meanwhile somebody deleted the app ${app}.`)
  const folder = mkdtempSync(join(tmpdir(), 'tessera-archive-'))
  try {
    await writeFiles(folder, service.parts)
    await writeFolder(below(sink, `apps/${app}`), folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Writes the same files as `tessera data export`. */
async function writeRecords({ client, target }: ExportChoice, sink: Sink, app: string) {
  const data = dataClient(client, target)
  return exportApp(await readApp(data.client, data.api, app), 'jsonl', below(sink, `data/${app}`))
}

async function readTags(client: Client): Promise<Members[]> {
  const tags = await client.request<Members[]>({ path: '/api/tags/' })
  return tags.map(({ name, slug, description, color }) => ({ name, slug, description, color }))
}

/** Reads the saved questions and the dashboards, as the bodies that create them again. */
async function readQuestions(client: Client) {
  const bodies = async (path: string): Promise<Members[]> =>
    (await readAll<Members>(client, path)).map(
      ({ id, version, created_at, updated_at, created_by, modified_by, ...body }) => body,
    )
  return {
    questions: await bodies('/api/questions/'),
    dashboards: await bodies('/api/dashboards/'),
  }
}

/** Writes the secrets of all levels, one per line. Returns their number. */
async function writeSecrets(
  { client, target }: ExportChoice,
  sink: Sink,
  apps: readonly string[],
  publicKey: CryptoKey,
): Promise<number> {
  const data = dataClient(client, target)
  let count = 0
  const lines = async function* () {
    for (const app of [null, ...apps]) {
      const query = app === null ? '' : `?app=${encodeURIComponent(app)}`
      const heads = await readAll<SecretHead>(client, '/api/secrets/', app === null ? {} : { app })
      for (const { key, secret_type, tags } of heads) {
        const text = await data.client.read(`${data.api}secrets/${encodeURIComponent(key)}/${query}`)
        // Keeps all digits of numbers.
        const { value } = readJsonVerbatim(text) as { value: unknown }
        const head = { key, app, secret_type, tags }
        yield `${JSON.stringify(await box(publicKey, head, JSON.stringify(value)))}\n`
        count++
      }
    }
  }
  await sink.write('secrets.jsonl', lines())
  return count
}
