/** A grid of records: only the rows on the screen are in the page. Arrow keys move between its cells. */
import { useVirtualizer } from '@tanstack/react-virtual'
import {
  type ClipboardEvent,
  type KeyboardEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react'
import type { Field } from '../../session/queries.ts'
import type { Column, ColumnChanges } from './columns.ts'
import styles from './grid.module.css'
import { GridHead } from './grid-head.tsx'
import { type Place, placeOf, stepOf } from './grid-keys.ts'
import { GridRow } from './grid-row.tsx'
import { type Picked, pickWidth } from './picked.ts'
import type { DataRecord } from './records.ts'

const rowHeight = 32
const headHeight = 34
/** How many rows before the end of the loaded records the next page is requested. */
const ahead = 60

interface GridProps {
  label: string
  /** The visible columns. */
  columns: readonly Column[]
  changes: ColumnChanges
  records: readonly DataRecord[]
  ordering: readonly string[]
  sort(ordering: string[]): void
  /** Loads more records. Undefined at the end, and while records are being loaded. */
  more: (() => void) | undefined
  hasMore: boolean
  /** Returns the editor of a value; undefined for one that cannot be changed. */
  editorOf(record: DataRecord, field: Field, close: () => void): ReactNode
  /** Returns the address of a record, to which the fields in `linked` link. */
  addressOf(record: DataRecord): string
  linked: string | undefined
  /** The parameters of these addresses. */
  linkSearch: object
  /** Opens an address. */
  open(address: string): void
  /** Gets the pasted text, and the records and fields from the focused cell on. */
  paste(text: string, records: readonly DataRecord[], fields: readonly Field[]): void
  /** The selected records. Undefined: nothing can be selected or changed. */
  picked: Picked | undefined
}

export function Grid(props: GridProps) {
  const { label, columns, changes, records, ordering, sort, more, hasMore, editorOf, paste } = props
  const { addressOf, linked, linkSearch, open, picked } = props
  const frame = useRef<HTMLDivElement>(null)
  const [at, setAt] = useState<Place>({ row: 0, column: 0 })
  const [edited, setEdited] = useState<Place>()
  const rows = useVirtualizer({
    count: records.length,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    paddingStart: headHeight,
    scrollPaddingStart: headHeight,
  })
  const items = rows.getVirtualItems()
  const lastShown = items.at(-1)?.index ?? 0
  useEffect(() => {
    if (more && lastShown >= records.length - ahead) more()
  }, [more, lastShown, records.length])

  const focus = useCallback((row: number, column: number) => setAt({ row, column }), [])
  const canEdit = picked !== undefined
  const edit = useCallback(
    (row: number, column: number) => {
      if (canEdit) setEdited({ row, column })
    },
    [canEdit],
  )

  function focusCell(place: Place): void {
    setAt(place)
    if (place.row >= 0) rows.scrollToIndex(place.row)
    requestAnimationFrame(() => {
      const cell = frame.current?.querySelector<HTMLElement>(`[data-place="${placeOf(place)}"]`)
      cell?.focus()
      cell?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    })
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (edited) return
    if ((event.key === 'Enter' || event.key === 'F2') && at.row >= 0) {
      event.preventDefault()
      const record = records[at.row]
      if (record && columns[at.column]?.field.name === linked) open(addressOf(record))
      else edit(at.row, at.column)
      return
    }
    if (event.key === ' ' && picked && records[at.row]) {
      event.preventDefault()
      picked.toggle(records[at.row] as DataRecord)
      return
    }
    const page = Math.max(1, Math.floor((frame.current?.clientHeight ?? 0) / rowHeight) - 2)
    const last = { row: records.length - 1, column: columns.length - 1 }
    const next = stepOf(event, at, page, last)
    if (!next) return
    event.preventDefault()
    focusCell(next)
  }

  function onPaste(event: ClipboardEvent): void {
    if (edited || at.row < 0 || !canEdit) return
    event.preventDefault()
    const fields = columns.slice(at.column).map(({ field }) => field)
    paste(event.clipboardData.getData('text/plain'), records.slice(at.row), fields)
  }

  const close = () => {
    const place = edited
    setEdited(undefined)
    if (place) focusCell(place)
  }

  const { offsets, width } = layoutOf(columns, canEdit ? pickWidth : 0)
  const editedField = edited && columns[edited.column]?.field
  const editedRecord = edited && records[edited.row]
  return (
    <div
      ref={frame}
      role="grid"
      aria-label={label}
      aria-rowcount={hasMore ? -1 : records.length + 1}
      aria-colcount={columns.length + Number(canEdit)}
      aria-multiselectable={canEdit || undefined}
      className={styles.frame}
      onKeyDown={onKeyDown}
      onPaste={onPaste}
    >
      <div role="rowgroup" className={styles.body} style={{ height: rows.getTotalSize(), width }}>
        <GridHead
          columns={columns}
          offsets={offsets}
          ordering={ordering}
          sort={sort}
          changes={changes}
          width={width}
          focused={at.row === -1 ? at.column : undefined}
          focus={(column) => setAt({ row: -1, column })}
          picked={picked}
          records={records}
        />
        {items.map(({ index, start }) => (
          <GridRow
            key={index}
            index={index}
            start={start}
            width={width}
            record={records[index] as DataRecord}
            columns={columns}
            offsets={offsets}
            focused={at.row === index ? at.column : undefined}
            focus={focus}
            edit={edit}
            addressOf={addressOf}
            linked={linked}
            linkSearch={linkSearch}
            isPicked={picked?.has(records[index] as DataRecord)}
            pick={picked?.toggle}
            edited={edited?.row === index ? edited.column : undefined}
            editor={
              edited?.row === index && editedField && editedRecord
                ? editorOf(editedRecord, editedField, close)
                : undefined
            }
          />
        ))}
      </div>
    </div>
  )
}

interface Layout {
  offsets: readonly (number | undefined)[]
  width: number
}

const layouts = new WeakMap<readonly Column[], Layout>()

/**
 * Returns the positions of the pinned columns, and the width of all columns. The same columns return the same
 * arrays. `first`: the width of the part before the columns, which is constant in a grid.
 */
function layoutOf(columns: readonly Column[], first: number): Layout {
  const known = layouts.get(columns)
  if (known) return known
  let width = first
  const offsets = columns.map((column) => {
    const offset = column.isPinned ? width : undefined
    width += column.width
    return offset
  })
  const layout = { offsets, width }
  layouts.set(columns, layout)
  return layout
}
