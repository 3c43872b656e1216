/** The editor of the fields of a table: their names, order and settings. */
import {
  ActionIcon,
  Badge,
  Button,
  Checkbox,
  Collapse,
  Group,
  NativeSelect,
  Paper,
  Stack,
} from '@mantine/core'
import { useState } from 'react'
import type { Field } from '../../session/queries.ts'
import { useTexts } from '../../texts/define.ts'
import { Committed } from './committed.tsx'
import { fieldsOf, movedField, referenceOf, withField, withNewField, withoutField } from './draft.ts'
import type { EditorProps } from './editor-props.ts'
import { FieldDetails } from './field-details.tsx'
import { boundsOf, typeNames } from './field-kinds.ts'
import { AddPart, freeName } from './parts.tsx'
import { fieldsTexts } from './texts-fields.ts'

/** Lists the fields. */
export function FieldsEditor(props: EditorProps) {
  const { draft, change } = props
  const texts = useTexts(fieldsTexts)
  const names = fieldsOf(draft).map(({ name }) => name)
  const add = () => change(withNewField(draft, { name: freeName('field', names), type: 'string' }))
  return (
    <Stack gap="xs" component="section" aria-label={texts.fields}>
      {draft.rows.map(({ id, field, origin }, index) => (
        <FieldRow
          key={id}
          {...props}
          id={id}
          field={field}
          origin={origin}
          names={names}
          isFirst={index === 0}
          isLast={index === draft.rows.length - 1}
        />
      ))}
      <AddPart text={texts.addField} add={add} />
    </Stack>
  )
}

interface RowProps extends EditorProps {
  id: number
  field: Field
  /** The name of the field in the table. */
  origin: string | undefined
  names: readonly string[]
  isFirst: boolean
  isLast: boolean
}

function FieldRow({ id, field, origin, names, isFirst, isLast, ...props }: RowProps) {
  const { draft, change } = props
  const texts = useTexts(fieldsTexts)
  const [isOpen, setOpen] = useState(false)
  const [taken, setTaken] = useState<string>()
  const { name, type, constraints = {} } = field
  const isKey = draft.rest.primaryKey?.includes(name) ?? false
  const reference = referenceOf(draft, name)
  const set = (part: Partial<Field>) => change(withField(draft, id, { ...field, ...part }))

  function rename(next: string): void {
    const trimmed = next.trim()
    const isTaken = trimmed === '' || (trimmed !== name && names.includes(trimmed))
    setTaken(isTaken ? trimmed : undefined)
    if (!isTaken) set({ name: trimmed })
  }

  /** Settings that the new type does not support are removed. */
  function retype(next: string): void {
    const allowed: readonly string[] = ['required', ...boundsOf(next)]
    const kept = Object.entries(constraints).filter(([bound]) => allowed.includes(bound))
    const { constraints: _, default: __, format: ___, ...others } = field
    const left = kept.length > 0 ? { constraints: Object.fromEntries(kept) } : {}
    change(withField(draft, id, { ...others, type: next, ...left }))
  }

  return (
    <Paper withBorder p="xs" component="section" aria-label={name}>
      <Group gap="xs" align="end">
        <Committed
          label={texts.fieldName}
          w={190}
          value={name}
          commit={rename}
          error={taken === undefined ? undefined : texts.taken(taken)}
        />
        <NativeSelect
          label={texts.type}
          w={130}
          data={typeNames.includes(type) ? [...typeNames] : [type, ...typeNames]}
          value={type}
          onChange={(event) => retype(event.currentTarget.value)}
        />
        <Checkbox
          label={texts.required}
          mb={8}
          checked={constraints.required ?? false}
          onChange={(event) =>
            set({ constraints: { ...constraints, required: event.currentTarget.checked } })
          }
        />
        {boundsOf(type).includes('unique') ? (
          <Checkbox
            label={texts.unique}
            mb={8}
            checked={Boolean(constraints.unique)}
            onChange={(event) =>
              set({ constraints: { ...constraints, unique: event.currentTarget.checked } })
            }
          />
        ) : null}
        <Group gap={4} mb={4}>
          <Button
            size="compact-sm"
            variant="default"
            aria-expanded={isOpen}
            aria-label={texts.moreOf(name)}
            onClick={() => setOpen(!isOpen)}
          >
            {texts.more}
          </Button>
          <ActionIcon
            variant="default"
            disabled={isFirst}
            aria-label={texts.moveUp(name)}
            onClick={() => change(movedField(draft, id, -1))}
          >
            ↑
          </ActionIcon>
          <ActionIcon
            variant="default"
            disabled={isLast}
            aria-label={texts.moveDown(name)}
            onClick={() => change(movedField(draft, id, 1))}
          >
            ↓
          </ActionIcon>
          <ActionIcon
            variant="default"
            aria-label={texts.removeField(name)}
            onClick={() => change(withoutField(draft, id))}
          >
            ✕
          </ActionIcon>
        </Group>
        <Group gap={4} mb={6}>
          {isKey ? <Badge variant="default">{texts.key}</Badge> : null}
          {reference ? (
            <Badge variant="default" tt="none">
              → {reference.reference.resource || texts.itself}
            </Badge>
          ) : null}
          {origin === undefined && props.table !== undefined ? (
            <Badge variant="default">{texts.isNew}</Badge>
          ) : null}
          {origin !== undefined && origin !== name ? (
            <Badge variant="default" tt="none">
              {texts.was(origin)}
            </Badge>
          ) : null}
        </Group>
      </Group>
      <Collapse expanded={isOpen}>
        {isOpen ? <FieldDetails {...props} id={id} field={field} /> : null}
      </Collapse>
    </Paper>
  )
}
