/** The open invitations of an organization, and a form to invite a person. */
import { Button, Group, MultiSelect, Paper, Stack, TagsInput, Text, TextInput, Title } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { queryClient, service } from '../../session/client.ts'
import { messagesOf, Problem } from '../../shared/problem.tsx'
import { useTell } from '../../shared/tell.ts'
import { useTexts } from '../../texts/define.ts'
import { invitationsQuery, rolesQuery } from './queries.ts'
import { peopleTexts } from './texts.ts'

interface InvitationsProps {
  site: string
  organization: string
}

/** Lists the invitations, with the form for another one. */
export function Invitations({ site, organization }: InvitationsProps) {
  const texts = useTexts(peopleTexts)
  const tell = useTell()
  const { data, error, refetch } = useQuery(invitationsQuery(organization))
  const again = () => queryClient.invalidateQueries({ queryKey: invitationsQuery(organization).queryKey })
  const cancel = useMutation({
    mutationFn: (uuid: string) => service.invitations(organization).cancel(uuid),
    async onSuccess() {
      tell(texts.cancelled)
      await again()
    },
  })
  return (
    <Paper component="section" aria-label={texts.invitations} withBorder p="md">
      <Title order={2} size="h4" mb="xs">
        {texts.invitations}
      </Title>
      {error ? <Problem error={error} retry={() => void refetch()} /> : null}
      {cancel.error ? <Problem error={cancel.error} /> : null}
      {data?.results.length === 0 ? <Text>{texts.noInvitations}</Text> : null}
      <Stack component="ul" gap={6} pl={0}>
        {data?.results.map(({ uuid, invitee_identifier: email }) => (
          <Group component="li" key={uuid} gap="sm">
            <Text>{email}</Text>
            <Button
              size="compact-sm"
              variant="default"
              aria-label={texts.cancelOf(email)}
              onClick={() => cancel.mutate(uuid)}
            >
              {texts.cancel}
            </Button>
          </Group>
        ))}
      </Stack>
      <Invite site={site} organization={organization} again={again} />
    </Paper>
  )
}

function Invite({ site, organization, again }: InvitationsProps & { again: () => Promise<void> }) {
  const texts = useTexts(peopleTexts)
  const tell = useTell()
  const [email, setEmail] = useState('')
  const [groups, setGroups] = useState<string[]>([])
  const [permissions, setPermissions] = useState<string[]>(['access_site'])
  const [roles, setRoles] = useState<string[]>([])
  const { data: offered = [] } = useQuery(rolesQuery(site))
  const send = useMutation({
    mutationFn: () =>
      service.invitations(organization).create(email, {
        group: groups,
        site: permissions.length + roles.length > 0 ? [{ slug: site, permissions, roles }] : [],
      }),
    async onSuccess() {
      tell(texts.sent(email))
      setEmail('')
      await again()
    },
  })
  const wrong = send.error ? messagesOf(send.error, '').invitee_identifier : undefined
  const submit = (event: FormEvent) => {
    event.preventDefault()
    send.mutate()
  }
  return (
    <form onSubmit={submit}>
      <Title order={3} size="h5" mt="md">
        {texts.invite}
      </Title>
      <Text size="sm" className="muted">
        {texts.inviteHint}
      </Text>
      <Stack maw={560} mt="xs">
        <TextInput
          label={texts.email}
          type="email"
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
          error={wrong?.join(' ')}
          required
        />
        <TagsInput label={texts.groupNames} value={groups} onChange={setGroups} />
        <MultiSelect
          label={texts.permissions}
          data={Object.entries(texts.abilities).map(([value, label]) => ({ value, label }))}
          value={permissions}
          onChange={setPermissions}
        />
        {offered.length > 0 ? (
          <MultiSelect
            label={texts.siteRoles}
            data={offered.map(({ name, title }) => ({ value: name, label: title || name }))}
            value={roles}
            onChange={setRoles}
          />
        ) : null}
        <Group>
          <Button type="submit" loading={send.isPending}>
            {texts.send}
          </Button>
        </Group>
      </Stack>
      {send.error ? <Problem error={send.error} except={['invitee_identifier']} /> : null}
    </form>
  )
}
