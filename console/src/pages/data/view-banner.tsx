/** Shows as whom the records are shown, with a button to end the view. */
import { Alert, Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { anyone } from '../../session/viewer.ts'
import { useTexts } from '../../texts/define.ts'
import { viewersQuery } from '../access/viewers.ts'
import { dataTexts } from './texts.ts'

/** Shows the banner until the user ends the view. */
export function ViewBanner({ site, as }: { site: string; as: string }) {
  const texts = useTexts(dataTexts)
  const navigate = useNavigate()
  const { data } = useQuery({ ...viewersQuery(site), enabled: as !== anyone })
  const name = data?.find(({ id }) => String(id) === as)?.name ?? texts.person(as)
  return (
    <Alert
      color="orange"
      role="status"
      title={as === anyone ? texts.viewedAsGuest : texts.viewedAs(name)}
      // The default color of the theme has too little contrast.
      styles={{ title: { color: 'var(--mantine-color-text)' } }}
    >
      <Group justify="space-between">
        <Text size="sm">{texts.viewedText}</Text>
        <Button
          variant="default"
          size="compact-md"
          onClick={() => void navigate({ to: '.', search: {} as never })}
        >
          {texts.endView}
        </Button>
      </Group>
    </Alert>
  )
}
