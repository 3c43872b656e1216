/** Carries out a plan, part by part. Each request is atomic; the plan as a whole is not. */
import { type Client, TesseraError } from '../../../client/src/index.ts'
import { canonicalJson } from '../../../src/kernel/lib/canonical-json.ts'
import { isReference, type Members, type OwnTable } from '../../../src/operation/transfers/source/source.ts'
import {
  partsOf,
  type SubscribedFunction,
} from '../../../src/operation/transfers/source/subscribed-function.ts'
import type { Difference } from './compare.ts'
import { creationOf, packagesOf } from './packages.ts'
import { hashOf, type Parts } from './parts.ts'
import { type ListedRole, rolesPath, type ServiceApp } from './read-service.ts'
import { type ChangeAnswer, untilChanged } from './running-change.ts'

/** The data for applying a plan. */
interface Applying {
  client: Client
  app: string
  files: Parts
  service: ServiceApp | undefined
  /** The site whose roles are replaced. */
  site: string | undefined
  differences: readonly Difference[]
  /** Called after each successful request, with the parts that it has changed, in the form of the files. */
  onApplied(parts: readonly Difference[]): void
  /** Gets the signing secret of a new function that calls a server. The service shows it once. */
  onSigningSecret(slug: string, secret: string): void
  /** Whether values of records may be lost. */
  allowsLoss: boolean
  /** Gets the progress of a change of a large table. */
  onProgress(text: string): void
}

/** A request of the plan. */
interface Work {
  parts: readonly Difference[]
  run(): Promise<void>
}

/** Applies the differences. Throws the error of the first request that fails. */
export async function applyChanges(applying: Applying): Promise<void> {
  const { differences } = applying
  const of = (kind: Difference['kind'], ...actions: Difference['action'][]) =>
    differences.filter((one) => one.kind === kind && actions.includes(one.action))
  const each = (some: readonly Difference[], run: (one: Difference) => Promise<void>): Work[] =>
    some.map((one) => ({ parts: [one], run: () => run(one) }))
  const together = (some: readonly Difference[], run: (all: readonly Difference[]) => Promise<void>) =>
    some.length === 0 ? [] : [{ parts: some, run: () => run(some) }]
  const inOrder = async (works: readonly Work[]) => {
    for (const { parts, run } of works) {
      await run()
      applying.onApplied(parts)
    }
  }
  await inOrder(each(of('app', 'create', 'change'), (one) => applyApp(applying, one)))
  await inOrder(each(of('secret type', 'create', 'change'), (one) => applySecretType(applying, one)))
  await inOrder(together(of('role', 'create', 'change'), (some) => applyRoles(applying, some)))
  // Subscriptions of deleted functions are removed with the functions; those of other functions are removed
  // before.
  await inOrder(each(of('function', 'create', 'change'), (one) => applyFunction(applying, one)))
  await untilDone(tableWorks(applying, of('table', 'create', 'change', 'delete')), applying)
  await inOrder(each(of('access rules', 'create', 'change', 'delete'), () => applyRules(applying)))
  await inOrder(together(of('role', 'delete'), (some) => applyRoles(applying, some)))
  await inOrder(each(of('subscriptions', 'create', 'change', 'delete'), () => applySubscriptions(applying)))
  await inOrder(each(of('function', 'delete'), (one) => deleteAt(applying, `functions/${one.name}/`)))
  await inOrder(
    each(of('secret type', 'delete'), async ({ name }) => {
      await applying.client.request({
        method: 'DELETE',
        path: `/api/secret-types/${encodeURIComponent(name)}/`,
      })
    }),
  )
}

const appPath = (app: string): string => `/api/apps/${encodeURIComponent(app)}/`

const deleteAt = ({ client, app }: Applying, path: string): Promise<void> =>
  client.request({ method: 'DELETE', path: `${appPath(app)}${path}` })

