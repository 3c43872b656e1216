/** The secrets of a site and of its apps: values on request, changes, and the history. */
import { Button, Group, Select, Stack, Table } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useSite } from '../../session/client.ts'
import { appsQuery } from '../../session/queries.ts'
import { Dialog } from '../../shared/dialog.tsx'
import { Sideways } from '../../shared/sideways.tsx'
import { Empty, PageHead, Waiting } from '../../shared/states.tsx'
import { useTexts } from '../../texts/define.ts'
import { History } from './history.tsx'
import { secretsQuery } from './queries.ts'
import { SecretForm } from './secret-form.tsx'
import { SecretRow } from './secret-row.tsx'
import { secretsTexts } from './texts.ts'

/** The open panel next to the list. */
type Open = { kind: 'history' | 'edit'; key: string } | { kind: 'new' } | undefined

/** Shows the secrets of a level. */
export function Page() {
  const texts = useTexts(secretsTexts)
  const { site } = useSite()
  const navigate = useNavigate()
  const { app } = useSearch({ strict: false }) as { app?: string }
  const apps = useQuery(appsQuery(site))
  const query = useQuery(secretsQuery(site, app))
  const { data } = query
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const title = open?.kind === 'history' ? texts.historyOf(open.key) : undefined
  return (
    <Stack maw={1200}>
      <PageHead title={texts.title} hint={texts.hint} />
      <Group align="end">
        <Select
          label={texts.level}
          data={[
            { value: '', label: texts.siteLevel },
            ...(apps.data?.results ?? []).map(({ slug, name }) => ({ value: slug, label: name })),
          ]}
          value={app ?? ''}
          onChange={(value) => void navigate({ to: '.', search: (value ? { app: value } : {}) as never })}
          allowDeselect={false}
        />
        <Button onClick={() => setOpen({ kind: 'new' })}>{texts.newSecret}</Button>
      </Group>
      <Waiting query={query} />
      {data?.length === 0 ? <Empty title={texts.none}>{texts.noneText}</Empty> : null}
      {data && data.length > 0 ? (
        <Sideways label={texts.title}>
          <Table miw={700}>
            <Table.Thead>
              <Table.Tr>
                {[texts.key, texts.type, texts.sensitivity, texts.by, texts.changed, texts.actionsOf].map(
                  (name) => (
                    <Table.Th key={name}>{name}</Table.Th>
                  ),
                )}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {data.map((secret) => (
                <SecretRow
                  key={secret.key}
                  app={app}
                  secret={secret}
                  openHistory={() => setOpen({ kind: 'history', key: secret.key })}
                  openEditor={() => setOpen({ kind: 'edit', key: secret.key })}
                />
              ))}
            </Table.Tbody>
          </Table>
        </Sideways>
      ) : null}
      <Dialog
        isOpen={open !== undefined}
        close={close}
        size="lg"
        title={title ?? (open?.kind === 'edit' ? texts.editOf(open.key) : texts.newSecret)}
      >
        {open?.kind === 'history' ? <History app={app} secretKey={open.key} /> : null}
        {open?.kind === 'edit' ? <SecretForm app={app} secretKey={open.key} done={close} /> : null}
        {open?.kind === 'new' ? <SecretForm app={app} done={close} /> : null}
      </Dialog>
    </Stack>
  )
}
