/** The progress of a transfer, and the actions on it. */
import { Progress as Bar, Button, Group, List, Paper, Text, Title } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { queryClient } from '../../session/client.ts'
import { Problem } from '../../shared/problem.tsx'
import { saveFile } from '../../shared/save-file.ts'
import { Loading } from '../../shared/states.tsx'
import { addressOf } from '../../shell/address.ts'
import { TextLink } from '../../shell/link.tsx'
import { useTexts } from '../../texts/define.ts'
import { transferTexts } from './texts-transfers.ts'
import { cancelTransfer, goesOn, readArchive, type Transfer, transferQuery } from './transfer-calls.ts'

function percent({ state, progress: { done, total } }: Transfer): number {
  if (state === 'done') return 100
  return total ? Math.round((done / total) * 100) : 0
}

/** Shows the transfer, updated every second while it runs. */
export function Progress({ id }: { id: string }) {
  const texts = useTexts(transferTexts)
  const { data, error, refetch } = useQuery(transferQuery(id))
  const cancel = useMutation({
    mutationFn: () => cancelTransfer(id),
    onSuccess: (ended) => queryClient.setQueryData(transferQuery(id).queryKey, ended),
  })
  const download = useMutation({
    mutationFn: () => readArchive(id),
    onSuccess: (archive) => saveFile(archive, `${data?.site ?? 'site'}.zip`),
  })
  if (error) return <Problem error={error} retry={() => void refetch()} />
  if (!data) return <Loading />
  const { kind, state, site, progress, notes } = data
  return (
    <Paper component="section" aria-label={texts.progress} withBorder p="md">
      <Title order={2} size="h4">
        {texts.kinds[kind]}: {site}
      </Title>
      <Bar value={percent(data)} aria-label={texts.progress} my="xs" />
      <Text size="sm" role="status">
        {texts.states[state]} {texts.steps(progress.done, progress.total)} {texts.counts(progress)}
      </Text>
      {data.error ? <Text role="alert">{data.error}</Text> : null}
      {notes.length > 0 ? (
        <List size="sm">
          {notes.map((note) => (
            <List.Item key={note}>{note}</List.Item>
          ))}
        </List>
      ) : null}
      <Group mt="xs">
        {goesOn(data) ? (
          <Button variant="default" onClick={() => cancel.mutate()} loading={cancel.isPending}>
            {texts.cancel}
          </Button>
        ) : null}
        {state === 'done' && kind === 'export' ? (
          <Button onClick={() => download.mutate()} loading={download.isPending}>
            {texts.download}
          </Button>
        ) : null}
        {state === 'done' && kind !== 'export' ? (
          <TextLink to={addressOf(site)}>{texts.open(site)}</TextLink>
        ) : null}
      </Group>
      {cancel.error || download.error ? <Problem error={cancel.error ?? download.error} /> : null}
    </Paper>
  )
}
