/** The steps of a plan. */
import { Badge, Code, Group, Stack, Text } from '@mantine/core'
import { useTexts } from '../../texts/define.ts'
import type { Step } from './queries.ts'
import { planTexts } from './texts-plan.ts'

/** Lists the steps, each with its SQL, which can be expanded. */
export function PlanSteps({ steps }: { steps: readonly Step[] }) {
  const texts = useTexts(planTexts)
  return (
    <Stack component="ol" gap="xs" m={0} pl="lg">
      {steps.map((step) => (
        <li key={`${step.description} ${step.sql}`}>
          <Group gap="xs">
            <Text size="sm">{step.description}</Text>
            <Badge variant="default" tt="none">
              {step.blocks_ms === undefined
                ? texts.lock[lockOf(step)]
                : texts.waitsFor(Math.ceil(step.blocks_ms / 1000))}
            </Badge>
            {step.destructive ? (
              <Badge color="red.9" tt="none">
                {texts.loses}
              </Badge>
            ) : null}
          </Group>
          <details>
            <summary>
              <Text span size="sm">
                {texts.sql}
              </Text>
            </summary>
            <Code block className="wrapped" tabIndex={0}>
              {step.sql}
            </Code>
          </details>
        </li>
      ))}
    </Stack>
  )
}

/**
 * Returns how a step affects readers and writers: slow work on a large table runs online; a new table has no
 * readers; otherwise Postgres locks the table.
 */
function lockOf({ operation, online }: Step): string {
  if (online) return 'online'
  return operation === 'create_table' ? 'none' : 'waits'
}
