/** Changes a table: a draft of its schema, the plan of the change, and the change. */
import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { StaleError } from '../../../../client/src/index.ts'
import { useTell } from '../../shared/tell.ts'
import { useTexts } from '../../texts/define.ts'
import { draftOf, schemaOf } from '../schema/draft.ts'
import { PlanDialog } from '../schema/plan-dialog.tsx'
import { changeTable, refreshSchema } from '../schema/queries.ts'
import { TableEditor } from '../schema/table-editor.tsx'
import { fieldsTexts } from '../schema/texts-fields.ts'
import { planTexts } from '../schema/texts-plan.ts'
import type { PartProps } from './part.ts'

/** Shows the form. */
export function ChangeTable({ site, app, table }: PartProps) {
  const texts = useTexts(planTexts)
  const labels = useTexts(fieldsTexts)
  const tell = useTell()
  const begin = () => draftOf(table.json_schema, false)
  const [draft, change] = useState(begin)
  const [description, setDescription] = useState(table.description)
  const [isPlanned, setPlanned] = useState(false)
  const [hasMoved, setMoved] = useState(false)
  const known = table.json_schema.fields.map(({ name }) => name)
  const schema = schemaOf(draft)
  const isChanged =
    description !== table.description || JSON.stringify(schema) !== JSON.stringify(schemaOf(begin()))
  const send = async (isDry: boolean, allowsLoss = false) => {
    try {
      const path = { app, table: table.name, hash: table.schema_hash }
      return await changeTable(site, path, { json_schema: schema, description }, { isDry, allowsLoss })
    } catch (thrown) {
      if (thrown instanceof StaleError) setMoved(true)
      throw thrown
    }
  }

  return (
    <Stack>
      <TextInput
        label={labels.description}
        maw={560}
        value={description}
        onChange={(event) => setDescription(event.currentTarget.value)}
      />
      <TableEditor site={site} app={app} table={table.name} draft={draft} change={change} known={known} />
      {hasMoved ? (
        <Group>
          <Text role="alert">{texts.hasMoved}</Text>
          <Button variant="default" onClick={() => void refreshSchema(site)}>
            {texts.reload}
          </Button>
        </Group>
      ) : null}
      <Group>
        <Button disabled={!isChanged} onClick={() => setPlanned(true)}>
          {texts.showPlan}
        </Button>
        <Button
          variant="default"
          disabled={!isChanged}
          onClick={() => {
            change(begin())
            setDescription(table.description)
          }}
        >
          {texts.discard}
        </Button>
        {isChanged ? null : (
          <Text size="sm" className="muted">
            {texts.unchanged}
          </Text>
        )}
      </Group>
      {isPlanned ? (
        <PlanDialog
          title={texts.plan}
          plan={() => send(true)}
          apply={async ({ allowsLoss }) => {
            const { operation } = await send(false, allowsLoss)
            setPlanned(false)
            tell(operation ? texts.goesOn : texts.applied)
            await refreshSchema(site)
          }}
          close={() => setPlanned(false)}
        />
      ) : null}
    </Stack>
  )
}
