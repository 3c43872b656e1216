/** The meaning of a schedule, below its input fields. */
import { Text } from '@mantine/core'
import { use } from 'react'
import { useTexts } from '../../texts/define.ts'
import { LanguageContext } from '../../texts/language.tsx'
import { describeSchedule } from './describe-schedule.ts'
import { functionTexts } from './texts.ts'
import { scheduleTexts } from './texts-schedule.ts'

/** Shows the schedule in words with its next runs, or its error. */
export function ScheduleWords({ schedule, zone }: { schedule: string; zone: string }) {
  const { scheduleHint } = useTexts(functionTexts)
  const texts = useTexts(scheduleTexts)
  const { language } = use(LanguageContext)
  const described = describeSchedule(schedule, zone, texts, language)
  return (
    <Text size="sm" className="muted" mt={4} role="status">
      {described && 'words' in described
        ? `${described.words}. ${texts.next(described.next.join(' · '))}`
        : (described?.problem ?? scheduleHint)}
    </Text>
  )
}
