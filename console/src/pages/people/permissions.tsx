/** The permissions of a person in a site. */
import { Button, Checkbox, Stack } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Permission } from '../../../../client/src/site/sites.ts'
import { queryClient, service } from '../../session/client.ts'
import { Problem } from '../../shared/problem.tsx'
import { Loading } from '../../shared/states.tsx'
import { useTell } from '../../shared/tell.ts'
import { useTexts } from '../../texts/define.ts'
import { permissionsQuery } from './queries.ts'
import { peopleTexts } from './texts.ts'

interface PermissionsProps {
  site: string
  user: number
  done: () => void
}

/** Shows the permissions as checkboxes. */
export function Permissions({ site, user, done }: PermissionsProps) {
  const texts = useTexts(peopleTexts)
  const tell = useTell()
  const { data, error, refetch } = useQuery(permissionsQuery(site, user))
  const [chosen, setChosen] = useState<readonly Permission[]>()
  const shown = chosen ?? data ?? []
  const save = useMutation({
    mutationFn: () => service.sites.permissions(site).replace(user, shown),
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
      {Object.entries(texts.abilities).map(([permission, label]) => (
        <Checkbox
          key={permission}
          label={label}
          checked={shown.includes(permission as Permission)}
          onChange={({ currentTarget: { checked } }) => {
            const others = shown.filter((each) => each !== permission)
            setChosen(checked ? [...others, permission as Permission] : others)
          }}
        />
      ))}
      <Button onClick={() => save.mutate()} loading={save.isPending} disabled={chosen === undefined}>
        {texts.save}
      </Button>
      {save.error ? <Problem error={save.error} /> : null}
    </Stack>
  )
}
