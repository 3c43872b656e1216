/** The permissions and the roles of a person in a site. */
import { Button, Checkbox, Stack, Title } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Permission } from '../../../../client/src/site/sites.ts'
import { queryClient, service } from '../../session/client.ts'
import { Problem } from '../../shared/problem.tsx'
import { Loading } from '../../shared/states.tsx'
import { useTell } from '../../shared/tell.ts'
import { useTexts } from '../../texts/define.ts'
import { permissionsQuery, rolesQuery } from './queries.ts'
import { peopleTexts } from './texts.ts'

interface PermissionsProps {
  site: string
  user: number
  done: () => void
}

/** Shows the permissions and the roles as checkboxes. */
export function Permissions({ site, user, done }: PermissionsProps) {
  const texts = useTexts(peopleTexts)
  const tell = useTell()
  const { data, error, refetch } = useQuery(permissionsQuery(site, user))
  const { data: offered = [] } = useQuery(rolesQuery(site))
  const [permissions, setPermissions] = useState<readonly Permission[]>()
  const [roles, setRoles] = useState<readonly string[]>()
  const shown = permissions ?? data?.permissions ?? []
  const save = useMutation({
    mutationFn: () =>
      service.sites.permissions(site).replace(user, shown, roles === undefined ? {} : { roles }),
    async onSuccess() {
      tell(texts.saved)
      await queryClient.invalidateQueries({ queryKey: permissionsQuery(site, user).queryKey })
      done()
    },
  })
  if (error) return <Problem error={error} retry={() => void refetch()} />
  if (!data) return <Loading />
  return (
    <Stack>
      <Choice
        labels={Object.entries(texts.abilities) as [Permission, string][]}
        chosen={shown}
        choose={setPermissions}
      />
      {offered.length > 0 ? (
        <Title order={3} size="h5">
          {texts.siteRoles}
        </Title>
      ) : null}
      <Choice
        labels={offered.map(({ name, title }) => [name, title || name])}
        chosen={roles ?? data.roles}
        choose={setRoles}
      />
      <Button
        onClick={() => save.mutate()}
        loading={save.isPending}
        disabled={permissions === undefined && roles === undefined}
      >
        {texts.save}
      </Button>
      {save.error ? <Problem error={save.error} /> : null}
    </Stack>
  )
}

interface ChoiceProps<Name extends string> {
  labels: readonly (readonly [Name, string])[]
  chosen: readonly Name[]
  choose(names: readonly Name[]): void
}

/** A checkbox for each name. */
function Choice<Name extends string>({ labels, chosen, choose }: ChoiceProps<Name>) {
  return labels.map(([name, label]) => (
    <Checkbox
      key={name}
      label={label}
      checked={chosen.includes(name)}
      onChange={({ currentTarget: { checked } }) => {
        const others = chosen.filter((each) => each !== name)
        choose(checked ? [...others, name] : others)
      }}
    />
  ))
}
