/** The audit log of a site: who changed what, and when. */
import { Stack, Table, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { service } from '../../session/client.ts'
import { Sideways } from '../../shared/sideways.tsx'
import { Waiting } from '../../shared/states.tsx'
import { When } from '../../shared/when.tsx'
import { useTexts } from '../../texts/define.ts'
import { settingsTexts } from './texts.ts'

const settleMs = 200

/** Lists the newest changes. */
export function Audit({ site }: { site: string }) {
  const texts = useTexts(settingsTexts)
  const [text, setText] = useState('')
  const [search] = useDebouncedValue(text.trim(), settleMs)
  const query = useQuery({
    queryKey: [site, 'audit', search],
    queryFn: ({ signal }) =>
      service.sites.audit(site, { pageSize: 50, signal, ...(search ? { search } : {}) }),
    placeholderData: keepPreviousData,
  })
  const { data } = query
  return (
    <Stack>
      <TextInput
        label={texts.search}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        maw={360}
      />
      <Waiting query={query} />
      {data?.data.length === 0 ? <Text>{texts.nothing}</Text> : null}
      {data && data.data.length > 0 ? (
        <Sideways label={texts.audit}>
          <Table miw={640}>
            <Table.Thead>
              <Table.Tr>
                {[texts.when, texts.who, texts.what, texts.object, texts.fields].map((name) => (
                  <Table.Th key={name}>{name}</Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {data.data.map(({ id, at, actor, kind, action, object, changed }) => (
                <Table.Tr key={id}>
                  <Table.Td>
                    <When at={at} />
                  </Table.Td>
                  <Table.Td>{actor?.username ?? texts.service}</Table.Td>
                  <Table.Td>
                    {kind} {texts.actions[action]}
                  </Table.Td>
                  <Table.Td>{object}</Table.Td>
                  <Table.Td>{changed.join(', ')}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Sideways>
      ) : null}
    </Stack>
  )
}
