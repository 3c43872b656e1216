/** Lists of the parts of a table schema: fields, keys, indexes, checks, ranges, exclusions. */
import { ActionIcon, Button, Group, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

interface PartsProps {
  title: string
  text: string
  /** The inputs of each part. */
  children: ReactNode
  /** What the button says that adds a part. */
  addText: string
  add(): void
}

/** Shows a list of parts under a title, and a button that adds one. */
export function Parts({ title, text, children, addText, add }: PartsProps) {
  return (
    <Stack gap="xs" component="section" aria-label={title}>
      <Title order={2} size="h5">
        {title}
      </Title>
      <Text size="sm" className="muted">
        {text}
      </Text>
      {children}
      <AddPart text={addText} add={add} />
    </Stack>
  )
}

export const AddPart = ({ text, add }: { text: string; add(): void }) => (
  <Group>
    <Button variant="default" size="compact-md" onClick={add}>
      {text}
    </Button>
  </Group>
)

export const RemovePart = ({ label, remove }: { label: string; remove(): void }) => (
  <ActionIcon variant="default" mb={4} aria-label={label} onClick={remove}>
    ✕
  </ActionIcon>
)

/** Returns a name that none of these is: `range_2`. */
export function freeName(prefix: string, taken: readonly string[]): string {
  let number = taken.length + 1
  while (taken.includes(`${prefix}_${number}`)) number++
  return `${prefix}_${number}`
}

export const namesOf = (parts: readonly { name: string }[]): string[] => parts.map(({ name }) => name)
