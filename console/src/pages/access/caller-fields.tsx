/** The fields for the callers to whom a rule applies: a kind, and its name if the kind needs one. */
import { Select, TextInput } from '@mantine/core'
import { useTexts } from '../../texts/define.ts'
import { accessTexts } from './texts.ts'

type Kind = 'anyone' | 'signed-in' | 'user' | 'group' | 'role' | 'permission'

export interface Callers {
  kind: Kind
  /** The name, as it was typed. */
  of: string
}

const named: ReadonlySet<Kind> = new Set(['group', 'permission', 'role'])

/** Returns `who` of a rule. */
export const whoOf = ({ kind, of }: Callers): string => (named.has(kind) ? `${kind}:${of.trim()}` : kind)

interface CallerFieldsProps {
  kinds: readonly Kind[]
  value: Callers
  change(value: Callers): void
}

export function CallerFields({ kinds, value, change }: CallerFieldsProps) {
  const texts = useTexts(accessTexts)
  return (
    <>
      <Select
        label={texts.as}
        data={kinds.map((kind) => ({ value: kind, label: texts.ruleKinds[kind] }))}
        value={value.kind}
        onChange={(kind) => change({ ...value, kind: (kind ?? value.kind) as Kind })}
        allowDeselect={false}
        w={260}
      />
      {named.has(value.kind) ? (
        <TextInput
          label={texts.kindName}
          value={value.of}
          onChange={(event) => change({ ...value, of: event.currentTarget.value })}
          required
        />
      ) : null}
    </>
  )
}
