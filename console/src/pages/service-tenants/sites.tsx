/** The sites of an organization, with the actions on each. */
import { Badge, Button, Group, Select, Stack, Table, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { Environment, Site } from '../../../../client/src/site/sites.ts'
import { queryClient, service } from '../../session/client.ts'
import { messagesOf, Problem } from '../../shared/problem.tsx'
import { Loading } from '../../shared/states.tsx'
import { useTell } from '../../shared/tell.ts'
import { When } from '../../shared/when.tsx'
import { addressOf } from '../../shell/address.ts'
import { TextLink } from '../../shell/link.tsx'
import { useTexts } from '../../texts/define.ts'
import { shellTexts } from '../../texts/shell.ts'
import { DeleteDialog } from './delete-dialog.tsx'
import { tenantsTexts } from './texts.ts'

const environments: Environment[] = ['production', 'staging', 'development', 'preview']
const pageSize = 100

const keyOf = (organization: string) => ['tenants', organization]

async function readAgain(organization: string): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: keyOf(organization) })
  await queryClient.invalidateQueries({ queryKey: ['sites'] })
}

/** Shows the sites, and the form for another one. */
export function Sites({ organization }: { organization: string }) {
  const texts = useTexts(tenantsTexts)
  const { data, error, refetch } = useQuery({
    queryKey: keyOf(organization),
    queryFn: ({ signal }) => service.sites.list(organization, { pageSize, signal }),
  })
  if (error) return <Problem error={error} retry={() => void refetch()} />
  if (!data) return <Loading />
  return (
    <Stack>
      {data.data.length === 0 ? <Text size="sm">{texts.noSites}</Text> : null}
      {data.data.length > 0 ? (
        <Table.ScrollContainer minWidth={560} scrollAreaProps={{ type: 'auto' }}>
          <Table>
            <Table.Thead>
              <Table.Tr>
                {[texts.site, texts.state, texts.actions].map((name) => (
                  <Table.Th key={name}>{name}</Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {data.data.map((site) => (
                <Row key={site.slug} site={site} organization={organization} />
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      ) : null}
      <NewSite organization={organization} />
    </Stack>
  )
}

/** The possible actions on a site in each state. */
const actionsOf = { active: ['suspend'], suspended: ['resume'], deleted: ['restore'] } as const

function Row({ site, organization }: { site: Site; organization: string }) {
  const texts = useTexts(tenantsTexts)
  const { slug, name, state, deletes_at } = site
  const [isDeleting, setDeleting] = useState(false)
  const change = useMutation({
    mutationFn: (action: 'suspend' | 'resume' | 'restore') => service.sites[action](slug),
    onSuccess: () => readAgain(organization),
  })
  return (
    <Table.Tr>
      <Table.Td>
        {state === 'active' ? <TextLink to={addressOf(slug)}>{name}</TextLink> : name}
        <Text size="sm" className="muted">
          {slug} · {site.environment}
        </Text>
      </Table.Td>
      <Table.Td>
        <Badge variant="default">{texts.states[state]}</Badge>
        {deletes_at ? (
          <Text size="sm">
            {texts.erased}: <When at={deletes_at} />
          </Text>
        ) : null}
      </Table.Td>
      <Table.Td>
        <Group gap="xs">
          {actionsOf[state].map((action) => (
            <Button
              key={action}
              size="compact-sm"
              variant="default"
              aria-label={texts.of(texts[action], name)}
              onClick={() => change.mutate(action)}
              loading={change.isPending}
            >
              {texts[action]}
            </Button>
          ))}
          {state === 'deleted' ? null : (
            <Button
              size="compact-sm"
              variant="default"
              aria-label={texts.of(texts.delete, name)}
              onClick={() => setDeleting(true)}
            >
              {texts.delete}
            </Button>
          )}
        </Group>
        {change.error ? <Problem error={change.error} /> : null}
        {isDeleting ? (
          <DeleteDialog
            name={name}
            slug={slug}
            text={texts.confirmSite}
            close={() => setDeleting(false)}
            remove={async () => {
              await service.sites.delete(slug)
              await readAgain(organization)
            }}
          />
        ) : null}
      </Table.Td>
    </Table.Tr>
  )
}

function NewSite({ organization }: { organization: string }) {
  const texts = useTexts(tenantsTexts)
  const { noAnswer } = useTexts(shellTexts)
  const tell = useTell()
  const [name, setName] = useState('')
  const [slug, setSlug] = useState('')
  const [environment, setEnvironment] = useState<Environment>('production')
  const create = useMutation({
    mutationFn: () => service.sites.create(organization, { name, environment, ...(slug ? { slug } : {}) }),
    async onSuccess() {
      tell(texts.created(name))
      setName('')
      setSlug('')
      await readAgain(organization)
    },
  })
  const messages = create.error ? messagesOf(create.error, noAnswer) : {}
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.mutate()
  }
  return (
    <form onSubmit={submit}>
      <Group align="start" gap="sm">
        <TextInput
          label={texts.siteName}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={messages.name?.join(' ')}
          required
        />
        <TextInput
          label={texts.slug}
          title={texts.slugText}
          value={slug}
          onChange={(event) => setSlug(event.currentTarget.value.trim())}
          error={messages.slug?.join(' ')}
        />
        <Select
          label={texts.environment}
          data={environments}
          value={environment}
          onChange={(next) => setEnvironment(next as Environment)}
          allowDeselect={false}
        />
        <Button
          type="submit"
          variant="default"
          mt={25}
          loading={create.isPending}
          disabled={name.trim() === ''}
        >
          {texts.createSite}
        </Button>
      </Group>
      {create.error ? <Problem error={create.error} except={['name', 'slug']} /> : null}
    </form>
  )
}
