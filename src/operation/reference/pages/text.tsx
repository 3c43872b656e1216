/**
 * Shows a description: its paragraphs, with text in backticks as code. The text is never interpreted as HTML.
 */

/** Shows a text of one or more paragraphs. */
export const Text = ({ text }: { text: string }) => (
  <>
    {text
      .split(/\n\s*\n/)
      .filter((paragraph) => paragraph.trim() !== '')
      .map((paragraph) => (
        <p>
          <Inline text={paragraph} />
        </p>
      ))}
  </>
)

/** Shows a text within a line. */
export const Inline = ({ text }: { text: string }) => (
  <>{text.split('`').map((part, index) => (index % 2 === 1 ? <code>{part}</code> : part))}</>
)
