/** The code of a function. */
import { Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useSite } from '../../session/client.ts'
import { tablesQuery } from '../../session/queries.ts'
import { CodeField } from '../../shared/code-field.tsx'
import { Problem } from '../../shared/problem.tsx'
import { useTexts } from '../../texts/define.ts'
import type { ShownFunction } from '../functions/types.ts'
import { useSave } from './save.ts'
import { scopeOf } from './scope.ts'
import { functionTexts } from './texts.ts'

interface CodeProps {
  app: string
  one: ShownFunction
  /** The code in the editor. */
  code: string
  change(code: string): void
}

/** Shows the code, and saves it by the button or Ctrl-S. Suggests the names of the app's tables. */
export function Code({ app, one, code, change }: CodeProps) {
  const texts = useTexts(functionTexts)
  const save = useSave(app, one.slug)
  const { site } = useSite()
  const tables = useQuery(tablesQuery(site, app))
  const scope = useMemo(() => scopeOf(app, tables.data?.map(({ name }) => name) ?? []), [app, tables.data])
  if (one.code === undefined) return <Text>{texts.noCode}</Text>
  const hasChanged = code !== one.code
  const submit = () => save.mutate({ code })
  const saveByKey = () => {
    if (hasChanged) submit()
  }
  return (
    <div>
      <CodeField
        language="javascript"
        label={texts.code}
        description={texts.codeHint}
        value={code}
        onChange={change}
        save={saveByKey}
        scope={scope}
        lines={[8, 30]}
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
