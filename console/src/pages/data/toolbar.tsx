/** The bar above a grid: the search, the filters, and actions on all records. */
import { Button, Group, TextInput } from '@mantine/core'
import { type FormEvent, useEffect, useState } from 'react'
import type { Table } from '../../session/queries.ts'
import { Dialog as ActionDialog } from '../../shared/dialog.tsx'
import { useTexts } from '../../texts/define.ts'
import { SeeAs } from '../access/see-as.tsx'
import { accessTexts } from '../access/texts.ts'
import { BulkDialog } from './bulk-dialog.tsx'
import type { Column, ColumnChanges } from './columns.ts'
import { ColumnsDialog } from './columns-dialog.tsx'
import { ExportMenu } from './export-menu.tsx'
import { FilterBar } from './filter-bar.tsx'
import type { Source } from './records.ts'
import { ShareDialog } from './share-dialog.tsx'
import type { Selection } from './state.ts'
import { dataTexts } from './texts.ts'

interface ToolbarProps {
  source: Source
  table: Table
  selection: Selection
  change(part: Partial<Selection>): void
  columns: readonly Column[]
  changes: ColumnChanges
}

type Dialog = 'columns' | 'share' | 'bulk' | 'see'

/** Shows the bar. */
export function Toolbar({ source, table, selection, change, columns, changes }: ToolbarProps) {
  const texts = useTexts(dataTexts)
  const access = useTexts(accessTexts)
  const [dialog, setDialog] = useState<Dialog>()
  const close = () => setDialog(undefined)
  const buttons: readonly [Dialog, string][] = [
    ['columns', texts.columns],
    ['share', texts.share],
    ...(source.as === undefined
      ? [['bulk', texts.bulk] as [Dialog, string], ['see', access.seeAs] as [Dialog, string]]
      : []),
  ]
  return (
    <Group gap="xs" role="toolbar" aria-label={texts.records(source.table)}>
      {table.json_schema.search_fields?.length ? (
        <SearchForm search={selection.search} change={(search) => change({ search })} />
      ) : null}
      <FilterBar
        fields={table.json_schema.fields}
        filters={selection.filters}
        change={(filters) => change({ filters })}
      />
      {buttons.map(([name, label]) => (
        <Button key={name} variant="default" size="compact-sm" onClick={() => setDialog(name)}>
          {label}
        </Button>
      ))}
      <ExportMenu source={source} selection={selection} />
      <ActionDialog isOpen={dialog === 'see'} close={close} title={access.seeAs}>
        <SeeAs site={source.site} app={source.app} table={source.table} begun={close} />
      </ActionDialog>
      <ColumnsDialog columns={columns} changes={changes} isOpen={dialog === 'columns'} close={close} />
      <ShareDialog source={source} selection={selection} isOpen={dialog === 'share'} close={close} />
      <BulkDialog
        source={source}
        table={table}
        filters={selection.filters}
        isOpen={dialog === 'bulk'}
        close={close}
      />
    </Group>
  )
}

function SearchForm({ search, change }: { search: string; change(search: string): void }) {
  const texts = useTexts(dataTexts)
  const [text, setText] = useState(search)
  useEffect(() => setText(search), [search])
  function submit(event: FormEvent): void {
    event.preventDefault()
    change(text.trim())
  }
  return (
    <search>
      <form onSubmit={submit}>
        <TextInput
          size="xs"
          type="search"
          aria-label={texts.search}
          placeholder={texts.search}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          onBlur={() => change(text.trim())}
        />
      </form>
    </search>
  )
}
