/** The ranges and exclusions of a table. */
import { Checkbox, Group, MultiSelect, NativeSelect, Paper } from '@mantine/core'
import { useTexts } from '../../texts/define.ts'
import { Committed } from './committed.tsx'
import { withRest } from './draft.ts'
import type { EditorProps } from './editor-props.ts'
import { type Exclusion, elementsOf, equalIn, type Pair, rangesIn } from './exclusions.ts'
import { FieldNames } from './field-names.tsx'
import { freeName, namesOf, Parts, RemovePart } from './parts.tsx'
import { exclusionsTexts } from './texts-exclusions.ts'
import { Where } from './where.tsx'

type Props = Pick<EditorProps, 'draft' | 'change'> & { names: readonly string[] }

/** Shows the inputs of the named ranges. */
export function Ranges({ draft, change, names }: Props) {
  const texts = useTexts(exclusionsTexts)
  const ranges = Object.entries(draft.rest.ranges ?? {})
  const set = (next: [string, Pair][]) =>
    change(withRest(draft, { ranges: next.length > 0 ? Object.fromEntries(next) : undefined }))
  const [first = ''] = names
  const add = () =>
    set([...ranges, [freeName('range', Object.keys(draft.rest.ranges ?? {})), [first, first]]])
  return (
    <Parts title={texts.ranges} text={texts.rangesText} addText={texts.addRange} add={add}>
      {ranges.map(([name, [from, to]], place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the name changes while it is typed
        <Group key={place} gap="xs" align="end" component="section" aria-label={name}>
          <Committed
            label={texts.rangeName}
            value={name}
            commit={(next) => set(ranges.with(place, [next, [from, to]]))}
            w={170}
          />
          <NativeSelect
            label={texts.from}
            data={[...names]}
            value={from}
            onChange={(event) => set(ranges.with(place, [name, [event.currentTarget.value, to]]))}
          />
          <NativeSelect
            label={texts.to}
            data={[...names]}
            value={to}
            onChange={(event) => set(ranges.with(place, [name, [from, event.currentTarget.value]]))}
          />
          <RemovePart label={texts.removeRange(name)} remove={() => set(ranges.toSpliced(place, 1))} />
        </Group>
      ))}
    </Parts>
  )
}

/** Shows the inputs of the exclusions. */
export function Exclusions({ draft, change, names }: Props) {
  const texts = useTexts(exclusionsTexts)
  const exclusions = draft.rest.exclusions ?? []
  const set = (next: Exclusion[]) => change(withRest(draft, { exclusions: next }))
  const add = () =>
    set([
      ...exclusions,
      {
        name: freeName('exclusion', namesOf(exclusions)),
        elements: elementsOf([], Object.keys(draft.rest.ranges ?? {}).slice(0, 1)),
      },
    ])
  return (
    <Parts title={texts.exclusions} text={texts.exclusionsText} addText={texts.addExclusion} add={add}>
      {exclusions.map((exclusion, place) => {
        const put = (part: Partial<Exclusion>) => set(exclusions.with(place, { ...exclusion, ...part }))
        // A range without a name is offered as its two fields.
        const offered = new Map<string, string | Pair>([
          ...Object.keys(draft.rest.ranges ?? {}).map((name): [string, string] => [name, name]),
          ...rangesIn(exclusion).map((range): [string, string | Pair] => [labelOf(range), range]),
        ])
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the name changes while it is typed
          <Paper key={place} withBorder p="xs" component="section" aria-label={exclusion.name}>
            <Group gap="xs" align="end">
              <Committed
                label={texts.exclusionName}
                value={exclusion.name}
                commit={(name) => put({ name })}
                w={200}
              />
              <FieldNames
                label={texts.equal}
                names={names}
                value={equalIn(exclusion)}
                change={(equal) => put({ elements: elementsOf(equal, rangesIn(exclusion)) })}
              />
              <MultiSelect
                label={texts.overlapping}
                data={[...offered.keys()]}
                value={rangesIn(exclusion).map(labelOf)}
                onChange={(labels) =>
                  put({
                    elements: elementsOf(
                      equalIn(exclusion),
                      labels.flatMap((label) => offered.get(label) ?? []) as (string | Pair)[],
                    ),
                  })
                }
                comboboxProps={{ withinPortal: false }}
                miw={200}
              />
              <Checkbox
                label={texts.closed}
                mb={8}
                checked={exclusion.bounds === '[]'}
                onChange={(event) => put({ bounds: event.currentTarget.checked ? '[]' : '[)' })}
              />
              <RemovePart
                label={texts.removeExclusion(exclusion.name)}
                remove={() => set(exclusions.toSpliced(place, 1))}
              />
            </Group>
            <Committed
              label={texts.message}
              mt="xs"
              value={exclusion.message ?? ''}
              commit={(text) => put({ message: text === '' ? undefined : text } as Partial<Exclusion>)}
            />
            <Where key={JSON.stringify(exclusion.where)} of={exclusion} put={put} />
          </Paper>
        )
      })}
    </Parts>
  )
}

const labelOf = (range: string | Pair): string => (typeof range === 'string' ? range : range.join(' – '))
