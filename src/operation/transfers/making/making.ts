/**
 * Creates a site from a source, task by task. A task that is repeated after an interruption skips the work
 * that is already done.
 */

import { appInput } from '../../../data/apps/schema.ts'
import { createApp } from '../../../data/apps/service.ts'
import { datasourceInput } from '../../../data/datasources/schema.ts'
import { createDatasource } from '../../../data/datasources/service.ts'
import { datatableInput } from '../../../data/datatables/schema.ts'
import { createDatatable, importReference } from '../../../data/datatables/service.ts'
import { appRules, rulesOfTables } from '../../../data/model/service.ts'
import { replaceAppAccess, updateDatatable } from '../../../data/schema-changes/service.ts'
import { edgeRequests, requests, runWrite } from '../../../data/write/service.ts'
import { siteChange } from '../../../identity/organizations/sites/schema.ts'
import { changeSite } from '../../../identity/organizations/sites/service.ts'
import type { RequestContext } from '../../../kernel/context.ts'
import type { Batch } from '../../../kernel/db/batch.ts'
import { inTenant } from '../../../kernel/db/tenant.ts'
import type { TransferProgress } from '../../../kernel/db/transfer-check.ts'
import { AppError } from '../../../kernel/errors.ts'
import { subscribe } from '../../../runtime/events/service.ts'
import { newFunctionInput } from '../../../runtime/functions/schema.ts'
import { belongElsewhere, createFunction } from '../../../runtime/functions/service.ts'
import { secretInput } from '../../../secrets/entries/schema.ts'
import { createSecret } from '../../../secrets/entries/service.ts'
import { tagInput } from '../../../secrets/tags/schema.ts'
import { createTag } from '../../../secrets/tags/service.ts'
import { typeInput } from '../../../secrets/types/schema.ts'
import { createType } from '../../../secrets/types/service.ts'
import { dashboardInput, questionInput } from '../../questions/schema.ts'
import { savedDashboards, savedQuestions } from '../../questions/service.ts'
import { settingsFor } from '../source/settings.ts'
import { siteSource } from '../source/site-source.ts'
import { isReference, type Members, type Page, type Source } from '../source/source.ts'
import * as store from '../source/store.ts'
import { partsOf } from '../source/subscribed-function.ts'
import type { MakingKind, Task } from '../tasks.ts'
import { lacking, missingSecrets } from './missing.ts'

/** The data that the tasks use. */
interface Making {
  source: Source
  /** The context of the new site. */
  target: RequestContext
  /** The position at which the task continues. Null: the task starts. */
  place: unknown
  /** Whether secrets are copied. If not, functions get new signing secrets. */
  withSecrets: boolean
  /** Whether the new site acts at once, with the environment of its source. */
  activates: boolean
  /** Sets the progress that is saved together with the next write of records or edges. */
  saveWith(done: Done): void
}

/** The result of a task. */
export interface Done {
  /** The position at which the task continues. Null: the task has ended. */
  place?: unknown
  counts?: TransferProgress['counts']
  /** A note about work that a user has to do afterwards. */
  note?: string
  /** The tasks that replace those after the current task. */
  tasks?: readonly Task[]
  /** A statement that runs in the transaction that saves the progress. */
  statements?: Batch
}

type Make = (making: Making, app: string, name: string) => Promise<Done>

