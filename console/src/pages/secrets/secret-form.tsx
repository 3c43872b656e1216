/** Creates a secret, or changes the value of one. */
import { Button, Select, Stack, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { queryClient, useSite } from '../../session/client.ts'
import { CodeField } from '../../shared/code-field.tsx'
import { parseObject } from '../../shared/json-object.ts'
import { Problem } from '../../shared/problem.tsx'
import { useTell } from '../../shared/tell.ts'
import { useTexts } from '../../texts/define.ts'
import { secretsQuery, typesQuery } from './queries.ts'
import { secretsTexts } from './texts.ts'

interface FormProps {
  app: string | undefined
  /** The secret to change. Omitted: a new one. */
  secretKey?: string
  done: () => void
}

/** Shows the form. The old value of a secret is not read: a new one replaces it. */
export function SecretForm({ app, secretKey, done }: FormProps) {
  const texts = useTexts(secretsTexts)
  const tell = useTell()
  const { site, client } = useSite()
  const types = useQuery({ ...typesQuery(site), enabled: secretKey === undefined })
  const [key, setKey] = useState(secretKey ?? '')
  const [type, setType] = useState<string | null>(null)
  const [text, setText] = useState('{"value": ""}')
  const value = parseObject(text)
  const save = useMutation({
    async mutationFn() {
      const level = app ? { app } : {}
      if (secretKey !== undefined) return client.secrets.update(secretKey, { value: value ?? {} }, level)
      return client.secrets.create({ key, secret_type: type ?? '', value: value ?? {}, ...level })
    },
    async onSuccess() {
      tell(texts.saved(key))
      await queryClient.invalidateQueries({ queryKey: secretsQuery(site, app).queryKey })
      done()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (value) save.mutate()
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        {secretKey === undefined ? (
          <>
            <TextInput
              label={texts.key}
              value={key}
              onChange={(event) => setKey(event.currentTarget.value)}
              required
            />
            <Select
              label={texts.type}
              data={(types.data?.items ?? []).map(({ slug, name }) => ({ value: slug, label: name }))}
              value={type}
              onChange={setType}
              required
            />
          </>
        ) : null}
        <CodeField
          language="json"
          label={texts.value}
          value={text}
          onChange={setText}
          error={value ? undefined : texts.notJson}
        />
        <Button type="submit" loading={save.isPending} disabled={!value}>
          {texts.save}
        </Button>
      </Stack>
      {save.error ? <Problem error={save.error} /> : null}
    </form>
  )
}
