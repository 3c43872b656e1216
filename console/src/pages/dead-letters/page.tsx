/** The dead letters of a site, with the reason of each and a replay. The filter is in the address. */
import { Button, Code, Group, Select, Stack, Table, Text, TextInput, VisuallyHidden } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useSite } from '../../session/client.ts'
import { Sideways } from '../../shared/sideways.tsx'
import { Empty, PageHead, Waiting } from '../../shared/states.tsx'
import { useTell } from '../../shared/tell.ts'
import { When } from '../../shared/when.tsx'
import { addressOf } from '../../shell/address.ts'
import { TextLink } from '../../shell/link.tsx'
import { useTexts } from '../../texts/define.ts'
import { instantOf, localText } from '../data/editor/times.ts'
import { type DeadLetter, type LetterFilter, lettersQuery, pageSize, reasons, triggers } from './reads.ts'
import { ReplayDialog } from './replay-dialog.tsx'
import { deadLettersTexts } from './texts.ts'

type Search = Omit<LetterFilter, 'ids'> & { page?: number }

/** Lists the dead letters. */
export function Page() {
  const texts = useTexts(deadLettersTexts)
  const tell = useTell()
  const { site } = useSite()
  const { page = 1, ...filter } = useSearch({ strict: false }) as Search
  const navigate = useNavigate()
  const show = (search: Search) => void navigate({ to: '.', search: search as never, replace: true })
  const [replayed, setReplayed] = useState<LetterFilter>()
  const query = useQuery({
    ...lettersQuery(site, filter, page),
    placeholderData: keepPreviousData,
  })
  const { data } = query
  const results = data?.results ?? []
  return (
    <Stack maw={1300}>
      <Group justify="space-between" align="baseline">
        <PageHead title={texts.title} />
        <TextLink to={addressOf(site, 'runs')}>{texts.toRuns}</TextLink>
      </Group>
      <Text size="sm" className="muted">
        {texts.hint}
      </Text>
      <Filters filter={filter} show={show} />
      <Waiting query={query} />
      {data?.count === 0 ? <Empty title={texts.none}>{texts.noneText}</Empty> : null}
      {data && data.count > 0 ? (
        <>
          <Group justify="space-between">
            <Text size="sm">{texts.count(data.count)}</Text>
            <Button onClick={() => setReplayed(filter)}>{texts.replayAll}</Button>
          </Group>
          <Letters letters={results} replay={(id) => setReplayed({ ids: [id] })} />
          {data.count > pageSize ? (
            <Group>
              <Button
                variant="default"
                disabled={page <= 1}
                onClick={() => show({ ...filter, page: page - 1 })}
              >
                {texts.earlier}
              </Button>
              <Button
                variant="default"
                disabled={page * pageSize >= data.count}
                onClick={() => show({ ...filter, page: page + 1 })}
              >
                {texts.later}
              </Button>
            </Group>
          ) : null}
        </>
      ) : null}
      {replayed ? (
        <ReplayDialog
          site={site}
          filter={replayed}
          close={() => setReplayed(undefined)}
          done={({ replayed: count, left }) =>
            tell(`${texts.replayed(count)}${left > 0 ? ` ${texts.left(left)}` : ''}`)
          }
        />
      ) : null}
    </Stack>
  )
}

interface FiltersProps {
  filter: LetterFilter
  show(search: Search): void
}

function Filters({ filter, show }: FiltersProps) {
  const texts = useTexts(deadLettersTexts)
  const [slug, setSlug] = useState(filter.function_slug ?? '')
  const set = (name: keyof LetterFilter, value: string | null) => {
    const { [name]: _, ...rest } = filter
    show(value ? { ...rest, [name]: value } : rest)
  }
  return (
    <Group align="end">
      <Select
        label={texts.reason}
        placeholder={texts.all}
        data={reasons}
        value={filter.reason ?? null}
        onChange={(reason) => set('reason', reason)}
        clearable
      />
      <Select
        label={texts.trigger}
        placeholder={texts.all}
        data={triggers}
        value={filter.trigger_type ?? null}
        onChange={(trigger) => set('trigger_type', trigger)}
        clearable
      />
      <TextInput
        label={texts.functionSlug}
        placeholder={texts.all}
        value={slug}
        onChange={(event) => setSlug(event.currentTarget.value)}
        onBlur={() => set('function_slug', slug.trim())}
        onKeyDown={(event) => {
          if (event.key === 'Enter') set('function_slug', slug.trim())
        }}
      />
      {(['since', 'until'] as const).map((name) => (
        <TextInput
          key={name}
          type="datetime-local"
          label={texts[name]}
          value={localText(filter[name] ?? '')}
          onChange={(event) => set(name, instantOf(event.currentTarget.value))}
        />
      ))}
    </Group>
  )
}

interface LettersProps {
  letters: readonly DeadLetter[]
  replay(id: number): void
}

function Letters({ letters, replay }: LettersProps) {
  const texts = useTexts(deadLettersTexts)
  return (
    <Sideways label={texts.title}>
      <Table miw={860} verticalSpacing="sm">
        <Table.Thead>
          <Table.Tr>
            {[texts.run, texts.functionName, texts.trigger, texts.failed, texts.attempts, texts.what].map(
              (name) => (
                <Table.Th key={name}>{name}</Table.Th>
              ),
            )}
            <Table.Th>
              <VisuallyHidden>{texts.replay}</VisuallyHidden>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {letters.map((letter) => (
            <Table.Tr key={letter.id}>
              <Table.Td>{letter.id}</Table.Td>
              <Table.Td>{letter.function_name}</Table.Td>
              <Table.Td>{letter.event ?? letter.trigger_type}</Table.Td>
              <Table.Td>{letter.failed_at ? <When at={letter.failed_at} /> : null}</Table.Td>
              <Table.Td>{letter.attempts}</Table.Td>
              <Table.Td maw={420}>
                <Text size="sm" fw={600}>
                  {letter.reason}
                </Text>
                {letter.error ? <Code className="wrapped">{letter.error}</Code> : null}
                <Text size="sm">{letter.advice}</Text>
              </Table.Td>
              <Table.Td>
                <Button
                  size="compact-sm"
                  variant="default"
                  aria-label={texts.replayOne(letter.id)}
                  onClick={() => replay(letter.id)}
                >
                  {texts.replay}
                </Button>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Sideways>
  )
}
