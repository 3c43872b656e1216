/** The records of a table, as a grid. */
import { Button, Group, Stack, Text } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useCallback, useMemo, useState } from 'react'
import { type Field, type Table, tableQuery } from '../../session/queries.ts'
import { Problem } from '../../shared/problem.tsx'
import { Loading, PageHead } from '../../shared/states.tsx'
import { addressOf } from '../../shell/address.ts'
import { useTexts } from '../../texts/define.ts'
import { useColumns } from './columns.ts'
import { CellEditor } from './editor/cell-editor.tsx'
import { Grid } from './grid.tsx'
import { NoRecords } from './no-records.tsx'
import { pastedRecords } from './paste.ts'
import { PasteDialog, type Pasted } from './paste-dialog.tsx'
import { usePicked } from './picked.ts'
import { RecordActions } from './record-actions.tsx'
import { type DataRecord, keyText, recordsQuery, type Source, tableOf } from './records.ts'
import { asIn, optionsOf, type Selection, useSelection, useSource } from './state.ts'
import { dataTexts } from './texts.ts'
import { Toolbar } from './toolbar.tsx'
import { useUndo } from './undo.tsx'
import { ViewBanner } from './view-banner.tsx'

/** Shows the records. */
export function Page() {
  const source = useSource()
  const { site, app, table, as } = source
  const read = useQuery(tableQuery(site, app, table))
  if (read.error) return <Problem error={read.error} retry={() => void read.refetch()} />
  // Each table has its own columns.
  return read.data ? (
    <Records key={`${site}/${app}/${table} ${as}`} source={source} table={read.data} />
  ) : (
    <Loading />
  )
}

function Records({ source, table }: { source: Source; table: Table }) {
  const texts = useTexts(dataTexts)
  const [selection, change] = useSelection()
  const [columns, changes] = useColumns(source, table.json_schema.fields)
  const picked = usePicked(table.primary_key)
  const isOwn = source.as === undefined
  const [pasted, setPasted] = useState<Pasted>()
  const [pasteError, setPasteError] = useState<unknown>()
  const found = useInfiniteQuery({
    ...recordsQuery(source, selection, isOwn ? searchedFields(table) : []),
    placeholderData: keepPreviousData,
  })
  const records = useMemo(() => found.data?.pages.flatMap(({ data }) => data) ?? [], [found.data])
  const { hasNextPage, isFetching, fetchNextPage, isSuccess } = found
  // When the records are shown as another person sees them, the fields are unknown until a record arrives.
  const first = isOwn ? undefined : records[0]
  const shown = useMemo(
    () => columns.filter(({ isHidden, field }) => !isHidden && (!first || field.name in first)),
    [columns, first],
  )

  const navigate = useNavigate()
  const linkSearch = useMemo(() => asIn(source), [source])
  const addressOfRecord = useCallback(
    (record: DataRecord) =>
      addressOf(source.site, 'data', source.app, source.table, keyText(table.primary_key, record)),
    [source, table],
  )
  const { undo, tellUndoable } = useUndo()
  useHotkeys([['mod+Z', () => void undo()]])
  function paste(text: string, from: readonly DataRecord[], fields: readonly Field[]): void {
    try {
      const pastedChanges = pastedRecords(text, from, fields, table.primary_key)
      setPasteError(undefined)
      setPasted({ changes: pastedChanges, before: from.slice(0, pastedChanges.length) })
    } catch (error) {
      setPasteError(error)
    }
  }
  const isEmpty = isSuccess && records.length === 0
  return (
    <Stack gap="xs">
      <Group justify="space-between" align="baseline">
        <PageHead title={source.table} size="h3" />
        <Status source={source} selection={selection} count={records.length} hasMore={hasNextPage} />
      </Group>
      {source.as === undefined ? null : <ViewBanner site={source.site} as={source.as} />}
      <Toolbar
        source={source}
        table={table}
        selection={selection}
        change={change}
        columns={columns}
        changes={changes}
      />
      {isOwn ? (
        <RecordActions
          source={source}
          table={table}
          picked={picked}
          showsDeleted={selection.deleted}
          showDeleted={(deleted) => change({ deleted })}
        />
      ) : null}
      {found.error ? <Problem error={found.error} retry={() => void found.refetch()} /> : null}
      {pasteError ? <Problem error={pasteError} /> : null}
      {found.isPending ? <Loading /> : null}
      {isEmpty ? <NoRecords selection={selection} /> : null}
      {records.length > 0 ? (
        <Grid
          label={texts.records(source.table)}
          columns={shown}
          changes={changes}
          records={records}
          ordering={selection.ordering}
          sort={(ordering) => change({ ordering })}
          more={hasNextPage && !isFetching ? () => void fetchNextPage() : undefined}
          hasMore={hasNextPage}
          paste={paste}
          linked={table.primary_key[0]}
          linkSearch={linkSearch}
          addressOf={addressOfRecord}
          open={(to) => void navigate({ to, search: linkSearch as never })}
          picked={isOwn ? picked : undefined}
          editorOf={(record, field, close) => (
            <CellEditor
              source={source}
              table={table}
              field={field}
              record={record}
              close={(isChanged) => {
                close()
                if (isChanged) tellUndoable(texts.saved)
              }}
            />
          )}
        />
      ) : null}
      {pasted ? (
        <PasteDialog
          source={source}
          primaryKey={table.primary_key}
          pasted={pasted}
          close={() => setPasted(undefined)}
        />
      ) : null}
      {isOwn ? (
        <Text size="xs" className="muted">
          {texts.keysHint}
        </Text>
      ) : null}
    </Stack>
  )
}

const searchedFields = ({ json_schema: { search_fields = [] } }: Table): string[] =>
  search_fields.map((one) => (typeof one === 'string' ? one : one.field))

interface StatusProps {
  source: Source
  selection: Selection
  count: number
  hasMore: boolean
}

/** The number of loaded records. All records are counted only on request. */
function Status({ source, selection, count, hasMore }: StatusProps) {
  const texts = useTexts(dataTexts)
  const total = useQuery({
    queryKey: [source.site, 'count', source.app, source.table, selection, source.as],
    enabled: false,
    queryFn: ({ signal }) => tableOf(source).list({ ...optionsOf(selection), limit: 0, signal } as object),
  })
  const counted = total.data === undefined ? '' : ` · ${texts.counted(total.data)}`
  return (
    <Group gap="xs">
      <Text size="sm" className="muted" role="status">
        {count > 0 ? (hasMore ? texts.readSoFar : texts.allRead)(count) : ''}
        {counted}
      </Text>
      {hasMore && total.data === undefined ? (
        <Button
          size="compact-xs"
          variant="default"
          loading={total.isFetching}
          onClick={() => void total.refetch()}
        >
          {texts.count}
        </Button>
      ) : null}
      {total.error ? <Problem error={total.error} /> : null}
    </Group>
  )
}
