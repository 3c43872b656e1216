/** Renders the Markdown of the documentation as HTML that is safe under the strict content policy. */
import { Marked, type Token, type Tokens } from 'marked'
import { escapeHtml } from '../../kernel/lib/escape-html.ts'

export interface Section {
  /** The anchor of the heading; empty for the text before the first one. */
  id: string
  depth: number
  heading: string
  /** The text below the heading, without the marks of Markdown. */
  text: string
}

export interface Rendered {
  html: string
  sections: readonly Section[]
}

/** Returns the targets of links and images; undefined for files that the service does not have. */
export interface Addresses {
  ofLink(target: string): string | undefined
  ofImage(target: string): string | undefined
}

/** Renders a document. A link or an image that the service does not have is replaced by its text. */
export function renderMarkdown(markdown: string, addresses: Addresses): Rendered {
  const sections: Section[] = [{ id: '', depth: 0, heading: '', text: '' }]
  const anchors = anchorNames()
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        return `<h${depth} id="${sectionOf.get(tokens)?.id}">${this.parser.parseInline(tokens)}</h${depth}>\n`
      },
      link({ href, tokens }) {
        const address = addresses.ofLink(href)
        const label = this.parser.parseInline(tokens)
        return address === undefined ? label : `<a href="${escapeHtml(address)}">${label}</a>`
      },
      // The documents use HTML only for line breaks in cells.
      html: ({ text }) => (/^<br ?\/?>$/.test(text) ? '<br>' : escapeHtml(text)),
      image({ href, text }) {
        const address = addresses.ofImage(href)
        const label = escapeHtml(text)
        return address === undefined ? label : `<img src="${escapeHtml(address)}" alt="${label}">`
      },
    },
  })
  const sectionOf = new Map<Token[], Section>()
  const tokens = marked.lexer(markdown)
  for (const token of tokens) {
    if (token.type === 'heading') {
      const { depth, tokens: parts } = token as Tokens.Heading
      const heading = plainText(parts)
      const section = { id: anchors(heading), depth, heading, text: '' }
      sectionOf.set(parts, section)
      sections.push(section)
    } else {
      const section = sections.at(-1)
      if (section) section.text += ` ${plainText([token])}`
    }
  }
  const html = marked
    .parser(tokens)
    .replaceAll('<table>', '<div class="table" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>')
    .replaceAll('<pre>', '<pre tabindex="0">')
  return { html, sections }
}

/** Returns a function that names the anchors of a document as GitHub does: repeated headings get a number. */
export function anchorNames(): (heading: string) => string {
  const seen = new Map<string, number>()
  return (heading) => {
    const name = heading
      .toLowerCase()
      .replace(/[^\p{Letter}\p{Number}\s_-]/gu, '')
      .replace(/\s/g, '-')
    const count = seen.get(name) ?? 0
    seen.set(name, count + 1)
    return count === 0 ? name : `${name}-${count}`
  }
}

/** Returns the text of tokens, without the marks of Markdown. */
export function plainText(tokens: readonly Token[]): string {
  return tokens
    .map((token) => {
      if (token.type === 'table') {
        const { header, rows } = token as Tokens.Table
        return [header, ...rows]
          .flat()
          .map((cell) => plainText(cell.tokens))
          .join(' ')
      }
      if (token.type === 'list')
        return (token as Tokens.List).items.map((item) => plainText(item.tokens)).join(' ')
      if ('tokens' in token && token.tokens) return plainText(token.tokens)
      if ('text' in token) return token.text
      return token.type === 'space' ? ' ' : ''
    })
    .join('')
}
