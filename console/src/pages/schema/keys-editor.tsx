/** The other settings of a table: keys, indexes, soft delete and history. */
import { Checkbox, Group, NativeSelect, Paper, Stack, Title } from '@mantine/core'
import { useTexts } from '../../texts/define.ts'
import { Committed } from './committed.tsx'
import { fieldsOf, type Index, withPlainField, withRest } from './draft.ts'
import type { EditorProps } from './editor-props.ts'
import { Exclusions, Ranges } from './exclusions-editor.tsx'
import { indexMethods, searchLanguages } from './field-kinds.ts'
import { FieldNames } from './field-names.tsx'
import { AddPart, freeName, namesOf, Parts, RemovePart } from './parts.tsx'
import { fieldsTexts } from './texts-fields.ts'
import { Where } from './where.tsx'

/** Shows the inputs. */
export function KeysEditor({ draft, change }: Pick<EditorProps, 'draft' | 'change'>) {
  const texts = useTexts(fieldsTexts)
  const { rest } = draft
  const names = fieldsOf(draft).map(({ name }) => name)
  const uniqueKeys = rest.uniqueKeys ?? []
  const plain = (name: string, type: string) => (
    <Checkbox
      key={name}
      label={texts.kept[name]}
      description={texts.keptText[name]}
      checked={names.includes(name)}
      onChange={(event) => change(withPlainField(draft, { name, type }, event.currentTarget.checked))}
    />
  )
  const historyDays = typeof rest.history === 'object' ? String(rest.history.days) : ''
  return (
    <Stack>
      <Stack gap="xs" component="section" aria-label={texts.keys}>
        <Title order={2} size="h5">
          {texts.keys}
        </Title>
        <FieldNames
          label={texts.primaryKey}
          names={names}
          value={rest.primaryKey ?? []}
          change={(primaryKey) => change(withRest(draft, { primaryKey }))}
        />
        {uniqueKeys.map((key, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: keys of the schema have no other name
          <Group key={index} align="end" gap="xs">
            <FieldNames
              label={texts.uniqueTogether}
              names={names}
              value={key}
              change={(next) => change(withRest(draft, { uniqueKeys: uniqueKeys.with(index, next) }))}
            />
            <RemovePart
              label={texts.removeKey}
              remove={() => change(withRest(draft, { uniqueKeys: uniqueKeys.toSpliced(index, 1) }))}
            />
          </Group>
        ))}
        <AddPart
          text={texts.addUnique}
          add={() => change(withRest(draft, { uniqueKeys: [...uniqueKeys, []] }))}
        />
      </Stack>
      <Indexes draft={draft} change={change} names={names} />
      <Ranges draft={draft} change={change} names={names} />
      <Exclusions draft={draft} change={change} names={names} />
      {(rest.search_fields ?? []).length > 0 ? (
        <NativeSelect
          label={texts.searchLanguage}
          maw={260}
          data={[...searchLanguages]}
          value={rest.search_language ?? 'english'}
          onChange={(event) => change(withRest(draft, { search_language: event.currentTarget.value }))}
        />
      ) : null}
      <Stack gap="xs" component="section" aria-label={texts.connecting}>
        <Title order={2} size="h5">
          {texts.connecting}
        </Title>
        <Checkbox
          label={texts.hierarchy}
          description={texts.hierarchyText}
          checked={rest.hierarchy ?? false}
          onChange={(event) =>
            change(withRest(draft, { hierarchy: event.currentTarget.checked || undefined }))
          }
        />
        <Checkbox
          label={texts.graph}
          description={texts.graphText}
          checked={rest.graph?.enabled ?? false}
          onChange={(event) =>
            change(
              withRest(draft, {
                graph: event.currentTarget.checked ? { ...rest.graph, enabled: true } : undefined,
              }),
            )
          }
        />
      </Stack>
      <Stack gap="xs" component="section" aria-label={texts.keeping}>
        <Title order={2} size="h5">
          {texts.keeping}
        </Title>
        {plain('is_deleted', 'boolean')}
        {plain('created_at', 'datetime')}
        {plain('updated_at', 'datetime')}
        <Checkbox
          label={texts.kept.history}
          description={texts.keptText.history}
          checked={Boolean(rest.history)}
          onChange={(event) => change(withRest(draft, { history: event.currentTarget.checked }))}
        />
        {rest.history ? (
          <Committed
            label={texts.historyDays}
            inputMode="numeric"
            w={220}
            value={historyDays}
            commit={(text) =>
              change(withRest(draft, { history: text === '' ? true : { days: Number(text) } }))
            }
          />
        ) : null}
      </Stack>
    </Stack>
  )
}

/** Sets the fields in descending order. Without any, the index does not have the member. */
function withDescending({ descending: _, ...index }: Index, fields: string[]): Index {
  return fields.length > 0 ? { ...index, descending: fields } : index
}

function Indexes({ draft, change, names }: Pick<EditorProps, 'draft' | 'change'> & { names: string[] }) {
  const texts = useTexts(fieldsTexts)
  const indexes = draft.rest.indexes ?? []
  const set = (next: Index[]) => change(withRest(draft, { indexes: next }))
  const add = () => set([...indexes, { name: freeName('index', namesOf(indexes)), fields: [] }])
  return (
    <Parts title={texts.indexes} text={texts.indexesText} addText={texts.addIndex} add={add}>
      {indexes.map((index, place) => {
        const put = (part: Partial<Index>) => set(indexes.with(place, { ...index, ...part }))
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the name changes while it is typed
          <Paper key={place} withBorder p="xs" component="section" aria-label={index.name}>
            <Group gap="xs" align="end">
              <Committed
                label={texts.indexName}
                value={index.name}
                commit={(name) => put({ name })}
                w={170}
              />
              <FieldNames
                label={texts.indexFields}
                names={names}
                value={index.fields}
                change={(fields) => put({ fields })}
              />
              {index.fields.length > 1 ? (
                <FieldNames
                  label={texts.indexDescending}
                  names={index.fields}
                  value={index.descending ?? []}
                  change={(fields) => set(indexes.with(place, withDescending(index, fields)))}
                />
              ) : null}
              <NativeSelect
                label={texts.method}
                data={[...indexMethods]}
                value={index.method ?? 'btree'}
                onChange={(event) => put({ method: event.currentTarget.value })}
              />
              <Checkbox
                label={texts.unique}
                mb={8}
                checked={index.unique ?? false}
                onChange={(event) => put({ unique: event.currentTarget.checked })}
              />
              <RemovePart
                label={texts.removeIndex(index.name)}
                remove={() => set(indexes.toSpliced(place, 1))}
              />
            </Group>
            <Where key={JSON.stringify(index.where)} of={index} put={put} />
          </Paper>
        )
      })}
    </Parts>
  )
}
