/** The graph of a table, as a tree or as a picture. The address contains the choice. */
import { Anchor, Group, SegmentedControl, Select, Stack, Text } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useMemo } from 'react'
import { useSite } from '../../session/client.ts'
import { type Table, tableQuery } from '../../session/queries.ts'
import { AppAndTableSelects, useAppAndTable } from '../../shared/app-and-table.tsx'
import { Problem } from '../../shared/problem.tsx'
import { Empty, Loading, PageHead } from '../../shared/states.tsx'
import { useTexts } from '../../texts/define.ts'
import { edgeTypesOf } from './edge-types.ts'
import { graphTexts } from './texts.ts'
import { Tree } from './tree.tsx'

const Picture = lazy(() => import('./picture.tsx'))

/** The state in the address. */
interface Search {
  app?: string
  table?: string
  view?: 'tree' | 'picture'
  /** The type of edges of the tree. */
  type?: string
  /** The types of edges in the picture, separated by commas. Omitted: all. */
  types?: string
  from?: string | number
  whole?: boolean
}

/** Shows the graph of a table that has edges. */
export function Page() {
  const texts = useTexts(graphTexts)
  const { site } = useSite()
  const navigate = useNavigate()
  const search = useSearch({ strict: false }) as Search
  const choice = useAppAndTable(site)
  const { apps, app, tables: list, names } = choice
  const tables = useQueries({ queries: names.map((name) => tableQuery(site, app ?? '', name)) })
  const withEdges = tables.flatMap(({ data }) => (data && edgeTypesOf(data).length > 0 ? [data] : []))
  const table = withEdges.find(({ name }) => name === search.table) ?? withEdges[0]
  const isReading =
    apps.isPending || (app !== undefined && list.isPending) || tables.some((one) => one.isPending)
  const error = apps.error ?? list.error ?? tables.find((one) => one.error)?.error
  const show = (next: Search) => void navigate({ to: '.', search: next as never })
  return (
    <Stack gap="sm">
      <PageHead title={texts.title} />
      {error ? <Problem error={error} retry={() => void apps.refetch()} /> : null}
      <AppAndTableSelects
        choice={{ ...choice, names: withEdges.map(({ name }) => name), table: table?.name }}
        choose={show}
      />
      {isReading && !table && !error ? <Loading /> : null}
      {!isReading && !error && !table ? (
        <Empty title={texts.none}>
          <Text>{texts.noneText}</Text>
          <Anchor href="/docs/guide/graphs/" underline="always">
            {texts.howTo}
          </Anchor>
        </Empty>
      ) : null}
      {app !== undefined && table ? (
        <TableGraph
          key={`${app} ${table.name}`}
          site={site}
          app={app}
          table={table}
          search={search}
          show={show}
        />
      ) : null}
    </Stack>
  )
}

interface TableGraphProps {
  site: string
  app: string
  table: Table
  search: Search
  show(search: Search): void
}

function TableGraph({ site, app, table, search, show }: TableGraphProps) {
  const texts = useTexts(graphTexts)
  const { name } = table
  const source = useMemo(() => ({ site, app, table: name }), [site, app, name])
  const all = useMemo(() => edgeTypesOf(table).map((type) => type.name), [table])
  const isHierarchy = Boolean(table.json_schema.hierarchy)
  const view = search.view ?? (isHierarchy ? 'tree' : 'picture')
  const type = all.find((one) => one === search.type) ?? (all[0] as string)
  const types = useMemo(
    () => (search.types === undefined ? all : all.filter((one) => search.types?.split(',').includes(one))),
    [all, search.types],
  )
  const here = { ...search, app, table: name }
  return (
    <>
      <Group align="end">
        <SegmentedControl
          aria-label={texts.view}
          value={view}
          onChange={(next) => show({ ...here, view: next as 'tree' | 'picture' })}
          data={[
            { value: 'tree', label: texts.tree },
            { value: 'picture', label: texts.picture },
          ]}
        />
        {view === 'tree' && all.length > 1 ? (
          <Select
            label={texts.along}
            data={all}
            value={type}
            onChange={(next) => show({ ...here, type: next ?? type })}
            allowDeselect={false}
          />
        ) : null}
      </Group>
      {view === 'tree' ? <Tree key={type} source={source} table={table} type={type} /> : null}
      {view === 'picture' ? (
        <Suspense fallback={<Loading />}>
          <Picture
            source={source}
            table={table}
            types={types}
            from={search.from === undefined ? undefined : String(search.from)}
            whole={search.whole}
            begin={({ from, whole }) => {
              const { from: _, whole: __, ...rest } = here
              show({ ...rest, view, ...(from === undefined ? {} : { from }), ...(whole ? { whole } : {}) })
            }}
            showTypes={(next) => show({ ...here, view, types: next.join(',') })}
          />
        </Suspense>
      ) : null}
    </>
  )
}
