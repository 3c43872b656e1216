/** A field for code or JSON. CodeMirror, which it needs, is loaded when the first one is shown. */
import { Input } from '@mantine/core'
import { lazy, type ReactNode, Suspense, useId } from 'react'
import type { CodeMirrorProps } from './code-mirror.tsx'
import { Loading } from './states.tsx'

const CodeMirror = lazy(() => import('./code-mirror.tsx'))

interface CodeFieldProps extends Omit<CodeMirrorProps, 'labelId' | 'noteId' | 'isWrong'> {
  label: string
  description?: string | undefined
  /** The errors of the text. */
  error?: ReactNode
}

/** Shows the field. Tab leaves it; Ctrl-] and Ctrl-[ move lines in and out. */
export function CodeField({ label, description, error, ...props }: CodeFieldProps) {
  const id = useId()
  const noteId = `${id}-note`
  return (
    <Input.Wrapper
      label={label}
      labelElement="div"
      labelProps={{ id: `${id}-label` }}
      error={error}
      errorProps={{ id: noteId }}
      description={description}
      withAsterisk={props.isRequired ?? false}
      w="100%"
    >
      <Suspense fallback={<Loading />}>
        <CodeMirror
          {...props}
          labelId={`${id}-label`}
          noteId={error ? noteId : ''}
          isWrong={Boolean(error)}
        />
      </Suspense>
    </Input.Wrapper>
  )
}
