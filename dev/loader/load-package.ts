/**
 * Loads an opened package into an app: checks all of it first, then creates the tables and sends the rows.
 */

import { exportedMember } from '../../src/operation/transfers/archive/package.ts'
import { type Later, laterOf, setMarks, setReferences, withoutLater } from './afterwards.ts'
import { type BadRows, badRowsFile } from './bad-rows.ts'
import { type Checked, checkTables } from './check.ts'
import { confirm } from './confirm.ts'
import { isMembers, type Members } from './descriptor.ts'
import { countEdges, type Edges, loadEdges } from './edges.ts'
import { loadTable } from './load-table.ts'
import { makeTables } from './make-tables.ts'
import { inForeignKeyOrder, type OrderedTable } from './order.ts'
import { clearCount, say, showCount, showProgress } from './progress.ts'
import { Refusal } from './refusal.ts'
import { inferredText, notesText } from './report.ts'
import { countRecords, type Service } from './service.ts'
import type { Opened } from './source.ts'
import { type LoadState, type StateFile, stateFile } from './state.ts'
import type { Table } from './table.ts'
import { asExisting, clashesOf, createTables, deleteTables, type Found, type Mode } from './target.ts'

/** The options from the command line. */
export interface LoadOptions {
  app: string
  mode: Mode
  resume: boolean
  dryRun: boolean
  yes: boolean
  /** The file of the rows that are left out; undefined if a bad row ends the load. */
  badRows: string | undefined
  /** A description of the load, for the state of an interrupted load. */
  path: string
}

/** A package whose tables are prepared and checked. */
interface Plan {
  opened: Opened
  found: Found
  tables: readonly OrderedTable[]
  edges: readonly Edges[]
  /** The tables that already exist in the app. */
  clashes: readonly Table[]
  rows: ReadonlyMap<string, number>
  options: LoadOptions
  state: StateFile
}

/**
 * Loads a package. Returns lines that describe the result. Throws a Refusal, before anything is written if
 * possible.
 */
export async function loadPackage(opened: Opened, found: Found, options: LoadOptions): Promise<string[]> {
  const { service } = found
  const state = stateFile(new URL(service.api, service.client.base).href, service.app, options.path)
  if (state.state && !options.resume && options.mode !== 'replace' && !options.dryRun)
    throw new Refusal(
      'An earlier load of this package into this app was interrupted. ' +
        'Add --resume to continue it, or --replace to start again.',
    )
  const isResumed = options.resume && state.state !== undefined
  const mode: Mode = isResumed ? 'append' : options.mode
  const { tables, edges, clashes } = await prepare(opened, found, mode)
  const checked = await checkTables(
    opened.files,
    [...tables, ...edges.map(({ table }) => table)],
    ({ name }, count) => showCount(name, count),
  )
  clearCount()
  refuseFaults(checked, options)
  const plan: Plan = {
    opened,
    found,
    tables: inForeignKeyOrder(tables),
    edges,
    clashes,
    rows: checked.rows,
    options,
    state,
  }
  if (options.dryRun) return dryRunText(plan, checked)
  await askFirst(plan, mode)
  return run(plan, mode, isResumed)
}

/** Throws a Refusal if a table cannot be read, or if there are bad rows that may not be left out. */
function refuseFaults({ fatal, faults }: Checked, { badRows }: LoadOptions): void {
  const isRefused = badRows === undefined && faults.count > 0
  if (fatal.length === 0 && !isRefused) return
  const advice = fatal.length === 0 ? ' To skip such rows, add --continue' : ''
  const listed = isRefused ? [faults.text()] : []
  throw new Refusal([...fatal, ...listed, `Nothing was written.${advice}`].join('\n'))
}

/** Returns lines that describe what a load would do. */
function dryRunText({ tables, rows, found }: Plan, { badRows, faults }: Checked): string[] {
  const total = tables.reduce((sum, { table }) => sum + (rows.get(table.name) ?? 0), 0)
  const into = `into ${tablesText(tables.length)} of the app "${found.service.app}"`
  const left = badRows > 0 ? ` ${rowsText(badRows)} would be left out.` : ''
  return [
    `${rowsText(total)} would be loaded ${into}.${left} Nothing was written.`,
    ...(faults.count > 0 ? [faults.text()] : []),
  ]
}

const rowsText = (count: number): string => `${count.toLocaleString('en')} ${count === 1 ? 'row' : 'rows'}`
const tablesText = (count: number): string => `${count} ${count === 1 ? 'table' : 'tables'}`

