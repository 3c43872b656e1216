/**
 * Draws the results: for each question a bar of each peer, with the CPU time of its server and of Postgres.
 */
import { escapeHtml } from '../../src/kernel/lib/escape-html.ts'
import { type Question, questions } from './questions.ts'
import { comparedAt, type Figures, figuresAt, ourselves, type Results, totalCpu } from './results.ts'

const width = 860
const labelWidth = 100
const barWidth = 560
const barHeight = 13
const groupGap = 30
const top = 64
/** The length of the longest bar, as a multiple of ours. Longer bars are cut. */
const longest = 4

const ink = '#1f2933'
const ours = { server: '#0b6e99', postgres: '#7cc4de' }
const others = { server: '#7b8794', postgres: '#cbd2d9' }

/** Draws the CPU time of each question as a multiple of ours, at the concurrency of the ratios. */
export function drawResults(results: Results): string {
  const parts: string[] = []
  let y = top
  for (const question of questions) {
    const rows = rowsOf(results, question)
    const own = rows.find(({ peer }) => peer === ourselves)
    if (!own) continue
    parts.push(text(10, y, question.title.replaceAll('`', ''), 'font-weight="bold"'))
    y += 8
    for (const row of rows) {
      parts.push(bar(results, row, totalCpu(own), y))
      y += barHeight + 3
    }
    y += groupGap - 8
  }
  const height = y
  const title = `CPU time of a request, ${results.date.slice(0, 10)}, commit ${results.commit}`
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"`,
    `  role="img" aria-label="${escapeHtml(title)}" font-family="sans-serif" font-size="12" fill="${ink}">`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    text(10, 22, title, 'font-size="15" font-weight="bold"'),
    text(
      10,
      40,
      'Dark: server process. Light: Postgres. Each group is drawn in times of ours; … is longer than drawn.',
    ),
    ...parts,
    '</svg>',
    '',
  ].join('\n')
}

function rowsOf(results: Results, question: Question): Figures[] {
  const concurrency = comparedAt(results, question)
  return results.peers.flatMap(({ name }) => figuresAt(results, question, name, concurrency) ?? [])
}

function bar(results: Results, row: Figures, unit: number, y: number): string {
  const colours = row.peer === ourselves ? ours : others
  const scale = barWidth / longest / unit
  const end = Math.min(barWidth, totalCpu(row) * scale)
  const server = Math.min(end, row.server * scale)
  const title = results.peers.find(({ name }) => name === row.peer)?.title.replaceAll('`', '') ?? row.peer
  const figures = `${row.server.toPrecision(3)} + ${row.postgres.toPrecision(3)} ms`
  const isCut = totalCpu(row) * scale > barWidth
  return [
    text(labelWidth - 6, y + barHeight - 3, title, 'text-anchor="end"'),
    rect(labelWidth, y, server, colours.server),
    rect(labelWidth + server, y, end - server, colours.postgres),
    text(labelWidth + end + 6, y + barHeight - 3, isCut ? `… ${figures}` : figures),
  ].join('\n')
}

const rect = (x: number, y: number, length: number, colour: string): string =>
  `<rect x="${x.toFixed(1)}" y="${y}" width="${length.toFixed(1)}" height="${barHeight}" fill="${colour}"/>`

const text = (x: number, y: number, content: string, attributes = ''): string =>
  `<text x="${x.toFixed(1)}" y="${y}" ${attributes}>${escapeHtml(content)}</text>`
