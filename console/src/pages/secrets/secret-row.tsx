/** A row of the list of secrets. */
import { Button, Code, Group, Table } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { queryClient, useSite } from '../../session/client.ts'
import { Problem } from '../../shared/problem.tsx'
import { useTell } from '../../shared/tell.ts'
import { When } from '../../shared/when.tsx'
import { useTexts } from '../../texts/define.ts'
import { type SecretItem, secretsQuery } from './queries.ts'
import { secretsTexts } from './texts.ts'

interface RowProps {
  app: string | undefined
  secret: SecretItem
  openHistory: () => void
  openEditor: () => void
}

/**
 * Shows a secret. Its value is loaded when the button is pressed, and removed from memory when it is hidden.
 */
export function SecretRow({ app, secret, openHistory, openEditor }: RowProps) {
  const texts = useTexts(secretsTexts)
  const tell = useTell()
  const { site, client } = useSite()
  const { key, secret_type, sensitivity_level, created_by, modified_at } = secret
  const level = app ? { app } : {}
  const reading = useMutation({ mutationFn: () => client.secrets.get(key, level) })
  const removal = useMutation({
    mutationFn: () => client.secrets.delete(key, level),
    async onSuccess() {
      tell(texts.removed(key))
      await queryClient.invalidateQueries({ queryKey: secretsQuery(site, app).queryKey })
    },
  })
  const problem = reading.error ?? removal.error
  return (
    <Table.Tr>
      <Table.Td>
        <b>{key}</b>
        {reading.data ? <Code block>{JSON.stringify(reading.data.value, null, 2)}</Code> : null}
        {problem ? <Problem error={problem} /> : null}
      </Table.Td>
      <Table.Td>{secret_type}</Table.Td>
      <Table.Td>{sensitivity_level}</Table.Td>
      <Table.Td>{created_by}</Table.Td>
      <Table.Td>
        <When at={modified_at} />
      </Table.Td>
      <Table.Td>
        <Group gap={6} wrap="nowrap" justify="end">
          <Button
            size="compact-sm"
            variant="default"
            aria-label={reading.data ? undefined : texts.showOf(key)}
            loading={reading.isPending}
            onClick={() => (reading.data ? reading.reset() : reading.mutate())}
          >
            {reading.data ? texts.hide : texts.show}
          </Button>
          <Button size="compact-sm" variant="default" aria-label={texts.historyOf(key)} onClick={openHistory}>
            {texts.history}
          </Button>
          <Button size="compact-sm" variant="default" aria-label={texts.editOf(key)} onClick={openEditor}>
            {texts.edit}
          </Button>
          <Button
            size="compact-sm"
            variant="outline"
            color="red"
            aria-label={texts.removeOf(key)}
            onClick={() => {
              if (window.confirm(texts.removeAsk(key))) removal.mutate()
            }}
          >
            {texts.remove}
          </Button>
        </Group>
      </Table.Td>
    </Table.Tr>
  )
}
