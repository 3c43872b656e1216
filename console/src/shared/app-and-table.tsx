/** The selection of an app and of one of its tables. The address contains the choice. */
import { Group, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { appsQuery, tablesQuery } from '../session/queries.ts'
import { useTexts } from '../texts/define.ts'
import { sharedTexts } from '../texts/shared.ts'

/** An app and a table, as in the address. */
interface AppAndTable {
  app?: string
  table?: string
}

/**
 * Reads the apps of a site, and the tables of the chosen app that can have records. Chooses the first ones if
 * the address names none.
 */
export function useAppAndTable(site: string) {
  const search = useSearch({ strict: false }) as AppAndTable
  const apps = useQuery(appsQuery(site))
  const app = search.app ?? apps.data?.results[0]?.slug
  const tables = useQuery({ ...tablesQuery(site, app ?? ''), enabled: app !== undefined })
  const names = (tables.data ?? []).filter((table) => table.is_materialized).map(({ name }) => name)
  return { apps, app, tables, names, table: search.table ?? names[0] }
}

interface ChoiceProps {
  choice: Pick<ReturnType<typeof useAppAndTable>, 'apps' | 'app' | 'names' | 'table'>
  /** Puts a new choice into the address. */
  choose(next: AppAndTable): void
}

/** Shows the selection. Without an app, it shows nothing. */
export function AppAndTableSelects({ choice: { apps, app, names, table }, choose }: ChoiceProps) {
  const texts = useTexts(sharedTexts)
  if (app === undefined) return null
  return (
    <Group align="end">
      <Select
        label={texts.app}
        data={(apps.data?.results ?? []).map(({ slug, name }) => ({ value: slug, label: name }))}
        value={app}
        onChange={(next) => choose(next ? { app: next } : {})}
        allowDeselect={false}
      />
      {names.length > 0 || table !== undefined ? (
        <Select
          label={texts.table}
          data={names}
          value={table ?? null}
          onChange={(next) => choose({ app, ...(next ? { table: next } : {}) })}
          allowDeselect={false}
          searchable
        />
      ) : null}
    </Group>
  )
}
