/** The checks of a table: conditions on several fields of a record, with their messages. */
import { Group, Paper } from '@mantine/core'
import { useTexts } from '../../texts/define.ts'
import { Committed } from './committed.tsx'
import { type Check, withRest } from './draft.ts'
import type { EditorProps } from './editor-props.ts'
import { freeName, namesOf, Parts, RemovePart } from './parts.tsx'
import { checksTexts } from './texts-checks.ts'

/** Shows the inputs. */
export function ChecksEditor({ draft, change }: Pick<EditorProps, 'draft' | 'change'>) {
  const texts = useTexts(checksTexts)
  const checks = draft.rest.checks ?? []
  const set = (next: Check[]) => change(withRest(draft, { checks: next }))
  const add = () => set([...checks, { name: freeName('check', namesOf(checks)), expression: '' }])
  return (
    <Parts title={texts.checks} text={texts.checksText} addText={texts.add} add={add}>
      {checks.map((check, place) => {
        const put = (part: Partial<Check>) => set(checks.with(place, { ...check, ...part }))
        const { message: _, ...others } = check
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the name changes while it is typed
          <Paper key={place} withBorder p="xs" component="section" aria-label={check.name}>
            <Group gap="xs" align="end">
              <Committed label={texts.name} value={check.name} commit={(name) => put({ name })} w={170} />
              <Committed
                label={texts.expression}
                value={check.expression}
                commit={(expression) => put({ expression })}
                miw={260}
                styles={{ input: { fontFamily: 'ui-monospace, monospace' } }}
              />
              <Committed
                label={texts.message}
                value={check.message ?? ''}
                commit={(message) => set(checks.with(place, message === '' ? others : { ...check, message }))}
                miw={260}
              />
              <RemovePart label={texts.remove(check.name)} remove={() => set(checks.toSpliced(place, 1))} />
            </Group>
          </Paper>
        )
      })}
    </Parts>
  )
}
