/** Rows of JSON: objects, or arrays whose labels are in the header. */

import { lengthFault } from '../../../src/kernel/lib/csv.ts'
import { isMembers } from '../descriptor.ts'
import type { Dialect } from '../dialect.ts'
import { headerReader } from './header-reader.ts'
import type { Header, Row } from './row.ts'

/** The options for reading a file. */
export interface JsonForm {
  file: string
  dialect: Dialect
  /** The labels of arrays without a header. */
  names: readonly string[] | undefined
}

/**
 * Creates the function that turns the values of a file into rows, in order. It returns nothing for a header.
 */
export function jsonRowReader({ file, dialect, names }: JsonForm) {
  const headerFor = headerReader(dialect, dialect.itemKeys ?? names)
  let shared: Header | undefined
  return (value: unknown, line: number): Row | undefined => {
    if (isMembers(value)) {
      const labels = Object.keys(value)
      if (!shared || !isSame(shared.labels, labels)) shared = { labels, line, isOfRow: true }
      return { file, line, header: shared, values: Object.values(value) }
    }
    if (!Array.isArray(value)) {
      const fault = 'A row must be an object or an array.'
      return { file, line, header: { labels: [], line }, values: [], fault }
    }
    const header = headerFor(value, line)
    if (!header) return undefined
    const { length } = header.labels
    const row = { file, line, header, values: value }
    return value.length === length ? row : { ...row, fault: lengthFault(value.length, length) }
  }
}

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((label, index) => label === other[index])
