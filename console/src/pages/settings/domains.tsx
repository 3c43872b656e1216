/** The domains of a site, with the DNS record that proves each. */
import { Badge, Button, Code, Group, Paper, Stack, Text, TextInput } from '@mantine/core'
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { Domain } from '../../../../client/src/site/sites.ts'
import { queryClient, service } from '../../session/client.ts'
import { Problem } from '../../shared/problem.tsx'
import { Waiting } from '../../shared/states.tsx'
import { useTell } from '../../shared/tell.ts'
import { useTexts } from '../../texts/define.ts'
import { settingsTexts } from './texts.ts'

const domainsQuery = (site: string) =>
  queryOptions({
    queryKey: [site, 'domains'],
    queryFn: ({ signal }) => service.sites.domains(site).list({ signal }),
  })

/** Lists the domains, with the form for another one. */
export function Domains({ site }: { site: string }) {
  const texts = useTexts(settingsTexts)
  const tell = useTell()
  const query = useQuery(domainsQuery(site))
  const { data } = query
  const [name, setName] = useState('')
  const again = () => queryClient.invalidateQueries({ queryKey: domainsQuery(site).queryKey })
  const add = useMutation({
    mutationFn: () => service.sites.domains(site).create(name),
    async onSuccess() {
      tell(texts.added)
      setName('')
      await again()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    add.mutate()
  }
  return (
    <Stack>
      <Waiting query={query} />
      {data?.data.length === 0 ? <Text>{texts.noDomains}</Text> : null}
      {data?.data.map((domain) => (
        <DomainPart key={domain.domain} site={site} domain={domain} again={again} />
      ))}
      <form onSubmit={submit}>
        <Group align="end">
          <TextInput
            label={texts.domain}
            placeholder="data.example.org"
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            required
          />
          <Button type="submit" loading={add.isPending}>
            {texts.add}
          </Button>
        </Group>
      </form>
      {add.error ? <Problem error={add.error} /> : null}
    </Stack>
  )
}

interface DomainProps {
  site: string
  domain: Domain
  again: () => Promise<void>
}

function DomainPart({ site, domain: { domain, status, is_primary, dns_record }, again }: DomainProps) {
  const texts = useTexts(settingsTexts)
  const tell = useTell()
  const change = useMutation({
    async mutationFn(what: 'verify' | 'delete') {
      await service.sites.domains(site)[what](domain)
      return what
    },
    async onSuccess(what) {
      tell(what === 'verify' ? texts.isVerified(domain) : texts.removed)
      await again()
    },
  })
  return (
    <Paper withBorder p="md">
      <Group gap="xs">
        <Text fw={600}>{domain}</Text>
        <Badge variant="default">{status === 'verified' ? texts.verified : texts.pending}</Badge>
        {is_primary ? <Badge variant="default">{texts.primary}</Badge> : null}
      </Group>
      {status === 'pending' ? (
        <>
          <Text size="sm" mt="xs">
            {texts.proof}
          </Text>
          <Code block>{`${dns_record.name} ${dns_record.type} "${dns_record.value}"`}</Code>
        </>
      ) : null}
      <Group mt="xs">
        {status === 'pending' ? (
          <Button size="compact-sm" onClick={() => change.mutate('verify')} loading={change.isPending}>
            {texts.verify}
          </Button>
        ) : null}
        <Button
          size="compact-sm"
          variant="outline"
          color="red"
          aria-label={texts.removeOf(domain)}
          onClick={() => {
            if (window.confirm(texts.removeAsk(domain))) change.mutate('delete')
          }}
        >
          {texts.remove}
        </Button>
      </Group>
      {change.error ? <Problem error={change.error} /> : null}
    </Paper>
  )
}
