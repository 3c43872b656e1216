/** The roles that people can have in a site, and a form for another one. */
import { Button, Group, Paper, Stack, TagsInput, Text, TextInput, Title } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { SiteRole } from '../../../../client/src/site/sites.ts'
import { queryClient, service } from '../../session/client.ts'
import { Problem } from '../../shared/problem.tsx'
import { useTell } from '../../shared/tell.ts'
import { useTexts } from '../../texts/define.ts'
import { rolesQuery } from './queries.ts'
import { peopleTexts } from './texts.ts'

const empty = { name: '', title: '', description: '', groups: [] as string[] }

/** Lists the roles, removes them and adds others. */
export function Roles({ site }: { site: string }) {
  const texts = useTexts(peopleTexts)
  const tell = useTell()
  const { data = [], error, refetch } = useQuery(rolesQuery(site))
  const [added, setAdded] = useState(empty)
  const save = useMutation({
    mutationFn: (roles: readonly SiteRole[]) => service.sites.roles(site).replace(roles),
    async onSuccess() {
      tell(texts.rolesSaved)
      setAdded(empty)
      await queryClient.invalidateQueries({ queryKey: rolesQuery(site).queryKey })
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate([...data, { ...added, name: added.name.trim() }])
  }
  const texted = (member: 'name' | 'title' | 'description', label: string) => (
    <TextInput
      label={label}
      value={added[member]}
      onChange={({ currentTarget: { value } }) => setAdded({ ...added, [member]: value })}
      required={member === 'name'}
    />
  )
  return (
    <Paper component="section" aria-label={texts.siteRoles} withBorder p="md">
      <Title order={2} size="h4" mb="xs">
        {texts.siteRoles}
      </Title>
      {error ? <Problem error={error} retry={() => void refetch()} /> : null}
      {data.length === 0 ? <Text>{texts.noSiteRoles}</Text> : null}
      <Stack component="ul" gap={6} pl={0}>
        {data.map(({ name, title, description, groups = [] }) => (
          <Group component="li" key={name} gap="sm">
            <Text>{[name, title, description, groups.join(', ')].filter(Boolean).join(' – ')}</Text>
            <Button
              size="compact-sm"
              variant="default"
              aria-label={texts.removeRoleOf(name)}
              onClick={() => save.mutate(data.filter((each) => each.name !== name))}
            >
              {texts.removeRole}
            </Button>
          </Group>
        ))}
      </Stack>
      <form onSubmit={submit}>
        <Stack maw={560} mt="xs">
          {texted('name', texts.roleName)}
          {texted('title', texts.roleTitle)}
          {texted('description', texts.roleDescription)}
          <TagsInput
            label={texts.roleGroups}
            value={added.groups}
            onChange={(groups) => setAdded({ ...added, groups })}
          />
          <Group>
            <Button type="submit" variant="default" loading={save.isPending}>
              {texts.addRole}
            </Button>
          </Group>
        </Stack>
      </form>
      {save.error ? <Problem error={save.error} /> : null}
    </Paper>
  )
}
