/** The command palette (Ctrl-K): leads to every site, app, table and page by its name. */
import {
  Spotlight,
  type SpotlightActionData,
  type SpotlightActionGroupData,
  spotlight,
} from '@mantine/spotlight'
import { useQueries, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { places } from '../pages/places.ts'
import { appsQuery, sitesQuery, tablesQuery } from '../session/queries.ts'
import { useLabel, useTexts } from '../texts/define.ts'
import { shellTexts } from '../texts/shell.ts'
import { addressOf } from './address.ts'

/** Opens the palette. */
export const openPalette = spotlight.open

/** The palette. Its lists are read when it is opened first. */
export function Palette({ site }: { site: string | undefined }) {
  const texts = useTexts(shellTexts)
  const [isOpen, setOpen] = useState(false)
  const actions = useActions(site, isOpen)
  return (
    <Spotlight
      actions={actions}
      onSpotlightOpen={() => setOpen(true)}
      onSpotlightClose={() => setOpen(false)}
      nothingFound={texts.nothingFound}
      highlightQuery={false}
      scrollable
      maxHeight={420}
      shortcut={['mod + K', '/']}
      searchProps={{ placeholder: texts.findAnything, 'aria-label': texts.findAnything }}
    />
  )
}

function useActions(site: string | undefined, isOpen: boolean): SpotlightActionGroupData[] {
  const texts = useTexts(shellTexts)
  const label = useLabel()
  const navigate = useNavigate()
  const go = (id: string, name: string, to: string, description?: string): SpotlightActionData => ({
    id,
    label: name,
    onClick: () => void navigate({ to }),
    ...(description === undefined ? {} : { description }),
  })

  const sites = useQuery({ ...sitesQuery(), enabled: isOpen })
  const apps = useQuery({ ...appsQuery(site ?? ''), enabled: isOpen && site !== undefined })
  const tables = useQueries({
    queries: (apps.data?.results ?? []).map(({ slug }) => ({
      ...tablesQuery(site ?? '', slug),
      enabled: isOpen && site !== undefined,
    })),
  })
  const pages = places.flatMap(({ path, navigation }) =>
    site !== undefined && navigation ? [go(path, label(navigation.label), navigation.address(site))] : [],
  )
  const found = tables.flatMap(({ data = [] }) => data)
  return [
    {
      group: texts.tables,
      actions: found.map(({ app_slug, name }) =>
        go(`table ${app_slug} ${name}`, name, addressOf(site ?? '', 'data', app_slug, name), app_slug),
      ),
    },
    { group: texts.pages, actions: pages },
    {
      group: texts.sites,
      actions: (sites.data?.results ?? []).map(({ slug, name, organization }) =>
        go(`site ${slug}`, name, addressOf(slug), `${organization.name} · ${slug}`),
      ),
    },
  ].filter(({ actions }) => actions.length > 0)
}
