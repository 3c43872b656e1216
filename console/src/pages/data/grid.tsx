/** A grid of records: only the rows on the screen are in the page. Arrow keys move between its cells. */
import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import type { Field } from '../../session/queries.ts'
import { cellText } from './cell-text.ts'
import styles from './grid.module.css'
import type { DataRecord } from './records.ts'

const rowHeight = 32
const columnWidth = 170
/** How many rows before the end of what was read the next page is asked for. */
const ahead = 40

interface GridProps {
  label: string
  fields: readonly Field[]
  records: readonly DataRecord[]
  /** Asks for more records. Undefined at the end, and while some are on their way. */
  more: (() => void) | undefined
}

interface Place {
  row: number
  column: number
}

/** The steps of the keys that move between cells. A page has as many rows as the screen shows. */
const steps: Readonly<Record<string, (at: Place, page: number, last: Place) => Place>> = {
  ArrowDown: (at) => ({ ...at, row: at.row + 1 }),
  ArrowUp: (at) => ({ ...at, row: at.row - 1 }),
  ArrowRight: (at) => ({ ...at, column: at.column + 1 }),
  ArrowLeft: (at) => ({ ...at, column: at.column - 1 }),
  PageDown: (at, page) => ({ ...at, row: at.row + page }),
  PageUp: (at, page) => ({ ...at, row: at.row - page }),
  Home: (at) => ({ ...at, column: 0 }),
  End: (at, _, last) => ({ ...at, column: last.column }),
}

const isNumber = ({ type }: Field): boolean => type === 'integer' || type === 'number'

/** Shows the grid. */
export function Grid({ label, fields, records, more }: GridProps) {
  const frame = useRef<HTMLDivElement>(null)
  const [focus, setFocus] = useState<Place>({ row: 0, column: 0 })
  const rows = useVirtualizer({
    count: records.length,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    paddingStart: 34,
    scrollPaddingStart: 34,
  })
  const items = rows.getVirtualItems()
  const lastShown = items.at(-1)?.index ?? 0
  useEffect(() => {
    if (more && lastShown >= records.length - ahead) more()
  }, [more, lastShown, records.length])

  function move(event: KeyboardEvent): void {
    const step = steps[event.key]
    if (!step || event.altKey || event.metaKey) return
    event.preventDefault()
    const page = Math.max(1, Math.floor((frame.current?.clientHeight ?? 0) / rowHeight) - 2)
    const last = { row: records.length - 1, column: fields.length - 1 }
    const next = step(focus, page, last)
    const to = {
      row: Math.min(Math.max(next.row, 0), last.row),
      column: Math.min(Math.max(next.column, 0), last.column),
    }
    setFocus(to)
    rows.scrollToIndex(to.row)
    requestAnimationFrame(() => {
      const cell = frame.current?.querySelector<HTMLElement>(`[data-place="${to.row} ${to.column}"]`)
      cell?.focus()
    })
  }

  const width = fields.length * columnWidth
  return (
    <div
      ref={frame}
      role="grid"
      aria-label={label}
      aria-rowcount={more ? -1 : records.length + 1}
      aria-colcount={fields.length}
      className={styles.frame}
      onKeyDown={move}
    >
      <div role="rowgroup" style={{ height: rows.getTotalSize(), width, position: 'relative' }}>
        <div role="row" className={styles.head} style={{ width }} aria-rowindex={1}>
          {fields.map((field) => (
            <div
              key={field.name}
              role="columnheader"
              className={`${styles.cell} ${isNumber(field) ? styles.number : ''}`}
              style={{ width: columnWidth }}
              title={field.title ?? field.name}
            >
              {field.name}
            </div>
          ))}
        </div>
        {items.map(({ index, start }) => (
          <div
            key={index}
            role="row"
            aria-rowindex={index + 2}
            className={styles.row}
            style={{ transform: `translateY(${start}px)`, width }}
          >
            {fields.map((field, column) => (
              <div
                key={field.name}
                role="gridcell"
                tabIndex={focus.row === index && focus.column === column ? 0 : -1}
                data-place={`${index} ${column}`}
                className={`${styles.cell} ${isNumber(field) ? styles.number : ''}`}
                style={{ width: columnWidth }}
                onFocus={() => setFocus({ row: index, column })}
              >
                {cellText(records[index]?.[field.name])}
              </div>
            ))}
          </div>
        ))}
      </div>
    </div>
  )
}
