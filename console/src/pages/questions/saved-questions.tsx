/** The questions that were saved, and the form that saves one. */
import { Button, CloseButton, Group, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTell } from '../../shared/tell.ts'
import { addressOf } from '../../shell/address.ts'
import { TextLink } from '../../shell/link.tsx'
import { useTexts } from '../../texts/define.ts'
import type { Question } from './question.ts'
import { useSavedQuestions, withNamed } from './saved.ts'
import { questionsTexts } from './texts.ts'

interface SavedQuestionsProps {
  site: string
  /** The question of the page; undefined if there is none yet. */
  question: Question | undefined
}

/** Shows both. */
export function SavedQuestions({ site, question }: SavedQuestionsProps) {
  const texts = useTexts(questionsTexts)
  const tell = useTell()
  const [saved, keep] = useSavedQuestions(site)
  const [name, setName] = useState('')
  const save = (event: FormEvent) => {
    event.preventDefault()
    if (!question) return
    keep(withNamed(saved, { name: name.trim(), question }))
    setName('')
    tell(texts.saved(name.trim()))
  }
  return (
    <Stack component="section" gap="xs" aria-label={texts.savedQuestions}>
      {question ? (
        <form onSubmit={save}>
          <Group align="end" gap="xs">
            <TextInput
              label={texts.name}
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
              maxLength={80}
              required
            />
            <Button type="submit" variant="default" disabled={name.trim() === ''}>
              {texts.save}
            </Button>
          </Group>
        </form>
      ) : null}
      {saved.length > 0 ? (
        <Group component="ul" gap="xs" m={0} p={0}>
          {saved.map((one) => (
            <Group component="li" key={one.name} gap={2} wrap="nowrap" className="chip">
              <TextLink to={addressOf(site, 'questions')} search={one.question as never} size="sm">
                {one.name}
              </TextLink>
              <CloseButton
                size="sm"
                aria-label={texts.forget(one.name)}
                onClick={() => keep(saved.filter((other) => other !== one))}
              />
            </Group>
          ))}
        </Group>
      ) : null}
      <Text size="xs" className="muted">
        {texts.keptHere}{' '}
        <TextLink to={addressOf(site, 'dashboards')} size="xs" underline="always">
          {texts.toDashboards}
        </TextLink>
      </Text>
    </Stack>
  )
}
