/** Reads the parts of a site from an unpacked archive. */
import * as z from 'zod'
import { unseal } from '../../../kernel/access/derived-keys.ts'
import { openDatabase } from '../../../kernel/db/client.ts'
import { configOf, type Env } from '../../../kernel/env.ts'
import { AppError } from '../../../kernel/errors.ts'
import { readJsonVerbatim } from '../../../kernel/lib/exact-json.ts'
import { parseStrictly } from '../../../kernel/lib/parse-json.ts'
import { slugPattern, slugRule } from '../../../kernel/lib/slug-rule.ts'
import {
  type FunctionSecrets,
  isReference,
  type Page,
  type PlainSecret,
  type SavedParts,
  type Source,
} from '../source/source.ts'
import { isSubscribedFunction, type SubscribedFunction } from '../source/subscribed-function.ts'
import type { ClaimedTransfer } from '../store.ts'
import * as files from './manifest.ts'
import { selectFiles, selectPart, textOfPart } from './parts.ts'
import { type BoxedSecret, notDecrypted, readKey, unbox } from './secret-box.ts'

const deadlineMs = 60_000
/** The most bytes of a file that is read as a whole. */
const wholeMax = 16 * 1024 * 1024

type Held = Pick<ClaimedTransfer, 'id' | 'sealed'>

const members = z.record(z.string(), z.unknown())
const texts = z.array(z.string())
const subscribed = z.custom<SubscribedFunction>(isSubscribedFunction)
const manifestForm = z.object({
  format: z.literal('tessera-site'),
  version: z.literal(1),
  site: members,
  apps: z
    .array(z.string().regex(slugPattern, slugRule))
    .refine((apps) => new Set(apps).size === apps.length, 'An app is named twice.'),
  files: z.record(z.string(), z.string()),
})
const appForm = z.object({
  name: z.string(),
  description: z.string().default(''),
  datasources: z.record(z.string(), members).default({}),
  rules: z.array(members).optional(),
})
const tableForm = z.union([
  z.object({ reference: z.object({ app: z.string(), table: z.string() }) }),
  z.object({
    description: z.string().default(''),
    datasource: z.string().default('main'),
    materialized: z.boolean().default(true),
    schema: members,
  }),
])
const boxedForm = z.object({
  key: z.string(),
  app: z.string().nullable(),
  secret_type: z.string(),
  tags: texts,
  wrapped: z.string(),
  iv: z.string(),
  value: z.string(),
})
const savedForm = z.object({ questions: z.array(members), dashboards: z.array(members) })
/** The saved parts of an archive without that file. */
const noneSaved: SavedParts = { questions: [], dashboards: [] }
const functionSecretsForm = z.object({
  signing_secret: z.string(),
  headers: z.record(z.string(), z.string()),
  origin: z.string(),
})

/** Reads the description of an archive. Throws 422 if there is none, or if it has another version. */
export async function readManifest(env: Env, transfer: Held): Promise<files.Manifest> {
  const text = await reader(env, transfer).whole(files.manifestFile)
  if (text === undefined)
    throw new AppError(422, 'archive_invalid', {
      detail: `The archive has no ${files.manifestFile}: it is not an archive of a site.`,
    })
  return parsed(files.manifestFile, manifestForm, text)
}

/** Reads JSON. Throws a 422 that does not quote it, because it may be a secret. */
function jsonIn(path: string, text: string, read?: (text: string) => unknown): unknown {
  try {
    return parseStrictly(text, read)
  } catch {
    throw new AppError(422, 'archive_invalid', {
      detail: `${path} in the archive is not JSON, or has a name twice in one object.`,
    })
  }
}

/** Reads JSON and checks it against a schema. Throws 422 if it does not match. */
function parsed<Schema extends z.ZodType>(path: string, schema: Schema, text: string): z.output<Schema> {
  const result = schema.safeParse(jsonIn(path, text))
  if (result.success) return result.data
  const [issue] = result.error.issues
  throw new AppError(422, 'archive_invalid', {
    detail: `${path} in the archive: ${issue?.path.join('.')}: ${issue?.message}`,
  })
}

/** Returns functions that read the stored files of a transfer. */
function reader(env: Env, { id }: Held) {
  const database = openDatabase(configOf(env))
  /** Returns a part of a file; undefined if the file has no part with this number. */
  async function part(path: string, number: number): Promise<string | undefined> {
    const { row } = await database.batch({ row: selectPart(id, path, number) }, deadlineMs)
    return row.first === undefined ? undefined : textOfPart(row.first.data ?? '')
  }
  return {
    part,
    /** Returns a whole file; undefined if there is none. */
    async whole(path: string): Promise<string | undefined> {
      let text: string | undefined
      for (let number = 0; ; number++) {
        const next = await part(path, number)
        if (next === undefined) return text
        text = (text ?? '') + next
        if (text.length > wholeMax)
          throw new AppError(422, 'archive_invalid', { detail: `${path} in the archive is too large.` })
      }
    },
    files: async () => (await database.batch({ all: selectFiles(id) }, deadlineMs)).all.all,
  }
}

