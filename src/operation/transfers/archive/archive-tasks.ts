/**
 * The tasks of exports, which write files of an archive, and the tasks of imports before the site is created.
 */

import { planOf, withCatalog } from '../../../data/catalog/service.ts'
import { openDatabase } from '../../../kernel/db/client.ts'
import { configOf } from '../../../kernel/env.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { Done } from '../making/making.ts'
import { isReference } from '../source/source.ts'
import type { ArchiveKind } from '../tasks.ts'
import type { Archiving } from './archiving.ts'
import { check, unpack } from './import-tasks.ts'
import { sumOfDigests } from './lines-digest.ts'
import * as files from './manifest.ts'
import { inOrder } from './order.ts'
import { descriptorText, fileOfEdges, fileOfTable, type PackagedTable } from './package.ts'
import { insertPart, partOf, selectEnd, selectFiles } from './parts.ts'
import { box, readKey } from './secret-box.ts'

const deadlineMs = 60_000
const filesAtOnce = 20

/** Appends a text to a file when the progress is saved. */
async function append({ env, transfer }: Archiving, path: string, text: string) {
  const { end } = await openDatabase(configOf(env)).batch({ end: selectEnd(transfer.id, path) }, deadlineMs)
  const number = end.first === undefined ? 0 : end.first.number + 1
  const storing = { config: configOf(env), id: transfer.id }
  return insertPart(storing, path, number, partOf(text, end.first?.crc ?? 0))
}

const jsonText = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

/** Writes whole files. */
const write = async (archiving: Archiving, all: Readonly<Record<string, string>>): Promise<Done> => ({
  statements: {
    parts: (
      await Promise.all(Object.entries(all).map(([path, text]) => append(archiving, path, text)))
    ).flat(),
  },
})

type Work = (archiving: Archiving, app: string, name: string) => Promise<Done>

/** The function that runs each task. */
export const archiveTasks: Readonly<Record<ArchiveKind, Work>> = {
  'types-file': async (archiving) => {
    const types = (await archiving.source.types()).map(({ slug, ...type }) => [slug, type])
    return write(archiving, { [files.typesFile]: jsonText(Object.fromEntries(types)) })
  },

  'tags-file': async (archiving) =>
    write(archiving, { [files.tagsFile]: jsonText(await archiving.source.tags()) }),

  'questions-file': async (archiving) =>
    write(archiving, { [files.questionsFile]: jsonText(inOrder(await archiving.source.questions())) }),

  'app-files': async (archiving, app) => {
    const { source } = archiving
    const outline = (await source.outline()).apps.find(({ slug }) => slug === app)
    if (!outline)
      throw new AppError(409, 'changed_meanwhile', { detail: `Meanwhile somebody deleted the app ${app}.` })
    const ordered = (value: unknown) => jsonText(inOrder(value))
    const all: (() => Promise<Record<string, string>>)[] = [
      async () => ({ [files.appFile(app)]: ordered(await source.app(app)) }),
      async () => ({ [files.subscriptionsFile(app)]: ordered(await source.subscriptions(app)) }),
      ...outline.tables.map(({ name }) => async () => ({
        [files.tableFile(app, name)]: ordered(await source.table(app, name)),
      })),
      ...outline.functions.map((slug) => async () => {
        const { code, ...settings } = await source.functionOf(app, slug)
        return {
          [files.functionFile(app, slug)]: ordered(settings),
          ...(code === '' ? {} : { [files.codeFile(app, slug)]: String(code) }),
        }
      }),
    ]
    const from = (archiving.place as number | null) ?? 0
    const texts: Record<string, string> = {}
    for (const one of all.slice(from, from + filesAtOnce)) Object.assign(texts, await one())
    const done = await write(archiving, texts)
    return from + filesAtOnce < all.length ? { ...done, place: from + filesAtOnce } : done
  },

  'records-file': async (archiving, app, table) => {
    const { text, count, place } = await archiving.source.records(app, table, archiving.place)
    const part = await append(archiving, files.recordsFile(app, table), text)
    return { place, counts: { records: count }, statements: { part } }
  },

  'edges-file': async (archiving, app, table) => {
    const { text, count, place } = await archiving.source.edges(app, table, archiving.place)
    if (count === 0) return {}
    const part = await append(archiving, files.edgesFile(app, table), text)
    return { place, counts: { edges: count }, statements: { part } }
  },

  'package-file': async (archiving, app) => {
    const { source } = archiving
    const part = await source.app(app)
    const present = await presentFiles(archiving)
    const models = await withCatalog(archiving.context(), app, 'read', ({ tables }) =>
      planOf({ statements: {}, finish: () => tables }),
    )
    const outline = (await source.outline()).apps.find(({ slug }) => slug === app)
    const resources = []
    const references = []
    for (const { name } of outline?.tables ?? []) {
      const table = await source.table(app, name)
      const model = models.get(name)
      if (isReference(table))
        references.push({
          source_app_slug: table.reference.app,
          source_table_name: table.reference.table,
          reference_name: name,
        })
      else if (model) {
        const packaged: PackagedTable = { ...table, name, isMaterialized: table.materialized, model }
        resources.push(fileOfTable(packaged, 'jsonl', ''))
        if (present.has(files.edgesFile(app, name))) resources.push(fileOfEdges(packaged, 'jsonl'))
      }
    }
    const datasources = Object.entries(part.datasources).map(([slug, one]) => ({ slug, ...one }))
    const text = descriptorText({ ...part, slug: app, datasources, references }, resources)
    return write(archiving, { [files.packageFile(app)]: text })
  },

  'secrets-file': async (archiving) => {
    const { secrets, place } = await archiving.source.secrets(archiving.place)
    const key = await publicKeyOf(archiving)
    const lines = await Promise.all(
      secrets.map(async ({ value, ...head }) => JSON.stringify(await box(key, head, JSON.stringify(value)))),
    )
    const part = await append(archiving, files.secretsFile, lines.map((line) => `${line}\n`).join(''))
    return { place, counts: { secrets: secrets.length }, statements: { part } }
  },

  'function-secrets-file': async (archiving, app, slug) => {
    const secrets = await archiving.source.functionSecrets(app, slug)
    if (!secrets) return {}
    const head = { key: files.functionSecretKey(slug), app, secret_type: '', tags: [] }
    const line = JSON.stringify(await box(await publicKeyOf(archiving), head, JSON.stringify(secrets)))
    return write(archiving, { [files.functionSecretsFile]: `${line}\n` })
  },

  manifest: async (archiving) => {
    const { env, transfer, source } = archiving
    const { all } = await openDatabase(configOf(env)).batch({ all: selectFiles(transfer.id) }, deadlineMs)
    const manifest: files.Manifest = {
      format: 'tessera-site',
      version: 1,
      site: await source.settings(),
      apps: (await source.outline()).apps.map(({ slug }) => slug),
      files: Object.fromEntries(all.all.map(({ path, digests }) => [path, sumOfDigests(digests)])),
    }
    return write(archiving, { [files.manifestFile]: jsonText(manifest) })
  },

  unpack,
  check,
}

async function presentFiles({ env, transfer }: Archiving): Promise<Set<string>> {
  const { all } = await openDatabase(configOf(env)).batch({ all: selectFiles(transfer.id) }, deadlineMs)
  return new Set(all.all.map(({ path }) => path))
}

async function publicKeyOf({ transfer }: Archiving): Promise<CryptoKey> {
  const key = await readKey('public', transfer.options.public_key ?? '')
  if (!key) throw new Error('the public key of a transfer is none')
  return key
}
