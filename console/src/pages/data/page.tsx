/** The records of a table, as a grid. */
import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useCallback, useMemo, useState } from 'react'
import { type Field, type Table, tableQuery } from '../../session/queries.ts'
import { Problem } from '../../shared/problem.tsx'
import { Loading } from '../../shared/states.tsx'
import { useTell } from '../../shared/tell.ts'
import { addressOf } from '../../shell/address.ts'
import { useTexts } from '../../texts/define.ts'
import { useColumns } from './columns.ts'
import { CellEditor } from './editor/cell-editor.tsx'
import { Grid } from './grid.tsx'
import { NoRecords } from './no-records.tsx'
import { pastedRecords } from './paste.ts'
import { PasteDialog, type Pasted } from './paste-dialog.tsx'
import { type DataRecord, keyText, recordsQuery, type Source, tableOf } from './records.ts'
import { optionsOf, type Selection, useSelection } from './state.ts'
import { dataTexts } from './texts.ts'
import { Toolbar } from './toolbar.tsx'
import { undoLast } from './write.ts'

/** The notification of the last change. */
const savedId = 'saved'

/** Shows the records. */
export function Page() {
  const { site, app, table } = useParams({ strict: false }) as Source
  const source = useMemo(() => ({ site, app, table }), [site, app, table])
  const read = useQuery(tableQuery(site, app, table))
  if (read.error) return <Problem error={read.error} retry={() => void read.refetch()} />
  // Another table has columns of its own.
  return read.data ? (
    <Records key={`${site}/${app}/${table}`} source={source} table={read.data} />
  ) : (
    <Loading />
  )
}

function Records({ source, table }: { source: Source; table: Table }) {
  const texts = useTexts(dataTexts)
  const [selection, change] = useSelection()
  const [columns, changes] = useColumns(source, table.json_schema.fields)
  const shown = useMemo(() => columns.filter(({ isHidden }) => !isHidden), [columns])
  const [pasted, setPasted] = useState<Pasted>()
  const [pasteError, setPasteError] = useState<unknown>()
  const found = useInfiniteQuery({
    ...recordsQuery(source, selection, searchedFields(table)),
    placeholderData: keepPreviousData,
  })
  const records = useMemo(() => found.data?.pages.flatMap(({ data }) => data) ?? [], [found.data])
  const { hasNextPage, isFetching, fetchNextPage, isSuccess } = found

  const navigate = useNavigate()
  const addressOfRecord = useCallback(
    (record: DataRecord) =>
      addressOf(source.site, 'data', source.app, source.table, keyText(table.primary_key, record)),
    [source, table],
  )
  const tell = useTell()
  async function undo(): Promise<void> {
    notifications.hide(savedId)
    try {
      if (await undoLast()) tell(texts.undone)
    } catch (error) {
      tell(error instanceof Error ? error.message : String(error), { isError: true })
    }
  }
  useHotkeys([['mod+Z', () => void undo()]])
  function paste(text: string, from: readonly DataRecord[], fields: readonly Field[]): void {
    try {
      const pastedChanges = pastedRecords(text, from, fields, table.primary_key)
      setPasteError(undefined)
      setPasted({ changes: pastedChanges, before: from.slice(0, pastedChanges.length) })
    } catch {
      setPasteError(new Error(texts.notJson))
    }
  }
  function showSaved(): void {
    tell(
      <Group justify="space-between">
        {texts.saved}
        <Button size="compact-sm" variant="default" onClick={() => void undo()}>
          {texts.undo}
        </Button>
      </Group>,
      { id: savedId },
    )
  }

  const isEmpty = isSuccess && records.length === 0
  return (
    <Stack gap="xs">
      <Group justify="space-between" align="baseline">
        <Title order={1} size="h3">
          {source.table}
        </Title>
        <Status source={source} selection={selection} count={records.length} hasMore={hasNextPage} />
      </Group>
      <Toolbar
        source={source}
        table={table}
        selection={selection}
        change={change}
        columns={columns}
        changes={changes}
      />
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
          addressOf={addressOfRecord}
          open={(to) => void navigate({ to })}
          editorOf={(record, field, close) => (
            <CellEditor
              source={source}
              table={table}
              field={field}
              record={record}
              close={(isChanged) => {
                close()
                if (isChanged) showSaved()
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
      <Text size="xs" className="muted">
        {texts.keysHint}
      </Text>
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

/** How many records were read. All are counted only when somebody asks. */
function Status({ source, selection, count, hasMore }: StatusProps) {
  const texts = useTexts(dataTexts)
  const total = useQuery({
    queryKey: [source.site, 'count', source.app, source.table, selection],
    enabled: false,
    queryFn: ({ signal }) => tableOf(source).count({ ...optionsOf(selection), signal } as object),
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
