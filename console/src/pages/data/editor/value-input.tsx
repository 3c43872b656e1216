/** The input of a value, according to the type of its field. */
import { NativeSelect, Textarea, TextInput } from '@mantine/core'
import { CodeField } from '../../../shared/code-field.tsx'
import { useTexts } from '../../../texts/define.ts'
import { dataTexts } from '../texts.ts'
import { isNumeric, isReadable, isStructured } from '../values.ts'
import type { ValueInputProps } from './input-props.ts'
import { ReferenceInput } from './reference-input.tsx'
import { instantOf, localText, zone } from './times.ts'

const longText = 60

export function ValueInput(props: ValueInputProps) {
  const texts = useTexts(dataTexts)
  const { field, foreignKey, text, change, error, isRequired = false, save, isAlone = false } = props
  const shared = {
    label: field.title ?? field.name,
    description: field.description,
    error,
    required: isRequired,
    value: text,
    'data-autofocus': true,
    onChange: (event: { currentTarget: { value: string } }) => change(event.currentTarget.value),
  }
  if (foreignKey) return <ReferenceInput {...props} foreignKey={foreignKey} />
  const choices = field.type === 'boolean' ? ['true', 'false'] : field.constraints?.enum?.map(String)
  if (choices && !isStructured(field))
    return <NativeSelect {...shared} data={[{ value: '', label: texts.noValue }, ...choices]} />
  if (isStructured(field))
    return (
      <CodeField
        language="json"
        label={shared.label}
        description={field.description}
        error={error ?? (isReadable(field, text) ? undefined : texts.notJson)}
        value={text}
        onChange={change}
        save={save}
        lines={[4, 16]}
        takesFocus={isAlone}
        isRequired={isRequired}
      />
    )
  if (field.type === 'date') return <TextInput {...shared} type="date" />
  if (field.type === 'datetime')
    return (
      <TextInput
        {...shared}
        type="datetime-local"
        step={1}
        description={texts.inZone(zone())}
        value={localText(text)}
        onChange={(event) => change(instantOf(event.currentTarget.value))}
      />
    )
  if (isNumeric(field)) return <TextInput {...shared} inputMode="decimal" />
  const isLong = field.type === 'string' && (field.constraints?.maxLength ?? Infinity) > longText
  return isLong ? <Textarea {...shared} autosize maxRows={14} /> : <TextInput {...shared} />
}
