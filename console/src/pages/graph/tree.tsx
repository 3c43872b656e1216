/** A hierarchy as a tree, which is loaded while the user opens it. */
import { Group, Stack, Text } from '@mantine/core'
import { useQueries, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, useRef, useState } from 'react'
import type { Table } from '../../session/queries.ts'
import { Problem } from '../../shared/problem.tsx'
import { Empty, Loading } from '../../shared/states.tsx'
import { addressOf } from '../../shell/address.ts'
import { TextLink } from '../../shell/link.tsx'
import { useTexts } from '../../texts/define.ts'
import type { Source } from '../data/records.ts'
import { keyOf } from './nodes.ts'
import { branchesQuery } from './reads.ts'
import { graphTexts } from './texts.ts'
import styles from './tree.module.css'
import { keyAt, moveOf, rowsOf, type TreeRow } from './tree-rows.ts'

const rowHeight = 32
const indent = 22

interface TreeProps {
  source: Source
  table: Table
  type: string
}

/** Shows the tree of one type of edges. */
export function Tree({ source, table, type }: TreeProps) {
  const texts = useTexts(graphTexts)
  const roots = useQuery(branchesQuery(source, table, type))
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const keys = [...new Set([...open].map(keyAt))]
  const read = useQueries({
    queries: keys.map((key) => branchesQuery(source, table, type, keyOf(table, key))),
  })
  if (roots.error) return <Problem error={roots.error} retry={() => void roots.refetch()} />
  if (!roots.data) return <Loading />
  if (roots.data.length === 0) return <Empty title={texts.noRecords}>{texts.noRecordsText}</Empty>
  const below = new Map(
    keys.map((key, index) => [key, { branches: read[index]?.data, error: read[index]?.error }]),
  )
  const rows = rowsOf(roots.data, open, (key) => below.get(key))
  const change = (path: string, isOpen: boolean) => {
    const next = new Set(open)
    if (isOpen) next.add(path)
    else next.delete(path)
    setOpen(next)
  }
  return <Rows source={source} table={table} rows={rows} change={change} />
}

interface RowsProps extends Pick<TreeProps, 'source' | 'table'> {
  rows: readonly TreeRow[]
  /** Opens or closes the row of a path. */
  change(path: string, isOpen: boolean): void
}

function Rows({ source, table, rows, change }: RowsProps) {
  const texts = useTexts(graphTexts)
  const navigate = useNavigate()
  const frame = useRef<HTMLDivElement>(null)
  const [chosen, setChosen] = useState(rows[0]?.path)
  const at = Math.max(
    0,
    rows.findIndex(({ path }) => path === chosen),
  )
  const row = rows[at] as TreeRow
  const shown = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    overscan: 16,
  })
  const { site, app, table: name } = source
  const address = addressOf(site, 'data', app, name, row.key)

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Enter') {
      event.preventDefault()
      void navigate({ to: address })
      return
    }
    const move = moveOf(event.key, rows, at)
    if (!move) return
    event.preventDefault()
    if ('open' in move) change(move.open, true)
    else if ('close' in move) change(move.close, false)
    else {
      setChosen(rows[move.to]?.path)
      shown.scrollToIndex(move.to)
    }
  }

  const idOf = (index: number) => `branch-${index}`
  return (
    <Stack gap="xs">
      <Group gap="sm">
        <Text size="sm">{texts.chosen(row.branch.label)}</Text>
        <TextLink to={address} size="sm">
          {texts.openRecord}
        </TextLink>
        <TextLink
          to={addressOf(site, 'graph')}
          search={{ app, table: name, view: 'picture', from: row.key } as never}
          size="sm"
        >
          {texts.inPicture}
        </TextLink>
      </Group>
      <div
        ref={frame}
        role="tree"
        aria-label={texts.treeOf(table.name)}
        tabIndex={0}
        aria-activedescendant={idOf(at)}
        className={styles.tree}
        onKeyDown={onKeyDown}
      >
        <div role="none" className={styles.body} style={{ height: shown.getTotalSize() }}>
          {shown.getVirtualItems().map(({ index, start }) => (
            <Row
              key={rows[index]?.path}
              id={idOf(index)}
              row={rows[index] as TreeRow}
              start={start}
              isChosen={index === at}
              choose={() => setChosen(rows[index]?.path)}
              change={change}
            />
          ))}
        </div>
      </div>
    </Stack>
  )
}

interface RowProps extends Pick<RowsProps, 'change'> {
  id: string
  row: TreeRow
  start: number
  isChosen: boolean
  choose(): void
}

function Row({ id, row, start, isChosen, choose, change }: RowProps) {
  const texts = useTexts(graphTexts)
  const { path, key, branch, level, isOpen, hasMore, isLoading, error } = row
  const click = () => {
    choose()
    if (hasMore) change(path, !isOpen)
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the tree has the focus and takes the keys
    <div
      id={id}
      role="treeitem"
      aria-level={level}
      aria-setsize={row.siblings}
      aria-posinset={row.position}
      aria-selected={isChosen}
      {...(hasMore ? { 'aria-expanded': isOpen } : {})}
      className={styles.row}
      style={{ transform: `translateY(${start}px)`, paddingLeft: 6 + (level - 1) * indent }}
      onClick={click}
    >
      <span aria-hidden className={`${styles.mark} ${isOpen && hasMore ? styles.opened : ''}`}>
        {hasMore ? '›' : ''}
      </span>
      <span className={styles.label}>{branch.label}</span>
      {branch.label === key ? null : <span className="muted">{key}</span>}
      {isLoading ? <span className="muted">{texts.reading}</span> : null}
      {error ? <span role="alert">{error instanceof Error ? error.message : String(error)}</span> : null}
    </div>
  )
}
