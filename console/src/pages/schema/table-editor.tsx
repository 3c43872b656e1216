/** The editor of a schema: a form, or JSON. Both change the same draft. */
import { Button, Group, Stack, Tabs, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { CodeField } from '../../shared/code-field.tsx'
import { parseObject } from '../../shared/json-object.ts'
import { useTexts } from '../../texts/define.ts'
import { ChecksEditor } from './checks-editor.tsx'
import { draftOfJson, type Schema, schemaOf } from './draft.ts'
import type { EditorProps } from './editor-props.ts'
import { FieldsEditor } from './fields-editor.tsx'
import { KeysEditor } from './keys-editor.tsx'
import { fieldsTexts } from './texts-fields.ts'

/** Shows the editor. `known`: the current fields of the table. */
export function TableEditor({ known, ...props }: EditorProps & { known: readonly string[] }) {
  const texts = useTexts(fieldsTexts)
  const [form, setForm] = useState<string | null>('form')
  return (
    <Tabs value={form} onChange={setForm} keepMounted={false}>
      <Tabs.List>
        <Tabs.Tab value="form">{texts.asForm}</Tabs.Tab>
        <Tabs.Tab value="json">{texts.asJson}</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="form" pt="sm">
        <Stack>
          <Title order={2} size="h5">
            {texts.fields}
          </Title>
          <FieldsEditor {...props} />
          <KeysEditor draft={props.draft} change={props.change} />
          <ChecksEditor draft={props.draft} change={props.change} />
        </Stack>
      </Tabs.Panel>
      <Tabs.Panel value="json" pt="sm">
        <JsonForm {...props} known={known} />
      </Tabs.Panel>
    </Tabs>
  )
}

function JsonForm({ draft, change, known }: EditorProps & { known: readonly string[] }) {
  const texts = useTexts(fieldsTexts)
  const shown = JSON.stringify(schemaOf(draft), null, 2)
  const [text, setText] = useState(shown)
  const schema = parseObject(text)
  const isSchema =
    Array.isArray(schema?.fields) && schema.fields.every((field) => typeof field?.name === 'string')
  return (
    <Stack gap="xs">
      <Text size="sm" className="muted">
        {texts.jsonText}
      </Text>
      <CodeField
        language="json"
        label={texts.asJson}
        value={text}
        onChange={setText}
        error={isSchema ? undefined : texts.notJson}
        lines={[10, 40]}
      />
      <Group>
        <Button
          variant="default"
          disabled={!isSchema || text === shown}
          onClick={() => change(draftOfJson(schema as Schema, known))}
        >
          {texts.takeJson}
        </Button>
      </Group>
    </Stack>
  )
}
