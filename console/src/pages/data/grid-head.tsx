/** The titles of the columns: a click sorts, the edge changes the width. */
import { type KeyboardEvent, type PointerEvent, useRef } from 'react'
import { useTexts } from '../../texts/define.ts'
import type { Column, ColumnChanges } from './columns.ts'
import { widthStep } from './columns.ts'
import styles from './grid.module.css'
import { placeOf } from './grid-keys.ts'
import type { Picked } from './picked.ts'
import type { DataRecord } from './records.ts'
import { nextOrdering } from './state.ts'
import { dataTexts } from './texts.ts'
import { isNumeric } from './values.ts'

interface HeadProps {
  columns: readonly Column[]
  /** The distance of each pinned column from the left edge, in pixels. */
  offsets: readonly (number | undefined)[]
  ordering: readonly string[]
  sort(ordering: string[]): void
  changes: ColumnChanges
  width: number
  /** The column whose title has the focus of the grid. */
  focused: number | undefined
  focus(column: number): void
  picked: Picked | undefined
  /** The loaded records. */
  records: readonly DataRecord[]
}

const signs = { ascending: ' ↑', descending: ' ↓', none: '' } as const

/** Shows the titles. */
export function GridHead(props: HeadProps) {
  const { columns, offsets, ordering, sort, changes, width, focused, focus, picked, records } = props
  const texts = useTexts(dataTexts)
  const before = picked ? 2 : 1
  return (
    <div role="row" className={styles.head} style={{ width }} aria-rowindex={1}>
      {picked ? (
        <div role="gridcell" aria-colindex={1} className={`${styles.pick} ${styles.pinned}`}>
          <input
            type="checkbox"
            aria-label={texts.selectAll}
            checked={records.length > 0 && records.every((record) => picked.has(record))}
            onChange={() => picked.toggleAll(records)}
          />
        </div>
      ) : null}
      {columns.map(({ field: { name, title, ...field }, width: own, isPinned }, index) => {
        const direction = directionOf(name, ordering)
        const place = ordering.findIndex((one) => one.replace(/^-/, '') === name)
        return (
          <div
            key={name}
            role="columnheader"
            aria-sort={direction}
            aria-colindex={index + before}
            className={`${styles.title} ${isPinned ? styles.pinned : ''}`}
            style={{ width: own, left: offsets[index] }}
          >
            <button
              type="button"
              className={`${styles.sort} ${isNumeric({ name, ...field }) ? styles.number : ''}`}
              tabIndex={focused === index ? 0 : -1}
              data-place={placeOf({ row: -1, column: index })}
              title={title ?? texts.sortHint}
              onFocus={() => focus(index)}
              onClick={(event) => sort(nextOrdering(ordering, name, event.shiftKey))}
              onKeyDown={(event) => resizeByKey(event, own, (to) => changes.resize(name, to))}
            >
              {name}
              {signs[direction]}
              {direction !== 'none' && ordering.length > 1 ? place + 1 : ''}
            </button>
            <Handle width={own} resize={(to) => changes.resize(name, to)} />
          </div>
        )
      })}
    </div>
  )
}

function directionOf(name: string, ordering: readonly string[]): keyof typeof signs {
  if (ordering.includes(name)) return 'ascending'
  return ordering.includes(`-${name}`) ? 'descending' : 'none'
}

/** Alt with an arrow key changes the width of a column. */
function resizeByKey(event: KeyboardEvent, width: number, resize: (width: number) => void): void {
  const steps: Readonly<Record<string, number>> = { ArrowRight: widthStep, ArrowLeft: -widthStep }
  const step = steps[event.key]
  if (!event.altKey || step === undefined) return
  event.preventDefault()
  resize(width + step)
}

function Handle({ width, resize }: { width: number; resize(width: number): void }) {
  const begun = useRef<{ x: number; width: number } | undefined>(undefined)
  return (
    <div
      className={styles.handle}
      aria-hidden
      onPointerDown={(event: PointerEvent<HTMLDivElement>) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        begun.current = { x: event.clientX, width }
      }}
      onPointerMove={(event) => {
        if (begun.current) resize(begun.current.width + event.clientX - begun.current.x)
      }}
      onPointerUp={() => {
        begun.current = undefined
      }}
    />
  )
}
