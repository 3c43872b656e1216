/**
 * The columns of a grid: their selection, order and widths, and which ones are pinned. The browser stores
 * them.
 */
import { useState } from 'react'
import type { Field } from '../../session/queries.ts'
import { readKept, writeKept } from '../../shared/kept.ts'
import type { Source } from './records.ts'
import { isNumeric } from './values.ts'

/** A column of the grid. */
export interface Column {
  field: Field
  /** The width in pixels. */
  width: number
  isPinned: boolean
  isHidden: boolean
}

/** The stored column settings of a table, by the names of its fields. */
interface Kept {
  order: string[]
  hidden: string[]
  pinned: string[]
  widths: Record<string, number>
}

const nothing: Kept = { order: [], hidden: [], pinned: [], widths: {} }
const widthMin = 60
const widthMax = 900

/** The step by which keys change a width, in pixels. */
export const widthStep = 20

const usualWidths: Readonly<Record<string, number>> = { boolean: 120, datetime: 230, date: 130 }

const usualWidth = (field: Field): number => usualWidths[field.type] ?? (isNumeric(field) ? 120 : 190)

/** Puts the pinned columns first, and otherwise keeps the order of the user; new fields come last. */
function columnsOf(fields: readonly Field[], { order, hidden, pinned, widths }: Kept): Column[] {
  const place = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length)
  return fields
    .map((field) => ({
      field,
      width: widths[field.name] ?? usualWidth(field),
      isPinned: pinned.includes(field.name),
      isHidden: hidden.includes(field.name),
    }))
    .toSorted((a, b) => Number(b.isPinned) - Number(a.isPinned) || place(a.field.name) - place(b.field.name))
}

/** The functions that change columns. */
export interface ColumnChanges {
  resize(name: string, width: number): void
  hide(name: string, isHidden: boolean): void
  pin(name: string, isPinned: boolean): void
  /** Moves a column by some places; a negative number moves it to the front. */
  move(name: string, by: number): void
  reset(): void
}

const withOrWithout = (names: readonly string[], name: string, isIn: boolean): string[] => [
  ...names.filter((one) => one !== name),
  ...(isIn ? [name] : []),
]

/** Returns all columns of a table, including hidden ones, and the functions that change them. */
export function useColumns(
  { site, app, table }: Source,
  fields: readonly Field[],
): [Column[], ColumnChanges] {
  const name = `columns:${site}/${app}/${table}`
  const [kept, setKept] = useState<Kept>(() => ({ ...nothing, ...(readKept(name) as Partial<Kept>) }))
  const columns = columnsOf(fields, kept)
  const change = (part: Partial<Kept>) => {
    const next = { ...kept, ...part }
    writeKept(name, next)
    setKept(next)
  }
  return [
    columns,
    {
      resize: (field, width) =>
        change({ widths: { ...kept.widths, [field]: Math.min(Math.max(width, widthMin), widthMax) } }),
      hide: (field, isHidden) => change({ hidden: withOrWithout(kept.hidden, field, isHidden) }),
      pin: (field, isPinned) => change({ pinned: withOrWithout(kept.pinned, field, isPinned) }),
      move(field, by) {
        const order = columns.map((column) => column.field.name)
        const from = order.indexOf(field)
        const to = Math.min(Math.max(from + by, 0), order.length - 1)
        order.splice(to, 0, ...order.splice(from, 1))
        change({ order })
      },
      reset: () => change(nothing),
    },
  ]
}
