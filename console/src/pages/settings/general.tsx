/** The name, the environment and the sign-in settings of a site. */
import {
  Alert,
  Anchor,
  Button,
  Group,
  Select,
  Stack,
  Switch,
  TagsInput,
  Text,
  TextInput,
} from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { Site, SiteSettings } from '../../../../client/src/site/sites.ts'
import { service } from '../../session/client.ts'
import { Problem } from '../../shared/problem.tsx'
import { Loading } from '../../shared/states.tsx'
import { useTell } from '../../shared/tell.ts'
import { useTexts } from '../../texts/define.ts'
import { readSiteAgain, siteQuery } from './site-query.ts'
import { settingsTexts } from './texts.ts'

const environments = ['development', 'staging', 'production', 'preview']

export function General({ site }: { site: string }) {
  const { data, error, refetch } = useQuery(siteQuery(site))
  if (error) return <Problem error={error} retry={() => void refetch()} />
  return data ? <Form key={JSON.stringify(data)} site={data} /> : <Loading />
}

function Form({ site }: { site: Site }) {
  const texts = useTexts(settingsTexts)
  const tell = useTell()
  const { name, environment, sign_up, allowed_domains, sign_up_by_provider } = site
  const { require_verified_email, requires_factor } = site
  const [values, setValues] = useState({
    ...{ name, environment, sign_up, sign_up_by_provider, require_verified_email, requires_factor },
    allowed_domains: [...allowed_domains],
  })
  const set = (changes: Partial<typeof values>) => setValues((before) => ({ ...before, ...changes }))
  const save = useMutation({
    mutationFn: () => service.sites.update(site.slug, values),
    async onSuccess() {
      tell(texts.saved)
      await readSiteAgain(site.slug)
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate()
  }
  return (
    <form onSubmit={submit}>
      <Stack maw={560}>
        {site.paused ? <Paused site={site.slug} /> : null}
        <TextInput
          label={texts.name}
          value={values.name}
          onChange={(event) => set({ name: event.currentTarget.value })}
          required
        />
        <Select
          label={texts.environment}
          data={environments}
          value={values.environment}
          onChange={(next) => set({ environment: next as SiteSettings['environment'] })}
          allowDeselect={false}
        />
        <Select
          label={texts.signUp}
          data={Object.entries(texts.signUps).map(([value, label]) => ({ value, label }))}
          value={values.sign_up}
          onChange={(next) => set({ sign_up: next as SiteSettings['sign_up'] })}
          allowDeselect={false}
        />
        <TagsInput
          label={texts.allowedDomains}
          value={values.allowed_domains}
          onChange={(domains) => set({ allowed_domains: domains })}
        />
        <Switch
          label={texts.byProvider}
          checked={values.sign_up_by_provider}
          onChange={(event) => set({ sign_up_by_provider: event.currentTarget.checked })}
        />
        <Switch
          label={texts.verifiedOnly}
          checked={values.require_verified_email}
          onChange={(event) => set({ require_verified_email: event.currentTarget.checked })}
        />
        <Switch
          label={texts.requiresFactor}
          checked={values.requires_factor}
          onChange={(event) => set({ requires_factor: event.currentTarget.checked })}
        />
        <Group>
          <Button type="submit" loading={save.isPending}>
            {texts.save}
          </Button>
          <Anchor href={`/sites/${site.slug}/accounts/login/?auto_redirect=false`} underline="always">
            {texts.preview}
          </Anchor>
        </Group>
      </Stack>
      {save.error ? <Problem error={save.error} /> : null}
    </form>
  )
}

/** Says that the site does not act, and lets it act. */
function Paused({ site }: { site: string }) {
  const texts = useTexts(settingsTexts)
  const tell = useTell()
  const activate = useMutation({
    mutationFn: () => service.sites.update(site, { paused: false }),
    async onSuccess() {
      tell(texts.activated)
      await readSiteAgain(site)
    },
  })
  return (
    <Alert color="yellow" title={texts.paused}>
      <Text size="sm" mb="xs">
        {texts.pausedText}
      </Text>
      <Button variant="default" loading={activate.isPending} onClick={() => activate.mutate()}>
        {texts.activate}
      </Button>
      {activate.error ? <Problem error={activate.error} /> : null}
    </Alert>
  )
}
