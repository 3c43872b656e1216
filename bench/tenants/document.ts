/** The results of `npm run bench -- tenants`, and their section in docs/performance.md. */
import type { Circumstances } from '../report/circumstances.ts'
import type { Kept } from '../report/page.ts'
import { short, table } from '../report/table.ts'

/** A load on one site, or on many. */
export interface LoadFigures {
  p50: number
  p95: number
  p99: number
  perSecond: number
  /** The CPU time of a request in milliseconds. */
  server: number
  postgres: number
  /** Memory in mebibytes: of the Worker's process, and of the mean and the largest process of Postgres. */
  worker: number
  backend: number
  backendMax: number
}

export interface TenantsResults extends Circumstances {
  sites: number
  concurrency: number
  rounds: number
  seconds: number
  /** The median of the milliseconds to create one of ten sites, by the number of sites that already exist. */
  creation: { sites: number; milliseconds: number }[]
  /** The number of sites, by the number of round trips of their first request. */
  firstRequests: { roundTrips: number; sites: number }[]
  one: LoadFigures
  many: LoadFigures
}

export const tenantsResults: Kept<TenantsResults> = {
  name: 'tenants',
  heading: 'Many tenants',
  paragraphs: ({ sites, concurrency, rounds, seconds, creation, firstRequests, one, many }) => [
    `${sites.toLocaleString('en')} sites with five tables each, all in one isolate. Of ten requests six read a record, ` +
      `three a page and one creates a record, ${concurrency} at a time: to one site, and to all of them, spread by ` +
      `Zipf's law. Medians of ${rounds} rounds of ${seconds} s, by turns.`,
    table(
      ['', 'One site', 'All sites', 'Ratio'],
      rows.map(([title, name]) => [
        title,
        short(one[name]),
        short(many[name]),
        (many[name] / one[name]).toFixed(2),
      ]),
    ),
    `The first request to each site took ${firstRequests
      .map(({ roundTrips, sites: count }) => `${roundTrips} round trips to Postgres (${count} sites)`)
      .join(', ')}.`,
    'Creating a site takes, when there are so many already:',
    table(
      ['Sites', ...creation.map(({ sites: count }) => count.toLocaleString('en'))],
      [['Milliseconds', ...creation.map(({ milliseconds }) => short(milliseconds))]],
    ),
  ],
}

const rows: readonly [title: string, name: keyof LoadFigures][] = [
  ['p50, ms', 'p50'],
  ['p95, ms', 'p95'],
  ['p99, ms', 'p99'],
  ['Requests a second', 'perSecond'],
  ['CPU of the Worker, ms a request', 'server'],
  ['CPU of Postgres, ms a request', 'postgres'],
  ['Memory of the Worker’s process, MiB', 'worker'],
  ['Memory of a process of Postgres, MiB', 'backend'],
  ['The largest of them, MiB', 'backendMax'],
]
