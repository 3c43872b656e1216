/** The navigation between the pages of the service, which belong to no site. */
import { Group } from '@mantine/core'
import { addressOf } from '../../shell/address.ts'
import { TextLink } from '../../shell/link.tsx'
import { useTexts } from '../../texts/define.ts'
import { healthTexts } from './texts.ts'

/** Shows links to the pages. */
export function ServicePages() {
  const texts = useTexts(healthTexts)
  return (
    <Group component="nav" gap="md" aria-label={texts.pages}>
      <TextLink to="/">{texts.sites}</TextLink>
      <TextLink to={addressOf('_service', 'health')}>{texts.title}</TextLink>
      <TextLink to={addressOf('_service', 'tenants')}>{texts.tenants}</TextLink>
    </Group>
  )
}