/** The functions that create each kind of part. */
export const makers: Readonly<Record<MakingKind, Make>> = {
  types: async ({ source, target }) => {
    const present = new Set((await siteSource(target).types()).map(({ name }) => name))
    for (const { slug: _, ...type } of (await source.types()).filter(({ name }) => !present.has(name)))
      await createType(target, typeInput.parse({ ...type, type: 'custom' }))
    return {}
  },

  tags: async ({ source, target }) => {
    const present = new Set((await siteSource(target).tags()).map(({ name }) => name))
    for (const { slug: _, ...tag } of (await source.tags()).filter(({ name }) => !present.has(name)))
      await createTag(target, tagInput.parse(tag))
    return {}
  },

  app: async ({ source, target }, app) => {
    const { name, description, datasources } = await source.app(app)
    if (!(await outlineOf(target, app)))
      await createApp(target, appInput.parse({ name, slug: app, description }))
    const present = (await siteSource(target).app(app)).datasources
    for (const [slug, datasource] of Object.entries(datasources))
      if (!Object.hasOwn(present, slug))
        await createDatasource(target, app, datasourceInput.parse({ ...datasource, slug }))
    return {}
  },

  table: async ({ source, target }, app, name) => {
    const part = await source.table(app, name)
    if (!isReference(part) && !(await hasTable(target, app, name)))
      await createDatatable(
        target,
        { app, datasource: part.datasource },
        tableInput(name, part.description, without(part.schema, afterRecords)),
        true,
      )
    return {}
  },

  records: (making, app, table) =>
    writePage(making, 'records', making.source.records(app, table, making.place), (text) =>
      runWrite(making.target, { app, table }, requests.create, {
        body: { text, format: 'ndjson' },
        parameters: minimal,
      }),
    ),

  references: async ({ source, target }, app) => {
    const all = (await source.outline()).apps.find(({ slug }) => slug === app)?.tables ?? []
    for (const { name } of all.filter((table) => table.isReference)) {
      const part = await source.table(app, name)
      if (!isReference(part) || (await hasTable(target, app, name))) continue
      const { reference } = part
      await importReference(target, app, {
        source_app_slug: reference.app,
        source_table_name: reference.table,
        reference_name: name,
      })
    }
    return {}
  },

  keys: async ({ source, target }, app, name) => {
    const part = await source.table(app, name)
    if (isReference(part)) return {}
    const { description, schema, materialized, datasource } = part
    if (materialized) await changeSchema(target, app, name, without(schema, ['access']))
    else if (!(await hasTable(target, app, name)))
      await createDatatable(target, { app, datasource }, tableInput(name, description, schema), false)
    return {}
  },

  edges: (making, app, table) =>
    writePage(making, 'edges', making.source.edges(app, table, making.place), (text) =>
      runWrite(making.target, { app, table }, edgeRequests.create, {
        body: { text: `[${text.trimEnd().replaceAll('\n', ',')}]`, format: 'json' },
        parameters: new URLSearchParams(),
      }),
    ),

  rules: async ({ source, target }, app, name) => {
    const part = await source.table(app, name)
    if (!isReference(part) && part.schema.access !== undefined)
      await changeSchema(target, app, name, part.schema)
    return {}
  },

  'app-rules': async ({ source, target }, app) => {
    const tables = new Set((await outlineOf(target, app))?.tables.map(({ name }) => name))
    const { rules, missing } = rulesOfTables(appRules.parse((await source.app(app)).rules ?? []), (name) =>
      tables.has(name),
    )
    if (rules.length > 0) await replaceAppAccess(target, app, rules, { isDry: false, ifMatch: undefined })
    if (missing.length === 0) return {}
    return { note: `The rules of the app ${app} name tables that are not there: ${missing.join(', ')}.` }
  },

  secrets: async ({ source, target, place }) => {
    const page = await source.secrets(place)
    const { keys, types } = await inTenant(target, 'read', {
      keys: store.selectSecretKeys,
      types: store.selectTypeSlugs,
    })
    const present = new Set(keys.all.map(({ key, app }) => JSON.stringify([key, app])))
    for (const { secret_type, ...secret } of page.secrets)
      if (!present.has(JSON.stringify([secret.key, secret.app])))
        await createSecret(
          target,
          secretInput.parse({ ...secret, secret_type: types.one.slugs[secret_type] ?? secret_type }),
        )
    return { place: page.place, counts: { secrets: page.secrets.length } }
  },

  function: async ({ source, target, withSecrets }, app, slug) => {
    if ((await outlineOf(target, app))?.functions.includes(slug)) return {}
    const settings = await source.functionOf(app, slug)
    if (settings.execution_mode !== 'proxy') {
      const input = newFunctionInput.parse({ ...settings, slug })
      await createFunction(target, app, input)
      const missing = await missingSecrets(target, app, input.secrets)
      return missing.length === 0
        ? {}
        : { note: `The function ${app}/${slug} lacks the secrets ${missing.join(', ')}.` }
    }
    const secrets = withSecrets ? await source.functionSecrets(app, slug) : null
    // The settings in an archive are not encrypted: somebody can have changed the URL.
    const isElsewhere = secrets !== null && belongElsewhere(secrets, String(settings.webhook_url))
    const input = newFunctionInput.parse({
      ...settings,
      slug,
      headers: isElsewhere ? {} : (secrets?.headers ?? {}),
    })
    await createFunction(target, app, input, secrets?.signing_secret)
    if (isElsewhere)
      return {
        note: `The function ${app}/${slug} calls another host than before, and lacks its headers.`,
      }
    if (secrets) return {}
    const names = Object.keys(Object(settings.headers) as Members)
    const headers = names.length > 0 ? `, and lacks the headers ${names.join(', ')}` : ''
    return { note: `The function ${app}/${slug} has a new signing secret${headers}.` }
  },

  subscriptions: async ({ source, target }, app) => {
    const present = new Map(Object.entries(await siteSource(target).subscriptions(app)))
    for (const [event, functions] of Object.entries(await source.subscriptions(app)))
      for (const { slug, tables } of functions.map(partsOf)) {
        if (present.get(event)?.some((one) => partsOf(one).slug === slug)) continue
        const { row } = await inTenant(target, 'read', { row: store.selectFunctionId(app, slug) })
        if (!row.first)
          throw new AppError(422, 'archive_invalid', {
            detail: `There is no function ${app}/${slug} to subscribe.`,
          })
        await subscribe(target, event, { function_id: row.first.id, tables })
      }
    return {}
  },

  questions: async ({ source, target }) => {
    const present = await siteSource(target).questions()
    const { questions, dashboards } = await source.questions()
    for (const one of lacking(questions, present.questions))
      await savedQuestions.create(target, questionInput.parse(one))
    for (const one of lacking(dashboards, present.dashboards))
      await savedDashboards.create(target, dashboardInput.parse(one))
    return {}
  },

  settings: async ({ source, target, activates }) => {
    const change = settingsFor(await source.settings(), activates)
    await changeSite(target, target.tenant.slug ?? '', siteChange.parse(change))
    return {}
  },
}