/** Returns the names of the files with JSON, by folder. */
function namesByFolder(all: readonly { path: string }[]): Map<string, string[]> {
  const names = new Map<string, string[]>()
  for (const { path } of all) {
    const [, folder, name] = /^(.+)\/([\w-]+)\.json$/.exec(path) ?? []
    if (folder === undefined || name === undefined) continue
    const others = names.get(folder)
    if (others) others.push(name)
    else names.set(folder, [name])
  }
  return names
}

/** Throws 422 for an archive that is damaged, too large, or has values that cannot be decrypted. */
export function archiveSource(env: Env, transfer: Held): Source {
  const { part, whole, files: listFiles } = reader(env, transfer)
  const read = async <Schema extends z.ZodType>(path: string, schema: Schema): Promise<z.output<Schema>> =>
    parsed(path, schema, (await whole(path)) ?? 'null')
  const page = async (path: string, place: unknown): Promise<Page> => {
    const number = (place as number | null) ?? 0
    const text = (await part(path, number)) ?? ''
    const lines = text.split('\n').filter((line) => line !== '')
    return {
      text: lines.map((line) => `${line}\n`).join(''),
      count: lines.length,
      place: (await part(path, number + 1)) === undefined ? null : number + 1,
    }
  }
  let key: Promise<CryptoKey> | undefined
  const open = async (line: string): Promise<{ boxed: BoxedSecret; text: string }> => {
    key ??= privateKeyOf(env, transfer)
    const boxed = parsed(files.secretsFile, boxedForm, line)
    const text = await unbox(await key, boxed)
    if (text === undefined) throw new AppError(422, 'decryption_failed', { detail: notDecrypted(boxed) })
    return { boxed, text }
  }
  const source: Source = {
    settings: async () => (await readManifest(env, transfer)).site,
    async outline() {
      const { apps } = await readManifest(env, transfer)
      const names = namesByFolder(await listFiles())
      const outlines = []
      for (const slug of apps) {
        const tables = []
        for (const name of names.get(`apps/${slug}/tables`) ?? []) {
          const table = await source.table(slug, name)
          const isOther = isReference(table)
          tables.push({ name, isReference: isOther, isMaterialized: !isOther && table.materialized })
        }
        outlines.push({ slug, tables, functions: names.get(`apps/${slug}/functions`) ?? [] })
      }
      return { apps: outlines }
    },
    types: async () => Object.values(await read(files.typesFile, z.record(z.string(), members))),
    tags: () => read(files.tagsFile, z.array(members)),
    questions: async () => (await read(files.questionsFile, savedForm.nullable())) ?? noneSaved,
    app: (app) => read(files.appFile(app), appForm),
    table: (app, table) => read(files.tableFile(app, table), tableForm),
    functionOf: async (app, slug) => ({
      ...(await read(files.functionFile(app, slug), members)),
      code: (await whole(files.codeFile(app, slug))) ?? '',
    }),
    subscriptions: (app) => read(files.subscriptionsFile(app), z.record(z.string(), z.array(subscribed))),
    records: (app, table, place) => page(files.recordsFile(app, table), place),
    edges: (app, table, place) => page(files.edgesFile(app, table), place),
    async secrets(place) {
      const { text, place: next } = await page(files.secretsFile, place)
      const secrets: PlainSecret[] = []
      for (const line of text.split('\n').filter(Boolean)) {
        const { boxed, text: value } = await open(line)
        const { key: name, app, secret_type, tags } = boxed
        secrets.push({
          key: name,
          app,
          secret_type,
          tags,
          value: jsonIn(files.secretsFile, value, readJsonVerbatim),
        })
      }
      return { secrets, place: next }
    },
    async functionSecrets(app, slug): Promise<FunctionSecrets | null> {
      const wanted = files.functionSecretKey(slug)
      for (const line of ((await whole(files.functionSecretsFile)) ?? '').split('\n').filter(Boolean)) {
        // Parsing every line again for each function would take too long.
        if (!line.includes(wanted)) continue
        const head = parsed(files.functionSecretsFile, boxedForm, line)
        if (head.app === app && head.key === wanted)
          return parsed(files.functionSecretsFile, functionSecretsForm, (await open(line)).text)
      }
      return null
    },
  }
  return source
}

async function privateKeyOf(env: Env, { id, sealed }: Held): Promise<CryptoKey> {
  const pem = await unseal(configOf(env), 'transfers', [id], sealed ?? '')
  const key = pem === undefined ? undefined : await readKey('private', pem)
  if (!key)
    throw new AppError(422, 'decryption_failed', {
      detail: 'The private key can no longer be read. Begin again.',
    })
  return key
}
