/** Reads the parts of a site from the site itself. */

import { materializedTable, planOf, withCatalog } from '../../../data/catalog/service.ts'
import { selectEdges, withGraph } from '../../../data/edges/service.ts'
import type { Position } from '../../../data/records/service.ts'
import { isReadInParts, readStreamPage } from '../../../data/records/service.ts'
import { readLogoFile } from '../../../identity/organizations/sites/branding/service.ts'
import { readSite } from '../../../identity/organizations/sites/service.ts'
import type { RequestContext } from '../../../kernel/context.ts'
import { answerBytesMax } from '../../../kernel/db/answer-bytes.ts'
import type { Rows } from '../../../kernel/db/batch.ts'
import { DatabaseFailure, sqlstates } from '../../../kernel/db/failures.ts'
import type { Sql } from '../../../kernel/db/sql.ts'
import { inTenant } from '../../../kernel/db/tenant.ts'
import { AppError } from '../../../kernel/errors.ts'
import { readJsonVerbatim } from '../../../kernel/lib/exact-json.ts'
import { readFunction, readFunctionSecrets } from '../../../runtime/functions/service.ts'
import { secretsQuery } from '../../../secrets/entries/schema.ts'
import { listSecrets } from '../../../secrets/entries/service.ts'
import { pageBytes, pageRows } from '../limits.ts'
import { functionSettings } from './function-settings.ts'
import { logoText, siteSettings } from './settings.ts'
import type { Members, Page, PlainSecret, Source } from './source.ts'
import * as store from './store.ts'

const edgesPerPage = 1_000
const secretsPerPage = 50

export function siteSource(ctx: RequestContext): Source {
  async function one<Row>(statement: Sql<Row>): Promise<Row> {
    const { rows } = await inTenant(ctx, 'read', { rows: statement })
    return existing(rows)
  }
  return {
    outline: async () => (await one(store.selectOutline)).outline,
    settings: async () => {
      const site = await readSite(ctx, ctx.tenant.slug ?? '')
      const logo = await readLogoText(ctx, site.branding.logo)
      const all: Members = { ...site, branding: { ...site.branding, logo } }
      return Object.fromEntries(['name', 'slug', ...siteSettings].map((name) => [name, all[name]]))
    },
    types: async () => (await one(store.selectTypes)).types,
    tags: async () => (await one(store.selectTags)).tags,
    questions: async () => (await one(store.selectQuestions)).saved,
    app: async (app) => {
      const { rules, ...part } = (await one(store.selectApp(app))).app
      return rules ? { ...part, rules } : part
    },
    table: async (app, table) => (await one(store.selectTable(app, table))).part,
    functionOf: async (app, slug) => {
      const found: Members = await readFunction(ctx, app, slug)
      return { ...functionSettings(found), code: found.code ?? '' }
    },
    subscriptions: async (app) => (await one(store.selectSubscriptions(app))).subscriptions,
    records: (app, table, place) => readRecords(ctx, { app, table }, place as RecordsPlace | null),
    edges: (app, table, place) => readEdges(ctx, { app, table }, (place as number | null) ?? 0),
    secrets: (place) => readSecretsPage(ctx, place as SecretsPlace | null),
    functionSecrets: (app, slug) => readFunctionSecrets(ctx, app, slug),
  }
}

/** Reads the logo at a path of the site. Null: there is none. */
async function readLogoText(ctx: RequestContext, path: string | null): Promise<string | null> {
  const hash = path?.split('/').at(-2)
  if (hash === undefined) return null
  const { type, bytes } = await readLogoFile(ctx, hash)
  return logoText(type, bytes)
}

/** Returns the row of an object that existed when the transfer started. */
function existing<Row>(rows: Rows<Row>): Row {
  if (rows.first === undefined)
    throw new AppError(409, 'changed_meanwhile', {
      detail: 'The site was changed in the meantime. Start again.',
    })
  return rows.first
}

