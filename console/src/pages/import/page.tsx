/** Imports a file into a table: shows its content, then the result of a check, and then imports its rows. */
import { Alert, FileInput, Group, NativeSelect, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Table, tableQuery } from '../../session/queries.ts'
import { Problem } from '../../shared/problem.tsx'
import { Loading } from '../../shared/states.tsx'
import { addressOf } from '../../shell/address.ts'
import { TextLink } from '../../shell/link.tsx'
import { useTexts } from '../../texts/define.ts'
import type { Source } from '../data/records.ts'
import { useSource } from '../data/state.ts'
import { ColumnsPreview } from './columns.tsx'
import { FileError, type FileRows, readFile, separators } from './read-file.ts'
import { type DecimalSign, type Mapping, mappingOf, matchesOf } from './rows.ts'
import { Sending } from './sending.tsx'
import { importTexts } from './texts.ts'

/** Shows the form. */
export function Page() {
  const texts = useTexts(importTexts)
  const source = useSource()
  const { site, app, table } = source
  const { data, error, refetch } = useQuery(tableQuery(site, app, table))
  return (
    <Stack maw={1200}>
      <nav>
        <TextLink to={addressOf(site, 'data', app, table)}>{texts.toRecords}</TextLink>
      </nav>
      <Title order={1} size="h3">
        {texts.title(table)}
      </Title>
      <Text size="sm" className="muted">
        {texts.hint}
      </Text>
      {error ? <Problem error={error} retry={() => void refetch()} /> : null}
      {!data && !error ? <Loading /> : null}
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
  const [sign, setSign] = useState<DecimalSign>('.')
  const [match, setMatch] = useState('')

  async function open(chosen: File | null, separator?: string): Promise<void> {
    setFile(chosen)
    setRead(undefined)
    setError(undefined)
    if (!chosen) return
    try {
      const rows = await readFile(chosen, separator)
      setRead(rows)
      setMapping(mappingOf(rows.columns, table))
    } catch (thrown) {
      setError(thrown instanceof FileError ? texts.unreadable(thrown.message) : String(thrown))
    }
  }

  const mapped = Object.values(mapping)
  const twice = mapped.find((name, index) => mapped.indexOf(name) !== index)
  const matches = matchesOf(table).filter((names) => names.every((name) => mapped.includes(name)))
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
          <>
            <NativeSelect
              label={texts.separator}
              data={separators.map((value) => ({ value, label: texts.separators[value] ?? value }))}
              value={read.separator}
              onChange={(event) => void open(file, event.currentTarget.value)}
            />
            <NativeSelect
              label={texts.decimal}
              data={['.', ',']}
              value={sign}
              onChange={(event) => setSign(event.currentTarget.value as DecimalSign)}
            />
          </>
        )}
      </Group>
      {read?.isGuessed ? <Alert color="yellow">{texts.guessed}</Alert> : null}
      {read && read.rows.length === 0 ? <Text>{texts.noRows}</Text> : null}
      {read && read.rows.length > 0 ? (
        <>
          <ColumnsPreview file={read} table={table} mapping={mapping} change={setMapping} />
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
          {mapped.length > 0 && twice === undefined ? (
            <Sending
              // After the choices change, the file must be checked again.
              key={JSON.stringify([file?.name, read.separator, mapping, sign, match])}
              source={source}
              table={table}
              file={read}
              mapping={mapping}
              sign={sign}
              uniqueFields={uniqueFields}
            />
          ) : null}
        </>
      ) : null}
    </>
  )
}
