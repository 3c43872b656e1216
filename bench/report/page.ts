/** Stores results in bench/results, and as a section of docs/performance.md. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Circumstances, measuredAt } from './circumstances.ts'

const root = join(import.meta.dirname, '..', '..')
const page = join(root, 'docs', 'performance.md')

/** A benchmark with stored results: the newest ones are in bench/results/<name>.json. */
export interface Kept<Results extends Circumstances> {
  name: string
  /** The heading of the section. */
  heading: string
  /** Returns the paragraphs below the sentence about where and when the results were measured. */
  paragraphs(results: Results): string[]
}

/** Returns the section for the documentation. */
export const sectionOf = <Results extends Circumstances>(
  { heading, paragraphs }: Kept<Results>,
  results: Results,
): string => [`## ${heading}`, measuredAt(results), ...paragraphs(results)].join('\n\n')

/** Writes results to their file and to the documentation. Returns the paths, relative to the root. */
export function keep<Results extends Circumstances>(kept: Kept<Results>, results: Results): string[] {
  const file = `bench/results/${kept.name}.json`
  mkdirSync(join(root, 'bench', 'results'), { recursive: true })
  writeFileSync(join(root, file), `${JSON.stringify(results, null, 2)}\n`)
  formatFile(join(root, file))
  replaceInPage(kept.heading, sectionOf(kept, results))
  return [file, 'docs/performance.md']
}

/** Formats a file as the lint requires. */
export function formatFile(file: string): void {
  const biome = join(root, 'node_modules', '.bin', 'biome')
  execFileSync(biome, ['format', '--write', '--config-path=dev/lint.json', file], {
    cwd: root,
    stdio: 'ignore',
  })
}

/** Replaces a section of docs/performance.md. */
export function replaceInPage(heading: string, section: string): void {
  writeFileSync(page, withSection(readFileSync(page, 'utf8'), heading, section))
}

/** Returns the page with the section below a heading replaced. Throws if there is none. */
export function withSection(markdown: string, heading: string, section: string): string {
  const start = markdown.indexOf(`## ${heading}\n`)
  if (start === -1) throw new Error(`docs/performance.md has no section "## ${heading}".`)
  const end = markdown.indexOf('\n## ', start + 1)
  const rest = end === -1 ? '' : markdown.slice(end)
  return `${markdown.slice(0, start)}${section}\n${rest}`
}
