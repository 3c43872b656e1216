/**
 * The tables of an app as a list: each with its number of fields, and whether it is a draft or of another
 * app.
 */
import { Badge, Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { TableItem } from '../session/queries.ts'
import { addressOf } from '../shell/address.ts'
import { TextLink } from '../shell/link.tsx'
import { useTexts } from '../texts/define.ts'
import { sharedTexts } from '../texts/shared.ts'
import { Empty } from './states.tsx'

interface TableListProps {
  site: string
  app: string
  tables: readonly TableItem[]
  /** The target of a table's name: its records, or its schema. */
  area: 'data' | 'schema'
  /** Whether there is also a link to the records. */
  hasRecordLinks?: boolean
  /** A link to create the first table. Omitted: the list only says that there is none. */
  beginning?: ReactNode
}

/** Shows the tables, or says that there are none. */
export function TableList({ site, app, tables, area, hasRecordLinks = false, beginning }: TableListProps) {
  const texts = useTexts(sharedTexts)
  if (tables.length === 0)
    return beginning ? (
      <Empty title={texts.noTables}>{beginning}</Empty>
    ) : (
      <Text mt="xs">{texts.noTables}</Text>
    )
  return (
    <Stack component="ul" gap={6} mt="xs" mb={0} pl={0}>
      {tables.map(({ name, field_count, is_materialized, is_reference }) => (
        <Group component="li" key={name} gap="xs">
          <TextLink to={addressOf(site, area, app, name)}>{name}</TextLink>
          <Text size="sm" className="muted">
            {texts.fields(field_count)}
          </Text>
          {hasRecordLinks && is_materialized ? (
            <TextLink to={addressOf(site, 'data', app, name)} size="sm">
              {texts.records}
            </TextLink>
          ) : null}
          {is_materialized ? null : <Badge variant="default">{texts.draft}</Badge>}
          {is_reference ? <Badge variant="default">{texts.reference}</Badge> : null}
        </Group>
      ))}
    </Stack>
  )
}
