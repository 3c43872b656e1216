/** The branding of a site's sign-in page and e-mails: name, color and logo, with a preview of the page. */
import { Button, ColorSwatch, FileButton, Group, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { Site } from '../../../../client/src/site/sites.ts'
import { service } from '../../session/client.ts'
import { dataUrlOf } from '../../shared/data-url.ts'
import { Problem } from '../../shared/problem.tsx'
import { Loading } from '../../shared/states.tsx'
import { useTell } from '../../shared/tell.ts'
import { useTexts } from '../../texts/define.ts'
import { Preview } from './preview.tsx'
import { readSiteAgain, siteQuery } from './site-query.ts'
import { settingsTexts } from './texts.ts'
import { looksTexts } from './texts-looks.ts'

const pictures = 'image/png,image/jpeg,image/webp'

/** Shows the form. */
export function Looks({ site }: { site: string }) {
  const { data, error, refetch } = useQuery(siteQuery(site))
  if (error) return <Problem error={error} retry={() => void refetch()} />
  return data ? <Form key={JSON.stringify(data.branding)} site={data} /> : <Loading />
}

function Form({ site: { slug, name: siteName, branding } }: { site: Site }) {
  const texts = useTexts(looksTexts)
  const { save: saveText } = useTexts(settingsTexts)
  const tell = useTell()
  const [name, setName] = useState(branding.name ?? '')
  const [color, setColor] = useState(branding.color ?? '')
  const [logo, setLogo] = useState(branding.logo ?? null)
  const save = useMutation({
    mutationFn: () =>
      service.sites.update(slug, { branding: { name: name.trim() || null, color: color || null, logo } }),
    async onSuccess() {
      tell(texts.saved)
      await readSiteAgain(slug)
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate()
  }
  return (
    <Group align="start" gap="xl">
      <form onSubmit={submit}>
        <Stack maw={420}>
          <Text size="sm" className="muted">
            {texts.hint}
          </Text>
          <TextInput
            label={texts.name}
            placeholder={siteName}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <TextInput
            label={texts.color}
            value={color}
            onChange={(event) => setColor(event.currentTarget.value.trim())}
            leftSection={color ? <ColorSwatch color={color} size={18} /> : null}
          />
          <Group gap="xs">
            <FileButton
              accept={pictures}
              onChange={(file) => file && void dataUrlOf(file).then(setLogo)}
              inputProps={{ 'aria-label': texts.logo }}
            >
              {(props) => (
                <Button variant="default" {...props}>
                  {texts.chooseLogo}
                </Button>
              )}
            </FileButton>
            {logo === null ? null : (
              <Button variant="default" onClick={() => setLogo(null)}>
                {texts.removeLogo}
              </Button>
            )}
          </Group>
          <Text size="sm" className="muted">
            {texts.logoHint}
          </Text>
          <Group>
            <Button type="submit" loading={save.isPending}>
              {saveText}
            </Button>
          </Group>
          {save.error ? <Problem error={save.error} /> : null}
        </Stack>
      </form>
      <Preview name={name.trim()} color={color} logo={logo} />
    </Group>
  )
}
