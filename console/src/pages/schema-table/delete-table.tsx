/** Deletes a table after its plan was shown. */
import { Button, Checkbox, Group, Stack, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { clientOf } from '../../session/client.ts'
import { useTell } from '../../shared/tell.ts'
import { addressOf } from '../../shell/address.ts'
import { useTexts } from '../../texts/define.ts'
import { PlanDialog } from '../schema/plan-dialog.tsx'
import { type Plan, refreshSchema, tablePath } from '../schema/queries.ts'
import { schemaTexts } from '../schema/texts.ts'
import { planTexts } from '../schema/texts-plan.ts'
import type { PartProps } from './part.ts'

/** Shows the button, and the plan. */
export function DeleteTable({ site, app, table }: PartProps) {
  const texts = useTexts(schemaTexts)
  const { showPlan } = useTexts(planTexts)
  const tell = useTell()
  const navigate = useNavigate()
  const [isPlanned, setPlanned] = useState(false)
  const [isWhole, setWhole] = useState(false)
  const send = (isDry: boolean) =>
    clientOf(site).request<Plan>({
      method: 'DELETE',
      path: tablePath(app, table.name),
      query: { cascade: isWhole || undefined, dry_run: isDry || undefined },
    })

  async function remove(): Promise<void> {
    await send(false)
    tell(texts.tableDeleted(table.name))
    await navigate({ to: addressOf(site, 'schema', app) })
    await refreshSchema(site)
  }

  return (
    <Stack>
      <Text>{texts.deleteText}</Text>
      <Checkbox
        label={texts.cascade}
        checked={isWhole}
        onChange={(event) => setWhole(event.currentTarget.checked)}
      />
      <Group>
        <Button color="red.9" onClick={() => setPlanned(true)}>
          {showPlan}
        </Button>
      </Group>
      {isPlanned ? (
        <PlanDialog
          title={texts.delete}
          plan={() => send(true)}
          apply={remove}
          close={() => setPlanned(false)}
        />
      ) : null}
    </Stack>
  )
}
