/** The parts of a page as tabs. The address contains the open one. */
import { Tabs } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'

type Part = readonly [name: string, label: string, content: () => ReactNode]

interface PartTabsProps {
  /** The parts in order: their names in the address, their labels, and their content. Null: omitted. */
  parts: readonly (Part | null)[]
  /** The other parameters of the address that stay when another tab is opened. */
  kept?: object
}

/** Shows the tabs. The first part is open if the address names none of them. */
export function PartTabs({ parts: rows, kept }: PartTabsProps) {
  const navigate = useNavigate()
  const { part } = useSearch({ strict: false }) as { part?: string }
  const parts = rows.filter((row) => row !== null)
  const open = parts.find(([name]) => name === part) ?? parts[0]
  return (
    <Tabs
      value={open?.[0] ?? null}
      keepMounted={false}
      onChange={(next) => void navigate({ to: '.', search: { part: next, ...kept } as never })}
    >
      <Tabs.List>
        {parts.map(([name, label]) => (
          <Tabs.Tab key={name} value={name}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {parts.map(([name, , content]) => (
        <Tabs.Panel key={name} value={name} pt="sm">
          {name === open?.[0] ? content() : null}
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}
