/** The command palette (Ctrl-K): opens any site, app, table and page by its name. */
import { Modal, VisuallyHidden } from '@mantine/core'
import { Spotlight, spotlight } from '@mantine/spotlight'
import { useQueries, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { places } from '../pages/places.ts'
import { appsQuery, sitesQuery, tablesQuery } from '../session/queries.ts'
import { useLabel, useTexts } from '../texts/define.ts'
import { shellTexts } from '../texts/shell.ts'
import { addressOf } from './address.ts'

export const openPalette = spotlight.open

interface Target {
  name: string
  hint?: string
  address: string
}

interface Group {
  title: string
  targets: readonly Target[]
}

/** The maximum number of results of a group. */
const shownMax = 12

/** The palette. Its lists are loaded when it is first opened. */
export function Palette({ site }: { site: string | undefined }) {
  const texts = useTexts(shellTexts)
  const navigate = useNavigate()
  const [isOpen, setOpen] = useState(false)
  const [query, setQuery] = useState('')
  const wanted = query.trim().toLowerCase()
  const isWanted = ({ name, hint = '' }: Target) => `${name} ${hint}`.toLowerCase().includes(wanted)
  const groups = useGroups(site, isOpen)
    .map(({ title, targets }) => ({ title, targets: targets.filter(isWanted).slice(0, shownMax) }))
    .filter(({ targets }) => targets.length > 0)
  /**
   * Opens the first result on Enter, because Mantine does not select results that arrive after the typing.
   */
  function openFirst(): void {
    const first = groups[0]?.targets[0]
    if (!first || document.querySelector('[data-action][data-selected]')) return
    spotlight.close()
    void navigate({ to: first.address })
  }
  return (
    <Spotlight.Root
      query={query}
      onQueryChange={setQuery}
      onSpotlightOpen={() => setOpen(true)}
      onSpotlightClose={() => setOpen(false)}
      scrollable
      maxHeight={420}
      shortcut={['mod + K', '/']}
    >
      <VisuallyHidden>
        <Modal.Title>{texts.findAnything}</Modal.Title>
      </VisuallyHidden>
      <Spotlight.Search
        placeholder={texts.findAnything}
        aria-label={texts.findAnything}
        onKeyDown={({ key }) => {
          if (key === 'Enter') openFirst()
        }}
      />
      <Spotlight.ActionsList>
        {groups.map(({ title, targets }) => (
          <Spotlight.ActionsGroup key={title} label={title}>
            {targets.map(({ name, hint, address }) => (
              <Spotlight.Action
                key={address}
                label={name}
                {...(hint === undefined ? {} : { description: hint })}
                onClick={() => void navigate({ to: address })}
              />
            ))}
          </Spotlight.ActionsGroup>
        ))}
        {groups.length === 0 ? <Spotlight.Empty>{texts.nothingFound}</Spotlight.Empty> : null}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  )
}

function useGroups(site: string | undefined, isOpen: boolean): Group[] {
  const texts = useTexts(shellTexts)
  const label = useLabel()
  const isInSite = isOpen && site !== undefined
  const slug = site ?? ''
  const sites = useQuery({ ...sitesQuery(), enabled: isOpen })
  const apps = useQuery({ ...appsQuery(slug), enabled: isInSite })
  const tables = useQueries({
    queries: (apps.data?.results ?? []).map((app) => ({
      ...tablesQuery(slug, app.slug),
      enabled: isInSite,
    })),
  })
  const rows = isInSite ? places.flatMap(({ navigation }) => navigation ?? []) : []
  return [
    {
      title: texts.tables,
      targets: tables
        .flatMap(({ data = [] }) => data)
        .map(({ app_slug, name }) => ({
          name,
          hint: app_slug,
          address: addressOf(slug, 'data', app_slug, name),
        })),
    },
    {
      title: texts.pages,
      targets: rows.map((row) => ({ name: label(row.label), address: row.address(slug) })),
    },
    {
      title: texts.sites,
      targets: (sites.data?.results ?? []).map(({ slug: other, name, organization }) => ({
        name,
        hint: `${organization.name} · ${other}`,
        address: addressOf(other),
      })),
    },
  ]
}
