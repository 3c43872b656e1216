/** Edits of a source or a page, as editors and git save them, and the time until each is live. */
import { execFileSync } from 'node:child_process'
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { scaled } from './scaled.ts'
import { until } from './until.ts'

/** A checkout, and the address of its Worker. */
export interface Loop {
  folder: string
  base: string
}

/** The files that can be edited, and the paths that show an edit. */
const places = [
  {
    file: join('src', 'operation', 'health', 'routes.ts'),
    path: '/healthz',
    /** Returns the text of the file with a mark that the response then contains. */
    marked: (text: string, mark: string) =>
      text.replace(/(handle: \(\) => \(\{ 200: \{ status: ')[^']*'/, `$1${mark}'`),
  },
  {
    file: join('docs', 'guide', 'start.md'),
    path: '/docs/guide/start.md',
    marked: (text: string, mark: string) => text.replace(/^# .*/, `# Getting started ${mark}`),
  },
]

/** The ways to save a file. */
const saves: ((file: string, text: string) => void)[] = [
  writeFileSync,
  // `sed -i`, vim and others.
  (file, text) => {
    writeFileSync(`${file}~`, text)
    renameSync(`${file}~`, file)
  },
  (file, text) => {
    rmSync(file)
    writeFileSync(file, text)
  },
]

/** Makes edits of every kind in turn. Returns the time in milliseconds until each was live. */
export async function edit(loop: Loop, count: number): Promise<number[]> {
  const times: number[] = []
  for (let n = 0; n < count; n++) {
    const place = places[n % places.length] as (typeof places)[number]
    const save = saves[n % saves.length] as (typeof saves)[number]
    const file = join(loop.folder, place.file)
    const mark = `edit-${n}-${Date.now()}`
    const text = place.marked(readFileSync(file, 'utf8'), mark)
    times.push(
      await untilLive(
        loop,
        place.path,
        (body) => body.includes(mark),
        () => save(file, text),
      ),
    )
  }
  return times
}

/** Reverts every edit with `git checkout`. Returns the time in milliseconds until that was live. */
export const checkout = (loop: Loop): Promise<number> =>
  untilLive(
    loop,
    '/healthz',
    (body) => !body.includes('edit-'),
    () => execFileSync('git', ['checkout', '--quiet', '--', 'src', 'docs'], { cwd: loop.folder }),
  )

/** Breaks the syntax of a source. */
export function breakSource({ folder }: Loop): void {
  const file = join(folder, 'src', 'worker.ts')
  writeFileSync(file, readFileSync(file, 'utf8').replace('export default {', 'export default {{'))
}

async function untilLive(
  { base }: Loop,
  path: string,
  isLive: (body: string) => boolean,
  change: () => unknown,
): Promise<number> {
  const began = performance.now()
  change()
  await until(
    async () => isLive(await (await fetch(`${base}${path}`)).text()),
    () => `an edit that is live at ${path}`,
    scaled(60_000),
  )
  return performance.now() - began
}

/** Returns the percentile of values in whole milliseconds. `share` is from 0 to 1. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] as number)
}
