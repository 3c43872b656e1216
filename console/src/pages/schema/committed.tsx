/**
 * An input whose text takes effect when it loses the focus, or with Enter, because an unfinished name must
 * have no effect.
 */
import { TextInput, type TextInputProps } from '@mantine/core'
import { type KeyboardEvent, useEffect, useState } from 'react'

interface CommittedProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  value: string
  commit(text: string): void
}

/** Shows the input. */
export function Committed({ value, commit, ...props }: CommittedProps) {
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  const end = () => {
    if (text !== value) commit(text)
  }
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'Enter') return
    event.preventDefault()
    end()
  }
  return (
    <TextInput
      {...props}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={end}
      onKeyDown={onKeyDown}
    />
  )
}
