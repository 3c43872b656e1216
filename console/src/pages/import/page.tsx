/** Imports a file into a table: shows its content, then the result of a check, and then imports its rows. */
import { Alert, FileInput, Group, NativeSelect, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { delimiters } from '../../../../src/kernel/lib/written/delimiter.ts'
import type { Form } from '../../../../src/kernel/lib/written/form.ts'
import { type Table, tableQuery } from '../../session/queries.ts'
import { PageHead, Waiting } from '../../shared/states.tsx'
import { addressOf } from '../../shell/address.ts'
import { TextLink } from '../../shell/link.tsx'
import { useTexts } from '../../texts/define.ts'
import type { Source } from '../data/records.ts'
import { useSource } from '../data/state.ts'
import { ColumnsPreview } from './columns.tsx'
import type { Mapping } from './forms.ts'
import { columnForms, labelOf } from './forms.ts'
import { FileError, type FileRows, readFile } from './read-file.ts'
import { mappingOf, matchesOf } from './rows.ts'
import { Sending } from './sending.tsx'
import { importTexts } from './texts.ts'

/** Shows the form. */
export function Page() {
  const texts = useTexts(importTexts)
  const source = useSource()
  const { site, app, table } = source
  const query = useQuery(tableQuery(site, app, table))
  const { data } = query
  return (
    <Stack maw={1200}>
      <nav>
        <TextLink to={addressOf(site, 'data', app, table)}>{texts.toRecords}</TextLink>
      </nav>
      <PageHead title={texts.title(table)} hint={texts.hint} size="h3" />
      <Waiting query={query} />
      {data ? <ImportForm source={source} table={data} /> : null}
    </Stack>
  )
}

function ImportForm({ source, table }: { source: Source; table: Table }) {
  const texts = useTexts(importTexts)
  const [file, setFile] = useState<File | null>(null)
  const [read, setRead] = useState<FileRows>()
  const [error, setError] = useState<string>()
  const [mapping, setMapping] = useState<Mapping>({})
  /** The labels of the forms that the user has chosen, by column. */
  const [chosen, setChosen] = useState<Readonly<Record<string, string>>>({})
  const [match, setMatch] = useState('')

  async function open(chosen: File | null, separator?: string): Promise<void> {
    setFile(chosen)
    setRead(undefined)
    setError(undefined)
    setChosen({})
    if (!chosen) return
    try {
      const rows = await readFile(chosen, separator)
      setRead(rows)
      setMapping(mappingOf(rows.columns, table))
    } catch (thrown) {
      setError(thrown instanceof FileError ? texts.unreadable(thrown.message) : String(thrown))
    }
  }

  const forms = useMemo(
    () => (read ? columnForms(read, mapping, table.json_schema.fields, chosen) : new Map()),
    [read, mapping, table, chosen],
  )
  const doubts = [...forms].flatMap(([column, { doubt }]) => (doubt ? [{ column, doubt }] : []))
  const mapped = Object.values(mapping)
  const twice = mapped.find((name, index) => mapped.indexOf(name) !== index)
  const matches = matchesOf(table).filter((names) => names.every((name) => mapped.includes(name)))
  const typeOf = (column: string) =>
    table.json_schema.fields.find(({ name }) => name === mapping[column])?.type ?? ''
  const uniqueFields = matches.find((names) => names.join(',') === match)
  return (
    <>
      <Group align="end">
        <FileInput
          label={texts.file}
          placeholder={texts.choose}
          accept=".csv,.tsv,.txt,.json,.jsonl,.ndjson"
          value={file}
          onChange={(chosen) => void open(chosen)}
          error={error}
          miw={280}
        />
        {read?.separator === undefined ? null : (
          <NativeSelect
            label={texts.separator}
            data={delimiters.map((value) => ({ value, label: texts.separators[value] ?? value }))}
            value={read.separator}
            onChange={(event) => void open(file, event.currentTarget.value)}
          />
        )}
      </Group>
      {read?.isGuessed ? <Alert color="yellow">{texts.guessed}</Alert> : null}
      {read && read.rows.length === 0 ? <Text>{texts.noRows}</Text> : null}
      {read && read.rows.length > 0 ? (
        <>
          <ColumnsPreview
            file={read}
            table={table}
            mapping={mapping}
            change={setMapping}
            forms={forms}
            chooseForm={(column, label) => setChosen({ ...chosen, [column]: label })}
          />
          <NativeSelect
            label={texts.existing}
            maw={420}
            data={[
              { value: '', label: texts.allNew },
              ...matches.map((names) => ({
                value: names.join(','),
                label: texts.matchBy(names.join(', ')),
              })),
            ]}
            value={uniqueFields ? match : ''}
            onChange={(event) => setMatch(event.currentTarget.value)}
          />
          {mapped.length === 0 ? <Text role="alert">{texts.noField}</Text> : null}
          {twice === undefined ? null : <Text role="alert">{texts.twice(twice)}</Text>}
          {doubts.map(({ column, doubt: { text, first, second } }) => (
            <Text key={column} role="alert">
              {texts.doubt(column, text, [first, second].map(meaningOf(typeOf(column))))}
            </Text>
          ))}
          {mapped.length > 0 && twice === undefined && doubts.length === 0 ? (
            <Sending
              // After the choices change, the file must be checked again.
              key={JSON.stringify([file?.name, read.separator, mapping, chosen, match])}
              source={source}
              table={table}
              file={read}
              mapping={mapping}
              forms={forms}
              uniqueFields={uniqueFields}
            />
          ) : null}
        </>
      ) : null}
    </>
  )
}

/** Returns the function that shows what a text means in a form. */
const meaningOf =
  (type: string) =>
  ({ form, value }: { form: Form; value: unknown }): string =>
    `${String(value)} (${labelOf(type, form)})`
