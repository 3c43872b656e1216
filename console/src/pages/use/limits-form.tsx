/** Changes the limits of a site. For superusers. */
import { Button, Group, NumberInput, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { queryClient } from '../../session/client.ts'
import { Problem } from '../../shared/problem.tsx'
import { useTell } from '../../shared/tell.ts'
import { useTexts } from '../../texts/define.ts'
import { type Limit, type Limits, type Measure, measures, replaceLimits } from './reads.ts'
import { siteUseTexts } from './texts.ts'

export function LimitsForm({ site, limits }: { site: string; limits: Limits }) {
  const texts = useTexts(siteUseTexts)
  const tell = useTell()
  const [values, setValues] = useState(limits)
  const save = useMutation({
    mutationFn: () => replaceLimits(site, values),
    async onSuccess() {
      tell(texts.saved)
      await queryClient.invalidateQueries({ queryKey: [site, 'use'] })
    },
  })
  const set = (measure: Measure, kind: keyof Limit, value: number | string) => {
    const amount = value === '' ? null : Number(value)
    setValues({ ...values, [measure]: { ...values[measure], [kind]: amount } })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate()
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <div>
          <Title order={2} size="h4">
            {texts.change}
          </Title>
          <Text size="sm" className="muted">
            {texts.changeText}
          </Text>
        </div>
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          {measures.flatMap((measure) =>
            (['soft', 'hard'] as const).map((kind) => (
              <NumberInput
                key={`${measure} ${kind}`}
                label={(kind === 'soft' ? texts.softOf : texts.hardOf)(texts.measures[measure])}
                value={values[measure][kind] ?? ''}
                onChange={(value) => set(measure, kind, value)}
                min={0}
                allowDecimal={false}
                thousandSeparator=" "
                hideControls
              />
            )),
          )}
        </SimpleGrid>
        {save.error ? <Problem error={save.error} /> : null}
        <Group>
          <Button type="submit" loading={save.isPending}>
            {texts.save}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
