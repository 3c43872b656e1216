/** A form with one field: the name of an object to create or save. */
import { Button, type ButtonProps, Group, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Problem } from './problem.tsx'

interface NameFormProps {
  label: string
  button: string
  variant?: ButtonProps['variant']
  maxLength?: number
  /**
   * Creates or saves the object. The form then clears the field; if it throws, the form shows the error and
   * keeps the name.
   */
  save(name: string): unknown
}

export function NameForm({ label, button, variant = 'default', maxLength, save }: NameFormProps) {
  const [name, setName] = useState('')
  const saving = useMutation({
    // Storing a value in the browser needs no network.
    networkMode: 'always',
    mutationFn: async () => save(name.trim()),
    onSuccess: () => setName(''),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    saving.mutate()
  }
  return (
    <form onSubmit={submit}>
      <Group align="end" gap="xs">
        <TextInput
          label={label}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          maxLength={maxLength}
          required
        />
        <Button type="submit" variant={variant} loading={saving.isPending} disabled={name.trim() === ''}>
          {button}
        </Button>
      </Group>
      {saving.error ? <Problem error={saving.error} /> : null}
    </form>
  )
}
