/** The visible rows of a tree: records, and the children of open ones. */
import type { Branch } from './reads.ts'

/** The known children of a record. */
export interface Below {
  branches: readonly Branch[] | undefined
  error: unknown
}

/** A row: a record, or a placeholder for its children. */
export interface TreeRow {
  /** The keys from the root to the record. A record with several parents has several paths. */
  path: string
  key: string
  branch: Branch
  level: number
  /** Its position among its siblings, from 1. */
  position: number
  siblings: number
  isOpen: boolean
  /** Whether it can be opened. */
  hasMore: boolean
  isLoading: boolean
  error: unknown
}

const separator = '\u0000'

/** Returns the path of a record below another path. */
const pathOf = (parent: string, key: string): string => (parent === '' ? key : `${parent}${separator}${key}`)

/** Returns the path of the parent; undefined for a root. */
function parentOf(path: string): string | undefined {
  const end = path.lastIndexOf(separator)
  return end === -1 ? undefined : path.slice(0, end)
}

/** Returns the key of the record at a path. */
export const keyAt = (path: string): string => path.slice(path.lastIndexOf(separator) + 1)

/** Returns the rows. `below` returns the known children of a key. */
export function rowsOf(
  roots: readonly Branch[],
  open: ReadonlySet<string>,
  below: (key: string) => Below | undefined,
): TreeRow[] {
  const rows: TreeRow[] = []
  function add(branches: readonly Branch[], parent: string, level: number): void {
    branches.forEach((branch, index) => {
      const key = String(branch.id)
      const path = pathOf(parent, key)
      const isOpen = open.has(path)
      const found = isOpen ? below(key) : undefined
      const children = found?.branches
      rows.push({
        ...{ path, key, branch, level, isOpen },
        position: index + 1,
        siblings: branches.length,
        hasMore: children ? children.length > 0 : branch.hasMore,
        isLoading: isOpen && !children && !found?.error,
        error: found?.error,
      })
      if (children) add(children, path, level + 1)
    })
  }
  add(roots, '', 1)
  return rows
}

/** The actions of keys in the tree. */
export type TreeMove = { to: number } | { open: string } | { close: string }

/**
 * Returns the action of a key at a row, as the ARIA pattern for trees defines it; undefined for other keys.
 */
export function moveOf(key: string, rows: readonly TreeRow[], at: number): TreeMove | undefined {
  const row = rows[at]
  const to = (index: number) => ({ to: Math.min(Math.max(index, 0), rows.length - 1) })
  if (!row) return undefined
  if (key === 'ArrowDown') return to(at + 1)
  if (key === 'ArrowUp') return to(at - 1)
  if (key === 'Home') return to(0)
  if (key === 'End') return to(rows.length - 1)
  if (key === 'ArrowRight') return row.isOpen || !row.hasMore ? to(at + 1) : { open: row.path }
  if (key !== 'ArrowLeft') return undefined
  if (row.isOpen && row.hasMore) return { close: row.path }
  const parent = parentOf(row.path)
  return to(rows.findIndex(({ path }) => path === parent))
}