interface TableAddress {
  app: string
  table: string
}

interface RecordsPlace {
  after: Position
  rows: number
}

/** Reads a page of records. If the page is too long, or takes too long, it is read in parts. */
async function readRecords(
  ctx: RequestContext,
  path: TableAddress,
  place: RecordsPlace | null,
): Promise<Page> {
  const softDelete = await withCatalog(ctx, path.app, 'read', (catalog) =>
    planOf({ statements: {}, finish: () => materializedTable(catalog, path).softDelete !== undefined }),
  )
  const parameters = new URLSearchParams(softDelete ? { include_deleted: 'true' } : {})
  const question = { path, parameters, form: 'ndjson' as const, position: undefined, isPage: false }
  for (let rows = place?.rows ?? pageRows; ; rows = Math.ceil(rows / 4)) {
    const bytesMax = rows === 1 ? answerBytesMax : 4 * pageBytes
    const page = await readStreamPage(ctx, question, {
      rows,
      read: 0,
      after: place?.after,
      bytesMax,
    }).catch((error: unknown) => {
      if (isReadInParts(error, rows)) return undefined
      if (error instanceof DatabaseFailure && error.sqlstate === sqlstates.answerTooLong)
        throw new AppError(422, 'answer_too_large', {
          detail: `A record of ${path.table} is too large.`,
        })
      throw error
    })
    if (page === undefined) continue
    const text = page.text === '' || page.text.endsWith('\n') ? page.text : `${page.text}\n`
    const fitting = Math.floor((rows * pageBytes) / Math.max(1, text.length))
    const next = Math.max(1, Math.min(fitting, rows * 4, pageRows))
    return {
      text,
      count: linesIn(text),
      place: page.after === undefined ? null : { after: page.after, rows: next },
    }
  }
}

function linesIn(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count++
  return count
}

/** Reads a page of edges. A table without a graph has none. */
async function readEdges(ctx: RequestContext, path: TableAddress, offset: number): Promise<Page> {
  const edges = await withCatalog(ctx, path.app, 'read', (catalog) => {
    const table = materializedTable(catalog, path)
    const any = { from: undefined, to: undefined, types: undefined }
    const range = { limit: edgesPerPage, offset, parameter: 'offset' as const }
    return planOf({
      statements: { page: table.graph ? selectEdges(withGraph(table), any, range, false) : undefined },
      finish: ({ page }) => (page.first ? (readJsonVerbatim(page.first.data) as Members[]) : []),
    })
  })
  const lines = edges.map(
    ({ from_id, to_id, type, metadata }) => `${JSON.stringify({ from_id, to_id, type, metadata })}\n`,
  )
  return {
    text: lines.join(''),
    count: lines.length,
    place: lines.length < edgesPerPage ? null : offset + lines.length,
  }
}

/** Reads a page of the secrets of one level: the site or an app. */
interface SecretsPlace {
  app: string | null
  page: number
}

/** Reads the values of some secrets. Each read is recorded, like every other read. */
async function readSecretsPage(ctx: RequestContext, place: SecretsPlace | null) {
  const { app, page } = place ?? { app: null, page: 1 }
  const query = secretsQuery.parse({
    page: String(page),
    page_size: String(secretsPerPage),
    ...(app === null ? {} : { app }),
  })
  const { items, next } = await listSecrets(ctx, 'http://localhost/', query)
  const secrets = items.map(
    ({ key, secret_type, tags, value }): PlainSecret => ({ key, app, secret_type, tags, value }),
  )
  if (next !== null) return { secrets, place: { app, page: page + 1 } }
  const { rows } = await inTenant(ctx, 'read', { rows: store.selectOutline })
  const apps = existing(rows)
    .outline.apps.map(({ slug }) => slug)
    .toSorted()
  const following = apps.find((slug) => app === null || slug > app)
  return { secrets, place: following === undefined ? null : { app: following, page: 1 } }
}
