/** An e-mail, written once and rendered as plain text and as HTML. */
import { escapeHtml } from '../../kernel/lib/escape-html.ts'
import { singleLine } from '../../kernel/lib/single-line.ts'
import type { LetterName } from './letter-name.ts'

/** A message that is ready to be sent. */
export interface Email {
  to: string
  subject: string
  text: string
  html: string
  /** The address at which mail programs stop e-mails of this sender. RFC 8058. */
  stopUrl?: string
}

/**
 * The content of an e-mail, before it is rendered. All members are plain text. The texts of `letters` make
 * it, so that names pass through LetterName.
 */
export interface EmailContent {
  subject: string
  paragraphs: readonly string[]
  /** The one action for the reader. It becomes a button, with the address below it. */
  action?: { label: string; url: string }
  /** Small print at the end. */
  footer: string
  /** Says who had the e-mail sent, with the address at which the reader stops such e-mails. */
  sender?: { text: string; stopUrl: string } | undefined
  /** The language of the texts. */
  language: string
  /** The display name of the site that the e-mail concerns. The subject and the first line contain it. */
  site?: LetterName | undefined
}

const bodyStyle =
  'font:16px/1.5 system-ui,sans-serif;color:#1c2024;max-width:34rem;margin:2rem auto;padding:0 1rem'
const buttonStyle =
  'display:inline-block;padding:.6rem 1.1rem;border-radius:.4rem;background:#0b57d0;color:#ffffff;' +
  'text-decoration:none'
const smallStyle = 'color:#60646c;font-size:14px'

/** Renders an e-mail. The subject becomes one line of at most 200 characters, without control characters. */
export const renderEmail = (to: string, content: EmailContent): Email => ({
  to,
  subject: singleLine(subjectOf(content), 200),
  text: renderText(content),
  html: renderHtml(content),
  ...(content.sender ? { stopUrl: content.sender.stopUrl } : {}),
})

/**
 * Returns the subject. The name of the site comes last, so that it cannot imitate a subject of the service.
 */
const subjectOf = ({ subject, site }: EmailContent): string =>
  site === undefined ? subject : `${subject} – ${site}`

function renderText({ paragraphs, action, footer, sender, site }: EmailContent): string {
  const link = action ? [`${action.label}:\n${action.url}`] : []
  const head = site === undefined ? [] : [`${site}`]
  const stop = sender ? [`${sender.text}\n${sender.stopUrl}`] : []
  return [...head, ...paragraphs, ...link, `--\n${footer}`, ...stop].join('\n\n')
}

function renderHtml(content: EmailContent): string {
  const { language, paragraphs, action, footer, sender, site } = content
  const link = action ? [renderButton(action.label, action.url)] : []
  const head = site === undefined ? [] : [`<p><strong>${escapeHtml(`${site}`)}</strong></p>`]
  const stop = sender ? [renderSmallLink(sender.text, sender.stopUrl)] : []
  return [
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width">',
    `<title>${escapeHtml(subjectOf(content))}</title></head><body style="${bodyStyle}">`,
    ...head,
    ...paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`),
    ...link,
    `<p style="${smallStyle}">${escapeHtml(footer)}</p>`,
    ...stop,
    '</body></html>',
  ].join('\n')
}

/**
 * Renders the button. The address is repeated below it, for readers whose e-mail program does not show links.
 */
const renderButton = (label: string, url: string): string =>
  [
    `<p><a href="${escapeHtml(url)}" style="${buttonStyle}">${escapeHtml(label)}</a></p>`,
    `<p style="${smallStyle};word-break:break-all">${escapeHtml(url)}</p>`,
  ].join('\n')

/** Returns the HTML of a stranger with the lines that say who had it sent, at the end of what is shown. */
export function withSender(html: string, { text, stopUrl }: NonNullable<EmailContent['sender']>): string {
  const end = html.toLowerCase().lastIndexOf('</body>')
  const at = end < 0 ? html.length : end
  return `${html.slice(0, at)}${renderSmallLink(text, stopUrl)}\n${html.slice(at)}`
}

/** Renders small print that ends with an address. */
const renderSmallLink = (text: string, url: string): string =>
  [
    `<p style="${smallStyle};word-break:break-all">${escapeHtml(text)}`,
    `<a href="${escapeHtml(url)}" style="color:inherit">${escapeHtml(url)}</a></p>`,
  ].join('\n')