/**
 * Performs steps on tables. If the service rejects a step, tries it again after the others, because tables
 * reference each other. When no more steps succeed, throws the first error.
 */
async function untilDone(works: readonly Work[], applying: Applying): Promise<void> {
  let left = works
  while (left.length > 0) {
    const refused: Work[] = []
    let first: unknown
    for (const work of left) {
      try {
        await work.run()
        applying.onApplied(work.parts)
      } catch (error) {
        if (!(error instanceof TesseraError) || ![400, 409, 422].includes(error.status)) throw error
        first ??= error
        refused.push(work)
      }
    }
    if (refused.length === left.length) {
      await deleteTogether(refused, applying, first)
      return
    }
    left = refused
  }
}

/**
 * Deletes tables that reference each other in a cycle. Throws the error of the service if other tables would
 * also be deleted.
 */
async function deleteTogether(works: readonly Work[], applying: Applying, refusal: unknown): Promise<void> {
  const parts = works.flatMap((work) => work.parts)
  const names = parts.map(({ name }) => name)
  const [name] = names
  if (name === undefined || parts.some(({ action }) => action !== 'delete')) throw refusal
  const path = `${appPath(applying.app)}datatables/${name}/`
  const { datatables } = await applying.client.request<{ datatables: string[] }>({
    method: 'DELETE',
    path,
    query: { cascade: true, dry_run: true },
  })
  if (datatables.some((one) => !names.includes(one))) throw refusal
  await applying.client.request({ method: 'DELETE', path, query: { cascade: true } })
  applying.onApplied(parts.filter((part) => datatables.includes(part.name)))
  await untilDone(
    works.filter((work) => work.parts.some((part) => !datatables.includes(part.name))),
    applying,
  )
}

function tableWorks(applying: Applying, differences: readonly Difference[]): Work[] {
  const { client, app, files, service } = applying
  const created = differences.filter(({ action }) => action === 'create')
  const references = created.flatMap((one) => {
    const table = files.tables.get(one.name)
    return table && isReference(table) ? [{ one, ...table.reference }] : []
  })
  return [
    ...references.map(({ one, app: source, table }) => ({
      parts: [one],
      run: () =>
        client.request<void>({
          method: 'POST',
          path: `${appPath(app)}datatables/import-reference/`,
          body: { source_app_slug: source, source_table_name: table, reference_name: one.name },
        }),
    })),
    ...packagesOf(files, created).map((one) => ({
      parts: created.filter(({ name }) => one.names.includes(name)),
      run: () => client.request<void>(creationOf(app, files, one, service?.parts, false)),
    })),
    ...differences
      .filter(({ action }) => action === 'change')
      .map((one) => ({ parts: [one], run: () => alterTable(applying, one.name) })),
    ...differences
      .filter(({ action }) => action === 'delete')
      .map((one) => ({ parts: [one], run: () => deleteAt(applying, `datatables/${one.name}/`) })),
  ]
}

async function alterTable(
  { client, app, files, service, allowsLoss, onProgress }: Applying,
  name: string,
): Promise<void> {
  const { description, schema, materialized } = files.tables.get(name) as OwnTable
  const before = service?.parts.tables.get(name)
  const hash = service?.schemaHashes.get(name)
  const path = `${appPath(app)}datatables/${name}/`
  const answer = await client.request<ChangeAnswer>({
    method: 'PATCH',
    path,
    query: { allow_data_loss: allowsLoss || undefined },
    body: { description, json_schema: schema },
    headers: hash === undefined ? {} : { 'if-match': `"${hash}"` },
  })
  await untilChanged(client, path, answer, (text) => onProgress(`${name}: ${text}`))
  if (before && !isReference(before) && materialized && !before.materialized)
    await client.request({ method: 'POST', path: `${path}materialize/` })
}

/**
 * Creates or changes the app and its datasources: new ones, and those with another name or description. If
 * the service refuses a datasource of a new app, the app is there all the same.
 */
