/** The results of measurements as Markdown and as a drawing. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { sectionOf, withSection } from '../../../bench/report/page.ts'
import { drawResults } from '../../../bench/side-by-side/chart.ts'
import { resultsSection } from '../../../bench/side-by-side/keep.ts'
import { resultsDocument } from '../../../bench/side-by-side/markdown.ts'
import type { Figures, Results } from '../../../bench/side-by-side/results.ts'
import { tenantsResults } from '../../../bench/tenants/document.ts'

const root = join(import.meta.dirname, '..', '..', '..')

const figures = (peer: string, concurrency: number, server: number, postgres: number): Figures => ({
  question: 'get',
  peer,
  concurrency,
  server,
  postgres,
  perSecond: 1000,
  p50: 1,
  p95: 2,
  p99: 3,
})

const results: Results = {
  date: '2026-11-22T10:00:00.000Z',
  commit: 'abc1234',
  machine: {
    cpu: 'A processor',
    cores: 2,
    memoryGiB: 8,
    system: 'linux x64',
    node: '24.0.0',
    postgres: '18.4',
  },
  plan: { rounds: 3, seconds: 1, concurrencies: [1, 16] },
  size: { products: 100_000, orders: 200_000, customers: 10_000, employees: 10_000 },
  source: 'cgroup',
  peers: [
    { name: 'we', title: 'Tessera' },
    { name: 'floor', title: 'floor' },
    { name: 'raw', title: 'SQL by `pg`' },
    { name: 'postgrest', title: 'PostgREST' },
  ],
  absent: [{ name: 'directus', reason: 'npm ci failed\nat length' }],
  figures: [
    figures('we', 1, 9, 9),
    figures('we', 16, 1, 1),
    figures('floor', 16, 0.5, 0.3),
    figures('postgrest', 16, 0.5, 1),
  ],
}

describe('the Markdown of a run', () => {
  const lines = resultsDocument(results).split('\n')

  it('begins with the date, the commit and the ratios at concurrency 16, with their goals', () => {
    expect(lines[0]).toBe('# Side by side, 2026-11-22, commit abc1234')
    expect(lines.filter((line) => line.startsWith('| '))[0]).toBe(
      '| Work | ÷ floor | ÷ SQL by `pg` | ÷ PostgREST |',
    )
    expect(lines).toContain('| get by id | **2.50** (1.50) | – | 1.33 (2.00) |')
  })

  it('contains the CPU time of every peer, and every figure', () => {
    expect(lines).toContain('| get by id | 16 | 1.00 + 1.00 | 0.50 + 0.30 | – | 0.50 + 1.00 |')
    expect(lines).toContain('| Tessera | 1 | 9.00 | 9.00 | 18.0 | 1000 | 1.00 | 2.00 | 3.00 |')
  })

  it('names the peers that were left out, and the reasons', () => {
    expect(lines.join('\n')).toContain('or failed: directus (npm ci failed).')
  })
})

describe('the drawing of a run', () => {
  it('has a bar with two parts for each peer that was measured', () => {
    const drawing = drawResults(results)
    expect(drawing.match(/<rect x=/g)).toHaveLength(6)
    expect(drawing).toContain('>1.00 + 1.00 ms</text>')
    expect(drawing).not.toContain('SQL by')
  })
})

describe('docs/performance.md', () => {
  it('keeps its other sections when results are inserted', () => {
    const page = '# Performance\n\n## Results\n\nold\n\n## Run it\n\nText\n'
    const changed = withSection(page, 'Results', resultsSection(results))
    expect(changed).toBe(`# Performance\n\n${resultsSection(results)}\n\n## Run it\n\nText\n`)
    expect(() => withSection('# Performance\n', 'Results', 'text')).toThrow('no section "## Results"')
  })

  it('shows the newest results of bench/results', () => {
    const newest = globSync('bench/results/*-*.json', { cwd: root })
      .map((file) => JSON.parse(readFileSync(join(root, file), 'utf8')) as Results)
      .toSorted((a, b) => (a.date < b.date ? 1 : -1))[0] as Results
    expect(readFileSync(join(root, 'docs', 'performance.md'), 'utf8')).toContain(resultsSection(newest))
  })

  it('shows the results of bench/results/tenants.json', () => {
    const results = JSON.parse(readFileSync(join(root, 'bench', 'results', 'tenants.json'), 'utf8'))
    expect(readFileSync(join(root, 'docs', 'performance.md'), 'utf8')).toContain(
      sectionOf(tenantsResults, results),
    )
  })
})
