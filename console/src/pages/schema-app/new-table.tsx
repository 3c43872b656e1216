/** Creates a table from its name and its fields, after its plan was shown. */
import { Button, Group, NativeSelect, Stack, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTell } from '../../shared/tell.ts'
import { addressOf } from '../../shell/address.ts'
import { useTexts } from '../../texts/define.ts'
import { newDraft, schemaOf } from '../schema/draft.ts'
import { PlanDialog } from '../schema/plan-dialog.tsx'
import { createTable, datasourcesQuery, refreshSchema } from '../schema/queries.ts'
import { TableEditor } from '../schema/table-editor.tsx'
import { schemaTexts } from '../schema/texts.ts'
import { fieldsTexts } from '../schema/texts-fields.ts'
import { planTexts } from '../schema/texts-plan.ts'

/** Shows the form. */
export function NewTable({ site, app }: { site: string; app: string }) {
  const texts = useTexts(schemaTexts)
  const { showPlan, plan } = useTexts(planTexts)
  const labels = useTexts(fieldsTexts)
  const tell = useTell()
  const navigate = useNavigate()
  const [name, setName] = useState('')
  const [description, setDescription] = useState('')
  const [draft, change] = useState(newDraft)
  const [isPlanned, setPlanned] = useState(false)
  const datasources = useQuery(datasourcesQuery(site, app))
  const [chosen, setChosen] = useState<string>()
  const datasource = chosen ?? datasources.data?.[0]?.slug
  const send = (isDry: boolean) =>
    createTable(site, app, { name, description, schema: schemaOf(draft) }, { isDry, datasource })

  async function make(): Promise<void> {
    const { datatables } = (await send(false)) as unknown as { datatables: { name: string }[] }
    const made = datatables[0]?.name ?? name
    await refreshSchema(site)
    tell(texts.tableMade(made))
    await navigate({ to: addressOf(site, 'schema', app, made) })
  }

  return (
    <Stack>
      <Group align="start">
        <TextInput
          label={texts.tableName}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          required
        />
        <TextInput
          label={labels.description}
          miw={280}
          value={description}
          onChange={(event) => setDescription(event.currentTarget.value)}
        />
        {datasources.data && datasources.data.length > 1 ? (
          <NativeSelect
            label={texts.stored}
            data={datasources.data.map(({ name: label, slug, provider_type }) => ({
              value: slug,
              label: `${label}: ${texts.storedAs[provider_type] ?? provider_type}`,
            }))}
            value={datasource ?? ''}
            onChange={(event) => setChosen(event.currentTarget.value)}
          />
        ) : null}
      </Group>
      <TableEditor site={site} app={app} table={undefined} draft={draft} change={change} known={[]} />
      <Group>
        <Button disabled={name.trim() === ''} onClick={() => setPlanned(true)}>
          {showPlan}
        </Button>
      </Group>
      {isPlanned ? (
        <PlanDialog title={plan} plan={() => send(true)} apply={make} close={() => setPlanned(false)} />
      ) : null}
    </Stack>
  )
}
