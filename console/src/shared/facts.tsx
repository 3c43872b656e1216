/** Names with their values, as a list of facts. */
import { Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'

/** Shows each name with its value. `null` and empty values are omitted. */
export const Facts = ({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) => (
  <Stack component="dl" gap={4} m={0}>
    {facts
      .filter(([, value]) => value !== null && value !== undefined && value !== '')
      .map(([name, value]) => (
        <Group key={name} gap="xs" wrap="nowrap" align="baseline">
          <Text component="dt" size="sm" className="muted" w={170} style={{ flex: 'none' }}>
            {name}
          </Text>
          <Text component="dd" size="sm" m={0} style={{ overflowWrap: 'anywhere' }}>
            {value}
          </Text>
        </Group>
      ))}
  </Stack>
)
