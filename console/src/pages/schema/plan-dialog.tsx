/** Shows a change as a plan: its steps with their SQL, lost values, and locks. Then applies it. */
import { Alert, Button, Checkbox, Group, List, Progress, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useId, useState } from 'react'
import { TesseraError } from '../../../../client/src/index.ts'
import { Cancel, Dialog } from '../../shared/dialog.tsx'
import { Problem } from '../../shared/problem.tsx'
import { Loading } from '../../shared/states.tsx'
import { useTexts } from '../../texts/define.ts'
import { PlanSteps } from './plan-steps.tsx'
import type { Plan } from './queries.ts'
import { planTexts } from './texts-plan.ts'

interface PlanProps {
  title: string
  /** Requests the plan from the service. */
  plan(): Promise<Plan>
  /** Applies the change. `allowsLoss` allows steps that lose values. */
  apply(options: { allowsLoss: boolean }): Promise<void>
  close(): void
}

/** Shows the plan, and applies the change. `apply` closes the dialog with `close`, or leaves the page. */
export function PlanDialog({ title, plan, apply, close }: PlanProps) {
  const texts = useTexts(planTexts)
  const [allowsLoss, setAllowsLoss] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const read = useQuery({ queryKey: ['plan', useId()], gcTime: 0, staleTime: 0, queryFn: plan })
  const { changes = [], warnings = [], datatables = [] } = read.data ?? {}
  const loses = changes.some(({ destructive }) => destructive) || warnings.length > 0

  async function make(): Promise<void> {
    setError(undefined)
    setBusy(true)
    try {
      await apply({ allowsLoss })
    } catch (thrown) {
      setError(thrown)
      setBusy(false)
    }
  }

  const shown = error ?? read.error
  return (
    <Dialog isOpen close={close} title={title} size="xl">
      <Stack gap="sm">
        {read.isPending ? <Loading /> : null}
        {shown ? <Problem error={shown} /> : null}
        {shown ? <Reasons error={shown} /> : null}
        {read.data ? (
          <>
            {datatables.length > 0 ? <Text>{texts.willDelete(datatables.join(', '))}</Text> : null}
            <Text size="sm" className="muted">
              {changes.length === 0 ? texts.noSteps : `${texts.steps(changes.length)}. ${texts.atOnce}`}
            </Text>
            <PlanSteps steps={changes} />
            {loses ? (
              <Alert color="red" title={texts.losesText}>
                <List size="sm">
                  {warnings.map((warning) => (
                    <List.Item key={warning}>{warning}</List.Item>
                  ))}
                </List>
                <Checkbox
                  label={texts.allowLoss}
                  mt="xs"
                  checked={allowsLoss}
                  onChange={(event) => setAllowsLoss(event.currentTarget.checked)}
                />
              </Alert>
            ) : null}
            {isBusy ? <Working /> : null}
            <Group>
              <Button
                {...(loses ? { color: 'red.9' } : {})}
                disabled={loses && !allowsLoss}
                loading={isBusy}
                onClick={() => void make()}
              >
                {texts.apply}
              </Button>
              <Cancel close={close} />
            </Group>
          </>
        ) : null}
      </Stack>
    </Dialog>
  )
}

const secondMs = 1_000

/** How long the service has been working. It does not report its progress. */
function Working() {
  const texts = useTexts(planTexts)
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setSeconds((before) => before + 1), secondMs)
    return () => clearInterval(timer)
  }, [])
  return (
    <Stack gap={4} role="status">
      <Progress value={100} animated aria-label={texts.working(seconds)} />
      <Text size="sm">{texts.working(seconds)}</Text>
    </Stack>
  )
}

interface Reason {
  violations?: { fields: string[]; rule: string; detail: string; records: Record<string, unknown>[] }[]
  referenced_by?: (string | { table: string; fields: string[]; problem?: string })[]
}

/** The obstacles: records that do not fit, and tables that reference this one. */
function Reasons({ error }: { error: unknown }) {
  const texts = useTexts(planTexts)
  if (!(error instanceof TesseraError) || typeof error.body !== 'object' || error.body === null) return null
  const { violations = [], referenced_by = [] } = error.body as Reason
  return (
    <>
      {violations.length > 0 ? (
        <section aria-label={texts.violations}>
          <Text fw={600}>{texts.violations}</Text>
          <List size="sm">
            {violations.map(({ detail, rule, fields, records }) => (
              <List.Item key={`${rule} ${fields.join(' ')}`}>
                {detail} {texts.records10(records.length)}:{' '}
                {records.map((key) => Object.values(key).join(',')).join('; ')}
              </List.Item>
            ))}
          </List>
        </section>
      ) : null}
      {referenced_by.length > 0 ? (
        <section aria-label={texts.referencedBy}>
          <Text fw={600}>{texts.referencedBy}</Text>
          <List size="sm">
            {referenced_by.map((one) => (
              <List.Item key={JSON.stringify(one)}>
                {typeof one === 'string'
                  ? one
                  : `${one.table} (${one.fields.join(', ')}) ${one.problem ?? ''}`}
              </List.Item>
            ))}
          </List>
        </section>
      ) : null}
    </>
  )
}
