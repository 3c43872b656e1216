/** Saves the question of the page: under a new name, or as a new version of the opened question. */
import { Button, Group, Paper, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { NameForm } from '../../shared/name-form.tsx'
import { Problem } from '../../shared/problem.tsx'
import { useTell } from '../../shared/tell.ts'
import { useTexts } from '../../texts/define.ts'
import type { Question } from './question.ts'
import { askedOf, nameLengthMax, questionOf, questionsQuery, useQuestionChanges } from './saved.ts'
import { questionsTexts } from './texts.ts'

/** The saved question in the address: its id, and the version that was opened. */
export interface Opened {
  saved?: number
  version?: number
}

interface SaveQuestionProps {
  site: string
  question: Question
  opened: Opened
  /** Puts a question, with its saved question, into the address. */
  show(question: Question, opened: Opened): void
}

/** Shows the forms. */
export function SaveQuestion({ site, question, opened, show }: SaveQuestionProps) {
  const texts = useTexts(questionsTexts)
  const tell = useTell()
  const { data = [] } = useQuery(questionsQuery(site))
  const { put, remove } = useQuestionChanges(site)
  const here = data.find(({ id }) => id === opened.saved)
  const asked = askedOf(question)
  const create = async (name: string) => {
    const { id, version } = await put.mutateAsync({ input: { name, ...asked } })
    tell(texts.saved(name))
    show(question, { saved: id, version })
  }
  if (!here || opened.version === undefined)
    return (
      <Paper withBorder p="md" component="section" aria-label={texts.save}>
        <NameForm label={texts.name} button={texts.save} maxLength={nameLengthMax} save={create} />
        <Text size="xs" className="muted" mt="xs">
          {texts.keptForSite}
        </Text>
      </Paper>
    )
  const { id, name, ...present } = here
  const kept = { id, version: opened.version }
  const hasChanged = JSON.stringify(askedOf(questionOf(present))) !== JSON.stringify(asked)
  return (
    <Paper withBorder p="md" component="section" aria-label={texts.save}>
      <Stack gap="sm">
        <Group justify="space-between">
          <Text fw={600}>{name}</Text>
          <Group gap="xs">
            <Button
              disabled={!hasChanged}
              loading={put.isPending}
              onClick={() =>
                put.mutate(
                  { input: { name, ...asked }, kept },
                  {
                    onSuccess({ version }) {
                      tell(texts.saved(name))
                      show(question, { saved: id, version })
                    },
                  },
                )
              }
            >
              {texts.saveChanges}
            </Button>
            <Button
              variant="outline"
              color="red"
              loading={remove.isPending}
              onClick={() => {
                if (window.confirm(texts.removeAsk(name)))
                  remove.mutate(kept, { onSuccess: () => show(question, {}) })
              }}
            >
              {texts.remove}
            </Button>
          </Group>
        </Group>
        {put.error ? <Problem error={put.error} /> : null}
        {remove.error ? <Problem error={remove.error} /> : null}
        {present.version === opened.version ? null : (
          <Group>
            <Text size="sm">{texts.otherState}</Text>
            <Button
              size="compact-sm"
              variant="default"
              onClick={() => show(questionOf(present), { saved: id, version: present.version })}
            >
              {texts.showOther}
            </Button>
          </Group>
        )}
        <NameForm label={texts.otherName} button={texts.saveAs} maxLength={nameLengthMax} save={create} />
      </Stack>
    </Paper>
  )
}
