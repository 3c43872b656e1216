/** A row of the grid. It is rendered again only if one of its properties has changed. */
import { memo, type ReactNode } from 'react'
import { TextLink } from '../../shell/link.tsx'
import { useTexts } from '../../texts/define.ts'
import { cellText } from './cell-text.ts'
import type { Column } from './columns.ts'
import styles from './grid.module.css'
import { placeOf } from './grid-keys.ts'
import { Highlighted } from './highlighted.tsx'
import type { DataRecord } from './records.ts'
import { dataTexts } from './texts.ts'
import { isNumeric } from './values.ts'

interface RowProps {
  index: number
  /** The distance from the top of the grid, in pixels. */
  start: number
  width: number
  record: DataRecord
  columns: readonly Column[]
  offsets: readonly (number | undefined)[]
  /** The column of the cell that has the focus of the grid. */
  focused: number | undefined
  focus(row: number, column: number): void
  edit(row: number, column: number): void
  /** The column of the cell that is being edited, and its editor. */
  edited: number | undefined
  editor: ReactNode
  /** The address of the record; the cells of the fields in `linked` link to it. */
  addressOf(record: DataRecord): string
  linked: string | undefined
  linkSearch: object
  /** Whether the record is selected, and the function to select it. Undefined: nothing can be selected. */
  isPicked: boolean | undefined
  pick: ((record: DataRecord) => void) | undefined
}

export const GridRow = memo(function GridRow({
  index,
  start,
  width,
  record,
  columns,
  offsets,
  focused,
  focus,
  edit,
  edited,
  editor,
  addressOf,
  linked,
  linkSearch,
  isPicked,
  pick,
}: RowProps) {
  const texts = useTexts(dataTexts)
  const before = pick ? 2 : 1
  const marks = record._highlight as Readonly<Record<string, string>> | undefined
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isPicked}
      className={`${styles.row} ${record.is_deleted === true ? styles.deleted : ''}`}
      style={{ transform: `translateY(${start}px)`, width }}
    >
      {pick ? (
        <div role="gridcell" aria-colindex={1} className={`${styles.pick} ${styles.pinned}`}>
          <input
            type="checkbox"
            tabIndex={-1}
            aria-label={texts.select(cellText(linked === undefined ? index + 1 : record[linked]))}
            checked={isPicked ?? false}
            onChange={() => pick(record)}
          />
        </div>
      ) : null}
      {columns.map(({ field, width: own, isPinned }, column) => (
        <div
          key={field.name}
          role="gridcell"
          aria-colindex={column + before}
          tabIndex={focused === column ? 0 : -1}
          data-place={placeOf({ row: index, column })}
          className={`${styles.cell} ${isNumeric(field) ? styles.number : ''} ${isPinned ? styles.pinned : ''}`}
          style={{ width: own, left: offsets[column] }}
          onFocus={() => focus(index, column)}
          onDoubleClick={() => edit(index, column)}
        >
          <Content
            text={cellText(record[field.name])}
            marked={marks?.[field.name]}
            to={field.name === linked ? addressOf(record) : undefined}
            search={linkSearch}
          />
          {edited === column ? editor : null}
        </div>
      ))}
    </div>
  )
})

interface ContentProps {
  text: string
  /** The text with the marks of a search. */
  marked: string | undefined
  to: string | undefined
  search: object
}

function Content({ text, marked, to, search }: ContentProps) {
  if (to !== undefined)
    return (
      <TextLink to={to} search={search as never} tabIndex={-1} inherit>
        {text}
      </TextLink>
    )
  return marked ? <Highlighted text={marked} /> : text
}
