/** The settings of a site, its domains with their proof, and the audit. */
import { Stack, Tabs, Title } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useSite } from '../../session/client.ts'
import { useTexts } from '../../texts/define.ts'
import { Audit } from './audit.tsx'
import { Domains } from './domains.tsx'
import { General } from './general.tsx'
import { Looks } from './looks.tsx'
import { settingsTexts } from './texts.ts'
import { Transfers } from './transfers.tsx'

/** Shows a part of the settings: the address says which. */
export function Page() {
  const texts = useTexts(settingsTexts)
  const { site } = useSite()
  const navigate = useNavigate()
  const { part = 'general' } = useSearch({ strict: false }) as { part?: string }
  return (
    <Stack maw={1200}>
      <Title order={1} size="h2">
        {texts.title}: {site}
      </Title>
      <Tabs
        value={part}
        onChange={(next) => void navigate({ to: '.', search: { part: next } as never })}
        keepMounted={false}
      >
        <Tabs.List>
          <Tabs.Tab value="general">{texts.general}</Tabs.Tab>
          <Tabs.Tab value="looks">{texts.looks}</Tabs.Tab>
          <Tabs.Tab value="domains">{texts.domains}</Tabs.Tab>
          <Tabs.Tab value="transfers">{texts.transfers}</Tabs.Tab>
          <Tabs.Tab value="audit">{texts.audit}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="general" pt="md">
          <General site={site} />
        </Tabs.Panel>
        <Tabs.Panel value="looks" pt="md">
          <Looks site={site} />
        </Tabs.Panel>
        <Tabs.Panel value="transfers" pt="md">
          <Transfers site={site} />
        </Tabs.Panel>
        <Tabs.Panel value="domains" pt="md">
          <Domains site={site} />
        </Tabs.Panel>
        <Tabs.Panel value="audit" pt="md">
          <Audit site={site} />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  )
}