/** Prepares the tables, and reports changes. */
async function prepare(opened: Opened, found: Found, mode: Mode) {
  const made = await makeTables(opened.files, opened.data, opened.data.resources, ({ name }, count) =>
    showCount(name, count),
  )
  clearCount()
  for (const line of notesText(made.notes)) say(line)
  const edgesOf = (table: Table) => table.resource.members['x-edges']
  const isEdges = (table: Table) =>
    opened.data.members[exportedMember] !== undefined && typeof edgesOf(table) === 'string'
  const named = made.tables.filter((table) => !isEdges(table))
  const clashes = clashesOf(found, named, mode)
  const tables = await Promise.all(
    named.map((table) => (mode === 'append' && clashes.includes(table) ? asExisting(found, table) : table)),
  )
  for (const table of tables.filter(({ inferred }) => inferred)) say(inferredText(table).join('\n'))
  const edges = made.tables.filter(isEdges).map((table) => ({ of: String(edgesOf(table)), table }))
  return { tables, edges, clashes }
}

/** Asks before it creates tables with inferred fields, and before it deletes records. */
async function askFirst({ tables, clashes, options, found }: Plan, mode: Mode): Promise<void> {
  if (tables.some(({ table }) => table.inferred) && mode !== 'append')
    await confirm('Create the tables with these fields?', options.yes)
  if (mode !== 'replace' || clashes.length === 0) return
  const names = clashes.map(({ name }) => name).join(', ')
  await confirm(
    `Delete ${names} of the app ${found.service.app} with all records? They can be restored for some days.`,
    options.yes,
  )
}

/** Writes the tables, their rows, the edges, and the values to set at the end. */
async function run(plan: Plan, mode: Mode, isResumed: boolean): Promise<string[]> {
  const { opened, found, tables, clashes, options, state } = plan
  const bad = options.badRows === undefined ? undefined : badRowsFile(options.badRows, isResumed)
  if (mode === 'replace') await deleteTables(found, clashes)
  const present = new Set(mode === 'append' ? clashes.map(({ name }) => name) : [])
  const missing = tables.map(({ table }) => table).filter(({ name }) => !present.has(name))
  const { members } = opened.data
  const listOf = (value: unknown): Members[] => (Array.isArray(value) ? value.filter(isMembers) : [])
  const parts = {
    datasources: listOf(members['x-datasources']),
    references: listOf(members['x-references']).filter(
      (one) => !found.tables.has(String(one.reference_name)),
    ),
  }
  if (missing.length > 0) await createTables(found, appOf(members, options.app), parts, missing)
  const progress: LoadState = (isResumed ? state.state : undefined) ?? { tables: {}, done: [] }
  const total = await sendAll(plan, progress, bad)
  state.remove()
  const slug = found.service.app
  return [
    `Loaded ${rowsText(total)} into ${tablesText(tables.length)} of the app "${slug}".`,
    ...(bad && bad.count > 0
      ? [`${rowsText(bad.count)} with faults ${bad.count === 1 ? 'is' : 'are'} in ${bad.file}.`]
      : []),
  ]
}

/** Sends the rows of all tables, then the edges, then the values to set at the end. */
async function sendAll(plan: Plan, progress: LoadState, bad: BadRows | undefined): Promise<number> {
  const { opened, found, tables, edges, rows, state } = plan
  const { service } = found
  const save = () => state.save(progress)
  const once = async (step: string, action: () => Promise<unknown>) => {
    if (progress.done.includes(step)) return
    await action()
    progress.done.push(step)
    save()
  }
  const all = tables.map(({ table }) => table)
  let total = 0
  const later: [Table, Later][] = []
  for (const ordered of tables.filter(({ table }) => table.isMaterialized)) {
    const { table } = ordered
    const wanted = rows.get(table.name) ?? 0
    const left = laterOf(ordered, all, wanted)
    later.push([table, left])
    const before = progress.tables[table.name]?.before ?? (await countOf(service, table))
    const tableState = progress.tables[table.name] ?? { before, read: 0, stored: 0 }
    progress.tables[table.name] = tableState
    showProgress(table.name, tableState.stored, wanted)
    const stored = await loadTable(ordered, {
      service,
      files: opened.files,
      state: tableState,
      save,
      bad,
      onProgress: (count) => showProgress(table.name, count, wanted),
      prepare: (record) => withoutLater(record, left),
    })
    if (stored < wanted) showProgress(table.name, stored, stored)
    total += stored
  }
  for (const [table, left] of later.filter(([, { references }]) => references.length > 0))
    await once(`references of ${table.name}`, () => setReferences(service, opened.files, table, left))
  for (const one of edges)
    await once(`edges of ${one.of}`, async () => {
      const name = `edges of ${one.of}`
      const wanted = rows.get(one.table.name) ?? 0
      const skipped = await countEdges(service, one.of)
      await loadEdges(service, opened.files, one, skipped, (done) => showProgress(name, done, wanted))
    })
  for (const [table] of later.filter(([, { marks }]) => marks))
    await once(`marks of ${table.name}`, () => setMarks(service, opened.files, table))
  return total
}

const countOf = (service: Service, table: Table): Promise<number> =>
  countRecords(service, table.name, table.model.softDelete !== undefined)

/** Returns the app to create, described as the package is. */
function appOf(members: Members, name: string): { name: string; description: string } {
  const { description } = members
  return { name, description: typeof description === 'string' ? description.slice(0, 2000) : '' }
}
