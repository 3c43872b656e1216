/** The code of a function. */
import { Button, Group, Text, Textarea } from '@mantine/core'
import { type KeyboardEvent, useState } from 'react'
import { Problem } from '../../shared/problem.tsx'
import { useTexts } from '../../texts/define.ts'
import type { ShownFunction } from '../functions/types.ts'
import { useSave } from './save.ts'
import { functionTexts } from './texts.ts'

/** Shows the code, and saves it by the button or Ctrl-S. */
export function Code({ app, one }: { app: string; one: ShownFunction }) {
  const texts = useTexts(functionTexts)
  const save = useSave(app, one.slug)
  const [code, setCode] = useState(one.code ?? '')
  if (one.code === undefined) return <Text>{texts.noCode}</Text>
  const hasChanged = code !== one.code
  const submit = () => save.mutate({ code })
  const saveByKey = (event: KeyboardEvent) => {
    if (event.key !== 's' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    if (hasChanged) submit()
  }
  return (
    <div>
      <Textarea
        label={texts.code}
        description={texts.codeHint}
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
        onKeyDown={saveByKey}
        autosize
        minRows={8}
        maxRows={30}
        spellCheck={false}
        ff="monospace"
        styles={{ input: { fontFamily: 'ui-monospace, monospace', whiteSpace: 'pre', overflowX: 'auto' } }}
      />
      <Group mt="xs">
        <Button
          onClick={submit}
          disabled={!hasChanged}
          loading={save.isPending}
          aria-keyshortcuts="Control+S"
        >
          {texts.save}
        </Button>
      </Group>
      {save.error ? <Problem error={save.error} /> : null}
    </div>
  )
}
