/** Code with a title, and a button that copies it. */
import { Button, Code, CopyButton, Group, Text } from '@mantine/core'
import { useTexts } from '../texts/define.ts'
import { shellTexts } from '../texts/shell.ts'

export function CopyCode({ title, text }: { title: string; text: string }) {
  const shell = useTexts(shellTexts)
  return (
    <section aria-label={title}>
      <Group justify="space-between" mb={4}>
        <Text fw={600}>{title}</Text>
        <CopyButton value={text}>
          {({ copied, copy }) => (
            <Button
              size="compact-sm"
              variant="default"
              aria-label={`${copied ? shell.copied : shell.copy}: ${title}`}
              onClick={copy}
            >
              {copied ? shell.copied : shell.copy}
            </Button>
          )}
        </CopyButton>
      </Group>
      <Code block className="wrapped" tabIndex={0} aria-label={title} role="group">
        {text}
      </Code>
    </section>
  )
}
