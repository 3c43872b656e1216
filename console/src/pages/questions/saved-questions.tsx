/** The questions that were saved, and the form that saves one. */
import { CloseButton, Group, Stack, Text } from '@mantine/core'
import { NameForm } from '../../shared/name-form.tsx'
import { useTell } from '../../shared/tell.ts'
import { addressOf } from '../../shell/address.ts'
import { TextLink } from '../../shell/link.tsx'
import { useTexts } from '../../texts/define.ts'
import type { Question } from './question.ts'
import { nameLengthMax, useSavedQuestions, withNamed } from './saved.ts'
import { questionsTexts } from './texts.ts'

interface SavedQuestionsProps {
  site: string
  /** The question of the page; undefined if it is incomplete. */
  question: Question | undefined
}

/** Shows both. */
export function SavedQuestions({ site, question }: SavedQuestionsProps) {
  const texts = useTexts(questionsTexts)
  const tell = useTell()
  const [saved, keep] = useSavedQuestions(site)
  return (
    <Stack component="section" gap="xs" aria-label={texts.savedQuestions}>
      {question ? (
        <NameForm
          label={texts.name}
          button={texts.save}
          maxLength={nameLengthMax}
          save={(name) => {
            keep(withNamed(saved, { name, question }))
            tell(texts.saved(name))
          }}
        />
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
