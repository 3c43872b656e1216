/** What each editor of a part of a schema is given. */
import type { Draft } from './draft.ts'

/** The properties of each part of the editor. */
export interface EditorProps {
  site: string
  app: string
  /** The table to change; undefined for a new one. */
  table: string | undefined
  draft: Draft
  change(draft: Draft): void
}