async function applyApp(
  { client, app, files, service, onApplied }: Applying,
  part: Difference,
): Promise<void> {
  const { name, description, datasources } = files.app
  const found = service?.parts.app
  if (found === undefined)
    await client.request({ method: 'POST', path: '/api/apps/', body: { name, slug: app, description } })
  else if (found.name !== name || found.description !== description)
    await client.request({ method: 'PATCH', path: appPath(app), body: { name, description } })
  try {
    for (const [slug, settings] of Object.entries(datasources)) {
      const before = found?.datasources[slug]
      const path = `${appPath(app)}datasources/`
      if (before === undefined) await client.request({ method: 'POST', path, body: { ...settings, slug } })
      else if (hashOf(before) !== hashOf(settings))
        await client.request({ method: 'PATCH', path: `${path}${slug}/`, body: settings })
    }
  } catch (error) {
    if (found === undefined) onApplied([part])
    throw error
  }
}

/** Replaces the access rules of the app. */
const applyRules = ({ client, app, files }: Applying): Promise<void> =>
  client.request({ method: 'PUT', path: `${appPath(app)}access/`, body: { rules: files.app.rules ?? [] } })

/** Adds, changes or removes roles of the site. Others stay as they are now. */
async function applyRoles(
  { client, files, site = '' }: Applying,
  some: readonly Difference[],
): Promise<void> {
  const path = rolesPath(site)
  const present = await client.request<ListedRole[]>({ path, query: { page_size: 100 } })
  const names = new Set(some.map(({ name }) => name))
  const changed = [...names].flatMap((name) => {
    const role = files.roles.get(name)
    return role ? [{ ...role, name }] : []
  })
  const body = [...present.filter(({ name }) => !names.has(name)), ...changed]
  await client.request({ method: 'PUT', path, body })
}

async function applySecretType(
  { client, files }: Applying,
  { name: slug, action }: Difference,
): Promise<void> {
  const body = files.secretTypes.get(slug)
  const path = '/api/secret-types/'
  if (action === 'create') await client.request({ method: 'POST', path, body })
  else await client.request({ method: 'PUT', path: `${path}${encodeURIComponent(slug)}/`, body })
}

async function applyFunction(applying: Applying, { name: slug, action }: Difference): Promise<void> {
  const { client, app, files } = applying
  const one = files.functions.get(slug)
  const body = { ...one?.settings, code: one?.code ?? '' }
  const path = `${appPath(app)}functions/`
  if (action === 'change')
    return client.request({ method: 'PATCH', path: `${path}${encodeURIComponent(slug)}/`, body })
  const { signing_secret: secret } = await client.request<{ signing_secret?: string }>({
    method: 'POST',
    path,
    body: { ...body, slug },
  })
  if (secret !== undefined) applying.onSigningSecret(slug, secret)
}

/** Returns the subscriptions that others lack. */
const lacking = (
  some: readonly SubscribedFunction[] = [],
  others: readonly SubscribedFunction[] = [],
): SubscribedFunction[] => {
  const known = new Set(others.map(canonicalJson))
  return some.filter((one) => !known.has(canonicalJson(one)))
}

/** Ends removed subscriptions, and adds new ones: a changed one is both. */
async function applySubscriptions({ client, app, files, service }: Applying): Promise<void> {
  const before = service?.parts.subscriptions ?? {}
  const after = files.subscriptions
  for (const event of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [ended, added] = [lacking(before[event], after[event]), lacking(after[event], before[event])]
    for (const { slug } of ended.map(partsOf)) {
      const id = service?.functionIds.get(slug)
      if (id !== undefined) await client.events.unsubscribe(event, id)
    }
    for (const { slug, tables } of added.map(partsOf)) {
      const { id } = await client.request<Members & { id: number }>({
        path: `${appPath(app)}functions/${encodeURIComponent(slug)}/`,
      })
      await client.events.subscribe(event, id, { tables })
    }
  }
}
