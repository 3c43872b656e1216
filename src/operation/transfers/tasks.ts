/** The tasks that create a site, or an archive of it, in an order in which they can run. */
import type { AppOutline, Outline, TableOutline } from './source/source.ts'

/** Creates a part of a site. */
export type MakingKind =
  | 'types'
  | 'tags'
  | 'app'
  | 'table'
  | 'secrets'
  | 'records'
  | 'references'
  | 'keys'
  | 'edges'
  | 'rules'
  | 'app-rules'
  | 'function'
  | 'subscriptions'
  | 'questions'
  | 'settings'

/** Writes a part of an archive, or reads one. */
export type ArchiveKind =
  | 'types-file'
  | 'tags-file'
  | 'questions-file'
  | 'app-files'
  | 'records-file'
  | 'edges-file'
  | 'secrets-file'
  | 'function-secrets-file'
  | 'package-file'
  | 'manifest'
  | 'unpack'
  | 'check'

/** A task: its kind, and the names of the part that it concerns. */
export type Task = readonly [kind: MakingKind | ArchiveKind, app?: string, name?: string]

/** The optional parts of a site to include. */
export interface Wanted {
  rows: boolean
  secrets: boolean
}

/** Returns a task for each matching table of each app. */
const each = (
  { apps }: Outline,
  kind: Task[0],
  fits: (table: TableOutline) => boolean = () => true,
): Task[] =>
  apps.flatMap(({ slug, tables }) => tables.filter(fits).map(({ name }): Task => [kind, slug, name]))

/**
 * Returns a task for the records of each table: of tables that reference others first. A record that is
 * created meanwhile together with a record that references it is then read in any case.
 */
function ofRecords({ apps }: Outline, kind: 'records' | 'records-file'): Task[] {
  const tables = new Map(
    apps.flatMap(({ slug, tables }) =>
      tables.filter(hasRecords).map((table) => [`${slug}/${table.name}`, { app: slug, ...table }]),
    ),
  )
  const visited = new Set<string>()
  const tasks: Task[] = []
  function visit(key: string): void {
    const table = tables.get(key)
    if (!table || visited.has(key)) return
    visited.add(key)
    for (const referenced of table.references ?? []) visit(referenced)
    tasks.unshift([kind, table.app, table.name])
  }
  for (const key of [...tables.keys()].toReversed()) visit(key)
  return tasks
}

const ofApps = ({ apps }: Outline, kind: Task[0], fits: (app: AppOutline) => boolean = () => true): Task[] =>
  apps.filter(fits).map(({ slug }): Task => [kind, slug])

const isOwn = ({ isReference }: TableOutline): boolean => !isReference
const hasRecords = ({ isMaterialized }: TableOutline): boolean => isMaterialized

/**
 * Returns the tasks that create a site. Records come before the keys between tables, so that the order of
 * tables does not matter. Functions come last, so that the created records run no function.
 */
export const makingTasks = (outline: Outline, { rows, secrets }: Wanted): Task[] => [
  ['types'],
  ['tags'],
  ...ofApps(outline, 'app'),
  ...each(outline, 'table', hasRecords),
  ...(secrets ? ([['secrets']] as Task[]) : []),
  ...(rows ? ofRecords(outline, 'records') : []),
  ...ofApps(outline, 'references', ({ tables }) => tables.some(({ isReference }) => isReference)),
  ...each(outline, 'keys', isOwn),
  ...(rows ? each(outline, 'edges', hasRecords) : []),
  ...each(outline, 'rules', hasRecords),
  ...ofApps(outline, 'app-rules'),
  ...outline.apps.flatMap(({ slug, functions }) => functions.map((name): Task => ['function', slug, name])),
  ...ofApps(outline, 'subscriptions', ({ functions }) => functions.length > 0),
  ['questions'],
  ['settings'],
]

/** Returns the tasks that write an archive. Edges are read before the records that they connect. */
export const exportTasks = (outline: Outline, { rows, secrets }: Wanted): Task[] => [
  ['types-file'],
  ['tags-file'],
  ['questions-file'],
  ...ofApps(outline, 'app-files'),
  ...(rows ? each(outline, 'edges-file', hasRecords) : []),
  ...(rows ? ofRecords(outline, 'records-file') : []),
  ...(rows ? ofApps(outline, 'package-file') : []),
  ...(secrets ? ([['secrets-file']] as Task[]) : []),
  ...(secrets
    ? outline.apps.flatMap(({ slug, functions }) =>
        functions.map((name): Task => ['function-secrets-file', slug, name]),
      )
    : []),
  ['manifest'],
]
