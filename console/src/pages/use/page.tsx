/** The use of a site in a month, with its limits. Superusers can change the limits. */
import { Progress, Stack, Table, Text, TextInput } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { use } from 'react'
import { useSite } from '../../session/client.ts'
import { meQuery } from '../../session/queries.ts'
import { Sideways } from '../../shared/sideways.tsx'
import { PageHead, Waiting } from '../../shared/states.tsx'
import { When } from '../../shared/when.tsx'
import { useTexts } from '../../texts/define.ts'
import { LanguageContext } from '../../texts/language.tsx'
import { LimitsForm } from './limits-form.tsx'
import { type Limit, type Measure, measures, siteUseQuery } from './reads.ts'
import { siteUseTexts } from './texts.ts'

/** Shows the use of the month in the address. */
export function Page() {
  const texts = useTexts(siteUseTexts)
  const { site } = useSite()
  const navigate = useNavigate()
  const { month } = useSearch({ strict: false }) as { month?: string }
  const { data: me } = useQuery(meQuery)
  const query = useQuery({
    ...siteUseQuery(site, month),
    placeholderData: keepPreviousData,
  })
  const { data } = query
  return (
    <Stack maw={1000}>
      <PageHead title={texts.title} />
      <TextInput
        type="month"
        label={texts.month}
        value={month ?? data?.month ?? ''}
        max={new Date().toISOString().slice(0, 7)}
        onChange={(event) => {
          const next = event.currentTarget.value
          void navigate({ to: '.', search: (next === '' ? {} : { month: next }) as never, replace: true })
        }}
        maw={220}
      />
      <Waiting query={query} />
      {data ? (
        <>
          <Sideways label={texts.title}>
            <Table miw={640}>
              <Table.Thead>
                <Table.Tr>
                  {[texts.measure, texts.used, texts.soft, texts.hard, texts.share].map((name) => (
                    <Table.Th key={name}>{name}</Table.Th>
                  ))}
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {measures.map((measure) => (
                  <Row
                    key={measure}
                    measure={measure}
                    used={data.use[measure]}
                    limit={data.limits[measure]}
                  />
                ))}
              </Table.Tbody>
            </Table>
          </Sideways>
          <Text size="sm">
            {data.measured_at ? (
              <>
                {texts.measured} <When at={data.measured_at} />.
              </>
            ) : (
              texts.notMeasured
            )}
          </Text>
          {me?.is_superuser ? (
            <LimitsForm key={JSON.stringify(data.limits)} site={site} limits={data.limits} />
          ) : null}
        </>
      ) : null}
    </Stack>
  )
}

/** From this share of the hard limit on, the bar shows a warning. */
const warningShare = 80

function Row({ measure, used, limit: { soft, hard } }: { measure: Measure; used: number; limit: Limit }) {
  const texts = useTexts(siteUseTexts)
  const { language } = use(LanguageContext)
  const text = (amount: number | null) => (amount === null ? texts.none : amount.toLocaleString(language))
  const most = hard ?? soft
  const share = most === null ? undefined : Math.round((used / Math.max(most, 1)) * 100)
  const name = texts.measures[measure]
  return (
    <Table.Tr>
      <Table.Td>{name}</Table.Td>
      <Table.Td>{used.toLocaleString(language)}</Table.Td>
      <Table.Td>{text(soft)}</Table.Td>
      <Table.Td>{text(hard)}</Table.Td>
      <Table.Td w={160}>
        {share === undefined ? null : (
          <>
            <Text size="sm">{texts.percent(share)}</Text>
            <Progress
              value={Math.min(share, 100)}
              color={share >= warningShare ? 'red' : 'indigo'}
              aria-label={name}
            />
          </>
        )}
      </Table.Td>
    </Table.Tr>
  )
}
