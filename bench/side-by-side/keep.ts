/** Stores results as JSON and Markdown in bench/results, and with a drawing in docs/performance.md. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { formatFile, replaceInPage } from '../report/page.ts'
import { drawResults } from './chart.ts'
import { resultsDocument, summary } from './markdown.ts'
import type { Results } from './results.ts'

const root = join(import.meta.dirname, '..', '..')
const folder = join(root, 'bench', 'results')
/** The newest drawing is a static file of the service, which shows it in the documentation. */
const drawing = 'src/operation/assets/performance.svg'

/** Returns the name of the files of a run, without the extension. */
const nameOf = ({ date, commit }: Results): string =>
  `${date.slice(0, 10)}-${commit.replace('+', '-changed')}`

/** Writes all files, and returns their paths, relative to the root. */
export function keepResults(results: Results): string[] {
  mkdirSync(folder, { recursive: true })
  const name = nameOf(results)
  const files: [ending: string, text: string][] = [
    ['json', `${JSON.stringify(results, null, 2)}\n`],
    ['md', resultsDocument(results)],
  ]
  for (const [ending, text] of files) writeFileSync(join(folder, `${name}.${ending}`), text)
  writeFileSync(join(root, drawing), drawResults(results))
  formatFile(join(folder, `${name}.json`))
  replaceInPage('Results', resultsSection(results))
  return [...files.map(([ending]) => `bench/results/${name}.${ending}`), drawing, 'docs/performance.md']
}

/** Returns the section for the documentation. */
export function resultsSection(results: Results): string {
  const name = nameOf(results)
  return [
    '## Results',
    ...summary(results),
    `![CPU time of a request, by question and peer](../${drawing})`,
    `Requests per second and latencies at every concurrency: [all figures](../bench/results/${name}.md).`,
  ].join('\n\n')
}
