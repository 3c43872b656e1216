/** The selected records of a grid. */
import { useCallback, useMemo, useState } from 'react'
import { type DataRecord, keyText } from './records.ts'

/** The width of the selection column, in pixels. */
export const pickWidth = 40

/** The selected records, and the functions that change the selection. */
export interface Picked {
  records: readonly DataRecord[]
  has(record: DataRecord): boolean
  toggle(record: DataRecord): void
  /** Selects all records; none if all are already selected. */
  toggleAll(records: readonly DataRecord[]): void
  clear(): void
}

/** Returns the selection of a grid, which is lost when the page is left. */
export function usePicked(primaryKey: readonly string[]): Picked {
  const [picked, setPicked] = useState<ReadonlyMap<string, DataRecord>>(new Map())
  const keyOf = useCallback((record: DataRecord) => keyText(primaryKey, record), [primaryKey])
  const toggle = useCallback(
    (record: DataRecord) =>
      setPicked((before) => {
        const after = new Map(before)
        if (!after.delete(keyOf(record))) after.set(keyOf(record), record)
        return after
      }),
    [keyOf],
  )
  return useMemo(
    () => ({
      records: [...picked.values()],
      has: (record) => picked.has(keyOf(record)),
      toggle,
      toggleAll(records) {
        const areAll = records.every((record) => picked.has(keyOf(record)))
        setPicked(areAll ? new Map() : new Map(records.map((record) => [keyOf(record), record])))
      },
      clear: () => setPicked(new Map()),
    }),
    [picked, keyOf, toggle],
  )
}
