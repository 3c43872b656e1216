/** The settings of a site, its domains with their proof, and the audit. */
import { Stack, Title } from '@mantine/core'
import { useSite } from '../../session/client.ts'
import { PartTabs } from '../../shared/part-tabs.tsx'
import { useTexts } from '../../texts/define.ts'
import { Audit } from './audit.tsx'
import { Domains } from './domains.tsx'
import { General } from './general.tsx'
import { Looks } from './looks.tsx'
import { settingsTexts } from './texts.ts'
import { Transfers } from './transfers.tsx'

/** Shows a part of the settings, which is in the address. */
export function Page() {
  const texts = useTexts(settingsTexts)
  const { site } = useSite()
  return (
    <Stack maw={1200}>
      <Title order={1} size="h2">
        {texts.title}: {site}
      </Title>
      <PartTabs
        parts={[
          ['general', texts.general, () => <General site={site} />],
          ['looks', texts.looks, () => <Looks site={site} />],
          ['domains', texts.domains, () => <Domains site={site} />],
          ['transfers', texts.transfers, () => <Transfers site={site} />],
          ['audit', texts.audit, () => <Audit site={site} />],
        ]}
      />
    </Stack>
  )
}
