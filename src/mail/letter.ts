/** A letter: what it says, once, as text and as HTML. */
import { escapeHtml } from '../lib/escape-html.ts'
import { inline } from '../lib/inline.ts'

export interface Letter {
  to: string
  subject: string
  text: string
  html: string
}

export interface Wording {
  subject: string
  paragraphs: readonly string[]
  /** What the reader is to do: a link of its own below the paragraphs. */
  action?: { label: string; url: string }
  /** Below everything. */
  small: string
}

export function letterOf(to: string, { subject, paragraphs, action, small }: Wording): Letter {
  const text = [...paragraphs, ...(action ? [`${action.label}:\n${action.url}`] : []), `--\n${small}`].join('\n\n')
  const style = 'font:16px/1.5 system-ui,sans-serif;color:#1c2024;max-width:34rem;margin:2rem auto;padding:0 1rem'
  const button = 'display:inline-block;padding:.6rem 1.1rem;border-radius:.4rem;background:#0b57d0;color:#ffffff;text-decoration:none'
  const html = [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">',
    `<title>${escapeHtml(subject)}</title></head><body style="${style}">`,
    ...paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`),
    ...(action
      ? [
          `<p><a href="${escapeHtml(action.url)}" style="${button}">${escapeHtml(action.label)}</a></p>`,
          `<p style="color:#60646c;font-size:14px;word-break:break-all">${escapeHtml(action.url)}</p>`,
        ]
      : []),
    `<p style="color:#60646c;font-size:14px">${escapeHtml(small)}</p></body></html>`,
  ].join('\n')
  return { to, subject: inline(subject, 200), text, html }
}
