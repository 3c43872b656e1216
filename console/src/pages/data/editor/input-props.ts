/** What each input of a value is given. */
import type { ReactNode } from 'react'
import type { Field, ForeignKey } from '../../../session/queries.ts'
import type { Source } from '../source.ts'

/** The properties of every input of a value. */
export interface ValueInputProps {
  source: Source
  field: Field
  /** The foreign key of the field alone, if it has one. */
  foreignKey: ForeignKey | undefined
  text: string
  change(text: string): void
  error: ReactNode
  /** Whether the input is marked as required. */
  isRequired?: boolean
  /** The action of Ctrl-Enter and Ctrl-S in JSON. */
  save?: () => void
  /** Whether the input is the only one and gets the focus. */
  isAlone?: boolean
}
