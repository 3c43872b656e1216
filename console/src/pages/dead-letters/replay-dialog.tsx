/** Replays the dead letters that match a filter, after showing how many there are. */
import { Button, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { queryClient } from '../../session/client.ts'
import { Cancel, Dialog } from '../../shared/dialog.tsx'
import { Problem } from '../../shared/problem.tsx'
import { Loading } from '../../shared/states.tsx'
import { useTexts } from '../../texts/define.ts'
import { type LetterFilter, type Replayed, replayLetters } from './reads.ts'
import { deadLettersTexts } from './texts.ts'

interface ReplayDialogProps {
  site: string
  filter: LetterFilter
  close(): void
  done(answer: Replayed): void
}

export function ReplayDialog({ site, filter, close, done }: ReplayDialogProps) {
  const texts = useTexts(deadLettersTexts)
  const counted = useQuery({
    queryKey: [site, 'dead-letters', 'count', filter],
    staleTime: 0,
    queryFn: () => replayLetters(site, filter, true),
  })
  const replay = useMutation({
    mutationFn: () => replayLetters(site, filter, false),
    async onSuccess(answer) {
      done(answer)
      close()
      await queryClient.invalidateQueries({ queryKey: [site, 'dead-letters'] })
    },
  })
  const error = counted.error ?? replay.error
  return (
    <Dialog title={texts.confirm} isOpen close={close}>
      <Stack>
        {error ? <Problem error={error} /> : null}
        {counted.data ? <Text>{texts.matched(counted.data.matched)}</Text> : null}
        {counted.isPending ? <Loading /> : null}
        <Group>
          <Button
            onClick={() => replay.mutate()}
            loading={replay.isPending}
            disabled={!counted.data || counted.data.matched === 0}
          >
            {texts.replay}
          </Button>
          <Cancel close={close} />
        </Group>
      </Stack>
    </Dialog>
  )
}
