/** Parts of a page with headings, and rows with buttons. */
import type { PropsWithChildren } from 'hono/jsx'

/** A part of the page, with its heading. */
export const Part = ({ title, children }: PropsWithChildren<{ title: string }>) => (
  <article>
    <h2>{title}</h2>
    {children}
  </article>
)

/** A button next to a row. `label` tells screen readers which row it belongs to. */
export const RowForm = ({
  action,
  id,
  text,
  label,
}: {
  action: string
  id: string | number
  text: string
  label: string
}) => (
  <form method="post" action={action}>
    <input type="hidden" name="id" value={id} />
    <button type="submit" class="button" aria-label={label}>
      {text}
    </button>
  </form>
)