/**
 * The parts of a table that are created after its records. This is cheaper, and tables may reference each
 * other.
 */
const afterRecords = ['foreignKeys', 'indexes', 'search_fields', 'search_language', 'history', 'access']

const without = (schema: Members, names: readonly string[]): Members =>
  Object.fromEntries(Object.entries(schema).filter(([name]) => !names.includes(name)))

const minimal = new URLSearchParams({ return: 'minimal' })

/**
 * Returns the body that creates a table. Throws ZodError, because an archive may contain values that a
 * request may not.
 */
const tableInput = (name: string, description: string, json_schema: Members) =>
  datatableInput.parse({ name, description, json_schema })

const outlineOf = async (target: RequestContext, app: string) =>
  (await siteSource(target).outline()).apps.find(({ slug }) => slug === app)

const hasTable = async (target: RequestContext, app: string, name: string): Promise<boolean> =>
  (await outlineOf(target, app))?.tables.some((table) => table.name === name) ?? false

const changeSchema = (target: RequestContext, app: string, table: string, json_schema: Members) =>
  updateDatatable(target, { app, table }, { json_schema }, { dry_run: false, allow_data_loss: false })

/**
 * Writes a page of lines. The progress is saved together with the lines; without lines, it is saved
 * afterwards.
 */
async function writePage(
  { saveWith }: Making,
  counted: string,
  read: Promise<Page>,
  write: (text: string) => Promise<unknown>,
): Promise<Done> {
  const { text, count, place } = await read
  const done = { place, counts: { [counted]: count } }
  if (count === 0) return done
  saveWith(done)
  await write(text)
  return done
}
