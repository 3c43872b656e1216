/** The content of the picture, and how it is extended. */
import { useCallback, useEffect, useRef, useState } from 'react'
import type { Table } from '../../session/queries.ts'
import type { Source } from '../data/records.ts'
import {
  addAnswer,
  type GraphAnswer,
  isTooLarge,
  keyOf,
  nodesMax,
  nothing,
  type Shown,
  withoutEdge,
} from './nodes.ts'
import { countRecords, readAll, readAround } from './reads.ts'

/** The start of the picture: a record, or all records. */
export interface Start {
  from?: string | undefined
  whole?: boolean | undefined
}

/** Why the picture was not extended: it would have more than it can show smoothly, or there was an error. */
export type Refusal = { kind: 'full'; records?: number } | { kind: 'error'; error: unknown }

/** Loads the start of the picture, and extends it. Only edges of `types` are loaded. */
export function useShown(source: Source, table: Table, types: readonly string[], { from, whole }: Start) {
  const [shown, setShown] = useState<Shown>(nothing)
  const [isReading, setReading] = useState(false)
  const [refusal, setRefusal] = useState<Refusal>()
  const current = useRef(shown)

  const show = useCallback((next: Shown) => {
    current.current = next
    setShown(next)
  }, [])
  /** Adds a response. Returns whether there was room for it. */
  const add = useCallback(
    (answer: GraphAnswer, opened: readonly string[]): boolean => {
      const next = addAnswer(current.current, table, answer, opened)
      const isFull = isTooLarge(next)
      if (isFull) setRefusal({ kind: 'full' })
      else show(next)
      return !isFull
    },
    [table, show],
  )
  /** Runs work that reads, and shows its error. */
  const read = useCallback(async (signal: AbortSignal, work: () => Promise<void>) => {
    setReading(true)
    setRefusal(undefined)
    try {
      await work()
    } catch (error) {
      if (!signal.aborted) setRefusal({ kind: 'error', error })
    } finally {
      if (!signal.aborted) setReading(false)
    }
  }, [])

  const typesRead = useRef(types)
  useEffect(() => {
    typesRead.current = types
  }, [types])
  useEffect(() => {
    const ending = new AbortController()
    const { signal } = ending
    if (whole) {
      void read(signal, async () => {
        const reading = readAll(source, table, signal)
        const count = await Promise.race([
          countRecords(source, signal),
          reading.then(({ nodes }) => nodes.length),
        ])
        if (count > nodesMax) {
          // Aborting ends requests that are still running.
          reading.catch(() => undefined)
          ending.abort()
          setReading(false)
          return setRefusal({ kind: 'full', records: count })
        }
        const answer = await reading
        show(nothing)
        add(
          answer,
          answer.nodes.map((record) => String(record[table.primary_key[0] ?? 'id'])),
        )
      })
    } else if (from !== undefined) {
      void read(signal, async () => {
        const answer = await readAround(source, table, keyOf(table, from), typesRead.current, signal)
        show(nothing)
        add(answer, [from])
      })
    } else show(nothing)
    return () => ending.abort()
  }, [source, table, from, whole, add, read, show])

  return {
    ...{ shown, isReading, refusal, add },
    /** Loads the neighbors of a record. */
    open(key: string): Promise<void> {
      const { signal } = new AbortController()
      return read(signal, async () => {
        const id = current.current.nodes.get(key)?.id ?? keyOf(table, key)
        add(await readAround(source, table, id, typesRead.current, signal), [key])
      })
    },
    /** Removes an edge from the picture. */
    remove: (id: string) => show(withoutEdge(current.current, id)),
  }
}
