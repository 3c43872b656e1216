/** The filters of a grid: added with clicks, shown and removed one by one. */
import { Button, CloseButton, Group, NativeSelect, Popover, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { Field } from '../../session/queries.ts'
import { useLabel, useTexts } from '../../texts/define.ts'
import { filterName, type Operator, operatorsOf, readFilter } from './operators.ts'
import type { Filters } from './state.ts'
import { dataTexts } from './texts.ts'
import { filterText, filterValue } from './values.ts'

interface FilterBarProps {
  fields: readonly Field[]
  filters: Filters
  change(filters: Filters): void
}

/** Shows the filters, and the form for another one. */
export function FilterBar({ fields, filters, change }: FilterBarProps) {
  const texts = useTexts(dataTexts)
  const label = useLabel()
  const [isOpen, setOpen] = useState(false)
  const describe = (name: string, value: unknown): string => {
    const read = readFilter(name, fields)
    if (!read) return `${name} = ${filterText(value)}`
    if (read.operator.name === 'null')
      return `${read.field.name} ${value === false ? texts.hasValue : label(read.operator.label)}`
    return `${read.field.name} ${label(read.operator.label)} ${filterText(value)}`
  }
  const without = (name: string) => {
    const { [name]: _, ...others } = filters
    change(others)
  }
  return (
    <Group gap="xs">
      {Object.entries(filters).map(([name, value]) => (
        <Group key={name} gap={2} wrap="nowrap" className="chip">
          <Text size="sm">{describe(name, value)}</Text>
          <CloseButton
            size="sm"
            aria-label={texts.removeFilter(describe(name, value))}
            onClick={() => without(name)}
          />
        </Group>
      ))}
      <Popover opened={isOpen} onChange={setOpen} trapFocus withRoles position="bottom-start">
        <Popover.Target>
          <Button variant="default" size="compact-sm" onClick={() => setOpen(!isOpen)}>
            {texts.addFilter}
          </Button>
        </Popover.Target>
        <Popover.Dropdown aria-label={texts.addFilter}>
          <FilterForm
            fields={fields}
            add={(name, value) => {
              change({ ...filters, [name]: value })
              setOpen(false)
            }}
          />
        </Popover.Dropdown>
      </Popover>
    </Group>
  )
}

function FilterForm({ fields, add }: { fields: readonly Field[]; add(name: string, value: unknown): void }) {
  const texts = useTexts(dataTexts)
  const label = useLabel()
  const [fieldName, setField] = useState(fields[0]?.name ?? '')
  const field = fields.find(({ name }) => name === fieldName) as Field
  const operators = operatorsOf(field)
  const [operatorName, setOperator] = useState<string>()
  const operator = (operators.find(({ name }) => name === operatorName) ?? operators[0]) as Operator
  const [text, setText] = useState('')
  const isYesOrNo = operator.entry === 'yes or no'

  function submit(event: FormEvent): void {
    event.preventDefault()
    // The form may be in a popover inside another form, which must not be submitted, too.
    event.stopPropagation()
    add(filterName(field.name, operator.name), filterValue(field, operator, text))
  }

  return (
    <form onSubmit={submit}>
      <Stack gap="xs" w={280}>
        <NativeSelect
          label={texts.field}
          data={fields.map(({ name }) => name)}
          value={fieldName}
          onChange={(event) => setField(event.currentTarget.value)}
        />
        <NativeSelect
          label={texts.condition}
          data={operators.map(({ name, label: text }) => ({ value: name, label: label(text) }))}
          value={operator.name}
          onChange={(event) => setOperator(event.currentTarget.value)}
        />
        {isYesOrNo || (field.constraints?.enum && operator.entry === 'value') ? (
          <NativeSelect
            label={texts.value}
            data={
              isYesOrNo
                ? [
                    { value: 'true', label: texts.yes },
                    { value: 'false', label: texts.no },
                  ]
                : ['', ...(field.constraints?.enum ?? []).map(String)]
            }
            value={isYesOrNo && text === '' ? 'true' : text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        ) : (
          <TextInput
            label={texts.value}
            description={hintOf(operator, texts)}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        )}
        <Button type="submit">{texts.apply}</Button>
      </Stack>
    </form>
  )
}

const hintOf = ({ entry }: Operator, texts: { listHint: string; pairHint: string }): string | undefined =>
  ({ list: texts.listHint, pair: texts.pairHint })[entry as string]
