/** Organizations with their sites. The address contains the open one. */
import { Accordion, Badge, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { Organization } from '../../../../client/src/site/organizations.ts'
import { queryClient, service } from '../../session/client.ts'
import { NameForm } from '../../shared/name-form.tsx'
import { Problem } from '../../shared/problem.tsx'
import { Empty, PageHead, Waiting } from '../../shared/states.tsx'
import { useTell } from '../../shared/tell.ts'
import { When } from '../../shared/when.tsx'
import { useTexts } from '../../texts/define.ts'
import { ServicePages } from '../service-health/service-pages.tsx'
import { DeleteDialog } from './delete-dialog.tsx'
import { Sites } from './sites.tsx'
import { tenantsTexts } from './texts.ts'

const settleMs = 200
const pageSize = 50

const readAgain = () => queryClient.invalidateQueries({ queryKey: ['organizations'] })

/** Lists the organizations. */
export function Page() {
  const texts = useTexts(tenantsTexts)
  const tell = useTell()
  const navigate = useNavigate()
  const { organization } = useSearch({ strict: false }) as { organization?: string }
  const [text, setText] = useState('')
  const [search] = useDebouncedValue(text.trim(), settleMs)
  const query = useQuery({
    queryKey: ['organizations', search],
    queryFn: ({ signal }) => service.organizations.list({ pageSize, signal, ...(search ? { search } : {}) }),
    placeholderData: keepPreviousData,
  })
  const { data } = query
  const open = (slug: string | null) =>
    void navigate({ to: '.', search: (slug ? { organization: slug } : {}) as never, replace: true })
  async function create(name: string): Promise<void> {
    const { slug } = await service.organizations.create({ name })
    tell(texts.created(name))
    await readAgain()
    open(slug)
  }
  return (
    <Stack maw={1100} mx="auto">
      <ServicePages />
      <div>
        <PageHead title={texts.title} hint={texts.hint} />
      </div>
      <Group align="end" justify="space-between">
        <TextInput
          label={texts.search}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <NameForm
          label={texts.organizationName}
          button={texts.createOrganization}
          variant="filled"
          save={create}
        />
      </Group>
      <Waiting query={query} />
      {data?.total === 0 && search === '' ? (
        <Empty title={texts.noOrganizations}>{texts.noOrganizationsText}</Empty>
      ) : null}
      {data?.total === 0 && search !== '' ? <Text>{texts.noMatch}</Text> : null}
      <Accordion
        value={organization ?? null}
        onChange={open}
        variant="separated"
        keepMounted={false}
        order={2}
      >
        {data?.data.map((one) => (
          <Accordion.Item key={one.slug} value={one.slug}>
            <Accordion.Control>
              <Group gap="xs">
                <Text fw={600}>{one.name}</Text>
                <Text size="sm" className="muted">
                  {one.slug}
                </Text>
                {one.deletes_at ? <Badge variant="default">{texts.states.deleted}</Badge> : null}
              </Group>
            </Accordion.Control>
            <Accordion.Panel>
              <OneOrganization organization={one} />
            </Accordion.Panel>
          </Accordion.Item>
        ))}
      </Accordion>
      {data && data.total > data.data.length ? (
        <Text size="sm">{texts.more(data.data.length, data.total)}</Text>
      ) : null}
    </Stack>
  )
}

function OneOrganization({ organization: { name, slug, deletes_at } }: { organization: Organization }) {
  const texts = useTexts(tenantsTexts)
  const [isDeleting, setDeleting] = useState(false)
  const restore = useMutation({
    mutationFn: () => service.organizations.restore(slug),
    onSuccess: readAgain,
  })
  if (deletes_at)
    return (
      <Stack gap="xs">
        <Text size="sm">
          {texts.deletedOrganization} {texts.erased}: <When at={deletes_at} />
        </Text>
        <Group>
          <Button variant="default" onClick={() => restore.mutate()} loading={restore.isPending}>
            {texts.restore}
          </Button>
        </Group>
        {restore.error ? <Problem error={restore.error} /> : null}
      </Stack>
    )
  return (
    <Stack>
      <Sites organization={slug} />
      <Group>
        <Button size="compact-sm" variant="default" onClick={() => setDeleting(true)}>
          {texts.deleteOrganization}
        </Button>
      </Group>
      {isDeleting ? (
        <DeleteDialog
          name={name}
          slug={slug}
          text={texts.confirmOrganization}
          close={() => setDeleting(false)}
          remove={async () => {
            await service.organizations.delete(slug)
            await readAgain()
          }}
        />
      ) : null}
    </Stack>
  )
}
