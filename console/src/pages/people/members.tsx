/** The members of the organization of a site. */
import { Button, Paper, Select, Table, Title } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Member } from '../../../../client/src/site/organizations.ts'
import { queryClient, service } from '../../session/client.ts'
import { Dialog } from '../../shared/dialog.tsx'
import { Problem } from '../../shared/problem.tsx'
import { Sideways } from '../../shared/sideways.tsx'
import { Waiting } from '../../shared/states.tsx'
import { useTell } from '../../shared/tell.ts'
import { useTexts } from '../../texts/define.ts'
import { Permissions } from './permissions.tsx'
import { membersQuery } from './queries.ts'
import { peopleTexts } from './texts.ts'

interface MembersProps {
  site: string
  organization: { name: string; slug: string }
}

const nameOf = ({ full_name, username }: Member['user']): string => full_name || username

/** Lists the members, changes their roles, and opens their permissions. */
export function Members({ site, organization: { name, slug } }: MembersProps) {
  const texts = useTexts(peopleTexts)
  const query = useQuery(membersQuery(slug))
  const { data } = query
  const [open, setOpen] = useState<Member['user']>()
  return (
    <Paper component="section" aria-label={texts.members(name)} withBorder p="md">
      <Title order={2} size="h4" mb="xs">
        {texts.members(name)}
      </Title>
      <Waiting query={query} />
      {data ? (
        <Sideways label={texts.members(name)}>
          <Table miw={640}>
            <Table.Thead>
              <Table.Tr>
                {[texts.name, texts.email, texts.role, texts.groups, texts.permissions].map((head) => (
                  <Table.Th key={head}>{head}</Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {data.data.map((member) => (
                <Row
                  key={member.user.id}
                  organization={slug}
                  member={member}
                  open={() => setOpen(member.user)}
                />
              ))}
            </Table.Tbody>
          </Table>
        </Sideways>
      ) : null}
      <Dialog
        isOpen={open !== undefined}
        close={() => setOpen(undefined)}
        size="lg"
        title={open ? texts.permissionsOf(nameOf(open)) : ''}
      >
        {open ? (
          <Permissions key={open.id} site={site} user={open.id} done={() => setOpen(undefined)} />
        ) : null}
      </Dialog>
    </Paper>
  )
}

interface RowProps {
  organization: string
  member: Member
  open: () => void
}

function Row({ organization, member: { user, role, groups }, open }: RowProps) {
  const texts = useTexts(peopleTexts)
  const tell = useTell()
  const name = nameOf(user)
  const change = useMutation({
    mutationFn: (next: Member['role']) =>
      service.organizations.members(organization).update(user.id, { role: next }),
    async onSuccess() {
      tell(texts.roleSaved)
      await queryClient.invalidateQueries({ queryKey: membersQuery(organization).queryKey })
    },
  })
  return (
    <Table.Tr>
      <Table.Td>{name}</Table.Td>
      <Table.Td>{user.email}</Table.Td>
      <Table.Td>
        <Select
          aria-label={texts.roleOf(name)}
          data={Object.entries(texts.roles).map(([value, label]) => ({ value, label }))}
          value={change.variables && change.isPending ? change.variables : role}
          onChange={(next) => change.mutate(next as Member['role'])}
          allowDeselect={false}
          w={140}
        />
        {change.error ? <Problem error={change.error} /> : null}
      </Table.Td>
      <Table.Td>{groups.join(', ')}</Table.Td>
      <Table.Td>
        <Button size="compact-sm" variant="default" onClick={open} aria-label={texts.permissionsOf(name)}>
          {texts.change}
        </Button>
      </Table.Td>
    </Table.Tr>
  )
}
