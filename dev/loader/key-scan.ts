/** Scans the rows of a file to find out whether a column can be a key. */
import type { Files } from './files.ts'
import { listOf } from './foreign-keys.ts'
import type { Resource } from './package.ts'
import { rowsOf } from './rows/rows.ts'

/** The maximum number of compared values. Beyond it, the service reports duplicates. */
const valuesMax = 250_000

/** Tells whether every row has a value in a column, and no two rows have the same one. */
export async function holdsKeys(files: Files, resource: Resource, label: string): Promise<boolean> {
  const seen = new Set<string>()
  const missing = new Set(['', ...listOf(resource.schema?.missingValues)])
  for await (const { header, values, fault } of rowsOf(files, resource)) {
    if (fault !== undefined) continue
    const value = values[header.labels.indexOf(label)]
    const text = String(value ?? '')
    if (missing.has(text) || seen.has(text)) return false
    if (seen.size < valuesMax) seen.add(text)
  }
  return true
}
