/** The other settings of a field: texts, a default, constraints, and the table that it references. */
import { Checkbox, Group, NativeSelect, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { queryClient } from '../../session/client.ts'
import { type Field, tableQuery, tablesQuery } from '../../session/queries.ts'
import { useTexts } from '../../texts/define.ts'
import { textOf, valueOfText } from '../data/values.ts'
import { Committed } from './committed.tsx'
import {
  type Draft,
  deleteRules,
  referenceOf,
  searchedName,
  withField,
  withReference,
  withRest,
} from './draft.ts'
import type { EditorProps } from './editor-props.ts'
import { type Bound, boundsOf, textFormats } from './field-kinds.ts'
import { checksTexts } from './texts-checks.ts'
import { fieldsTexts } from './texts-fields.ts'

interface DetailsProps extends EditorProps {
  id: number
  field: Field
}

type Constraints = NonNullable<Field['constraints']>

const whole: readonly Bound[] = ['minLength', 'maxLength']

/** Returns the members of a field that have a value. */
const without = <Value extends object>(value: Value): Value =>
  Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as Value

/** Shows the inputs. */
export function FieldDetails(props: DetailsProps) {
  const { draft, change, id, field } = props
  const texts = useTexts(fieldsTexts)
  const checks = useTexts(checksTexts)
  const [wrong, setWrong] = useState(false)
  const { type, constraints = {} } = field
  const set = (part: { [Name in keyof Field]?: Field[Name] | undefined }) =>
    change(withField(draft, id, without({ ...field, ...part }) as Field))
  const bound = (name: Bound, value: unknown) =>
    set({ constraints: without({ ...constraints, [name]: value }) as Constraints })

  function setBound(name: Bound, text: string): void {
    if (text.trim() === '') bound(name, undefined)
    else if (name === 'enum')
      bound(
        name,
        text.split(',').map((one) => valueOfText(field, one.trim())),
      )
    else if (whole.includes(name)) bound(name, Number(text))
    else bound(name, name === 'pattern' ? text : valueOfText(field, text))
  }

  function setDefault(text: string): void {
    try {
      set({ default: text === '' ? undefined : valueOfText(field, text) })
      setWrong(false)
    } catch {
      setWrong(true)
    }
  }

  const boundText = (name: Bound): string => {
    const value = constraints[name as keyof Constraints]
    if (Array.isArray(value)) return value.map(String).join(', ')
    return value === undefined ? '' : String(value)
  }
  return (
    <Stack gap="xs" mt="xs">
      <Group gap="xs" align="start">
        <Committed
          label={texts.title}
          value={field.title ?? ''}
          commit={(text) => set({ title: text || undefined })}
        />
        <Committed
          label={texts.description}
          miw={240}
          value={field.description ?? ''}
          commit={(text) => set({ description: text || undefined })}
        />
        <Committed
          label={texts.default}
          value={field.default === undefined ? '' : textOf(field, field.default)}
          commit={setDefault}
          error={wrong ? texts.notJson : undefined}
        />
        {type === 'string' ? (
          <NativeSelect
            label={texts.format}
            data={['', ...textFormats]}
            value={field.format ?? ''}
            onChange={(event) => set({ format: event.currentTarget.value || undefined })}
          />
        ) : null}
      </Group>
      <Group gap="xs" align="start">
        {boundsOf(type)
          .filter((name) => name !== 'unique')
          .map((name) => (
            <Committed
              key={name}
              label={texts.bounds[name]}
              value={boundText(name)}
              commit={(text) => setBound(name, text)}
            />
          ))}
      </Group>
      <Committed
        label={checks.generated}
        description={checks.generatedText}
        maw={560}
        value={field.generated ?? ''}
        commit={(text) => set({ generated: text.trim() === '' ? undefined : text })}
        styles={{ input: { fontFamily: 'ui-monospace, monospace' } }}
      />
      <ReferenceChoice {...props} />
      {type === 'string' ? (
        <Checkbox
          label={texts.searched}
          checked={isSearched(draft, field.name)}
          onChange={(event) => change(withSearched(draft, field.name, event.currentTarget.checked))}
        />
      ) : null}
    </Stack>
  )
}

const isSearched = ({ rest }: Draft, name: string): boolean =>
  (rest.search_fields ?? []).some((one) => searchedName(one) === name)

function withSearched(draft: Draft, name: string, isIn: boolean): Draft {
  const others = (draft.rest.search_fields ?? []).filter((one) => searchedName(one) !== name)
  return withRest(draft, { search_fields: [...others, ...(isIn ? [name] : [])] })
}

/** The table that a field references, and what happens when the record there is deleted. */
function ReferenceChoice({ site, app, table, draft, change, id, field }: DetailsProps) {
  const texts = useTexts(fieldsTexts)
  const tables = useQuery(tablesQuery(site, app))
  const [isRefused, setRefused] = useState(false)
  const reference = referenceOf(draft, field.name)
  const resource = reference?.reference.resource
  const own = table ?? ''
  const names = (tables.data ?? []).map(({ name }) => name).filter((name) => name !== own)

  async function choose(target: string): Promise<void> {
    setRefused(false)
    if (target === '') return change(withReference(draft, field.name, undefined))
    const isOwn = target === itself
    const key = isOwn
      ? (draft.rest.primaryKey ?? [])
      : (await queryClient.fetchQuery(tableQuery(site, app, target))).primary_key
    const [only] = key
    if (only === undefined || key.length > 1) return setRefused(true)
    const fields = isOwn
      ? draft.rows.map((row) => row.field)
      : (await queryClient.fetchQuery(tableQuery(site, app, target))).json_schema.fields
    const type = fields.find(({ name }) => name === only)?.type ?? field.type
    const retyped = withField(draft, id, { ...field, type })
    change(
      withReference(retyped, field.name, {
        fields: [field.name],
        reference: { resource: isOwn ? '' : target, fields: [only] },
      }),
    )
  }

  if (reference === undefined && (draft.rest.primaryKey ?? []).join() === field.name) return null
  return (
    <Group gap="xs" align="start">
      <NativeSelect
        label={texts.references}
        data={[{ value: '', label: texts.nothing }, { value: itself, label: texts.itself }, ...names]}
        value={resource === '' || (resource !== undefined && resource === own) ? itself : (resource ?? '')}
        onChange={(event) => void choose(event.currentTarget.value)}
        error={isRefused ? texts.severalKeys : undefined}
      />
      {reference ? (
        <NativeSelect
          label={texts.onDelete}
          data={deleteRules.map((rule) => ({ value: rule, label: texts.deleteRules[rule] ?? rule }))}
          value={reference['x-actions']?.onDelete ?? 'RESTRICT'}
          onChange={(event) =>
            change(
              withReference(draft, field.name, {
                ...reference,
                'x-actions': { onDelete: event.currentTarget.value },
              }),
            )
          }
        />
      ) : null}
      {reference ? <Text size="sm" mt={32}>{`→ ${reference.reference.fields.join(', ')}`}</Text> : null}
    </Group>
  )
}

/** The value of the option for the table itself. No table has this name. */
const itself = '.'
