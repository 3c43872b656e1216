/** Shows what the rules of an app allow, as a matrix, and advice about them. */
import { Alert, List, Paper, Table, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Sideways } from '../../shared/sideways.tsx'
import { Waiting } from '../../shared/states.tsx'
import { useTexts } from '../../texts/define.ts'
import { type Permit, reportQuery } from './queries.ts'
import { useWho } from './sentences.ts'
import { accessTexts } from './texts.ts'

/** Shows the matrix: a row for each table and kind of caller, a column for each action. */
export function Matrix({ site, app }: { site: string; app: string }) {
  const texts = useTexts(accessTexts)
  const who = useWho()
  const query = useQuery(reportQuery(site, app))
  const { data } = query
  const permits = data?.permits ?? []
  const actions = [...new Set(permits.map(({ can }) => can))]
  const rows = [...Map.groupBy(permits, (permit) => `${permit.datatable} ${permit.who}`).values()]
  return (
    <Paper component="section" aria-label={texts.matrix} withBorder p="md">
      <Title order={2} size="h4" mb="xs">
        {texts.matrix}
      </Title>
      <Waiting query={query} />
      {data && permits.length === 0 ? <Text>{texts.nobody}</Text> : null}
      {rows.length > 0 ? (
        <Sideways label={texts.matrix}>
          <Table miw={560}>
            <Table.Thead>
              <Table.Tr>
                {[texts.table, texts.as, ...actions.map((action) => texts.can[action] ?? action)].map(
                  (name) => (
                    <Table.Th key={name}>{name}</Table.Th>
                  ),
                )}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.map(([first, ...others]) =>
                first ? (
                  <Table.Tr key={`${first.datatable} ${first.who}`}>
                    <Table.Td>{first.datatable}</Table.Td>
                    <Table.Td>{who(first.who).replace(/,$/, '')}</Table.Td>
                    {actions.map((action) => (
                      <Cell key={action} permit={[first, ...others].find(({ can }) => can === action)} />
                    ))}
                  </Table.Tr>
                ) : null,
              )}
            </Table.Tbody>
          </Table>
        </Sideways>
      ) : null}
      {data && data.advice.length > 0 ? (
        <Alert color="yellow" title={texts.advice} mt="md">
          <List size="sm">
            {data.advice.map(({ datatable, rule, message }) => (
              <List.Item key={`${datatable} ${rule} ${message}`}>
                <b>
                  {datatable}, {rule}:
                </b>{' '}
                {message}
              </List.Item>
            ))}
          </List>
        </Alert>
      ) : null}
    </Paper>
  )
}

function Cell({ permit }: { permit: Permit | undefined }) {
  const texts = useTexts(accessTexts)
  return (
    <Table.Td>
      {permit ? (
        <Text size="sm" title={permit.fields.join(', ')}>
          {texts.records[permit.records]} ({permit.rules.join(', ')})
        </Text>
      ) : (
        '–'
      )}
    </Table.Td>
  )
}
