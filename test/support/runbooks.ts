/** Reads the commands in the `sh` blocks of the pages for operators. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..', '..')

export interface Block {
  /** The first line of the block in the page. */
  line: number
  script: string
}

/** Returns the blocks of a page in docs/operate, including those in lists. */
export function blocksOf(page: string): Block[] {
  const text = readFileSync(join(root, 'docs', 'operate', page), 'utf8')
  return [...text.matchAll(/^( *)```sh\n([\s\S]*?)^\1```$/gm)].map(
    ({ index, 1: indent = '', 2: body = '' }) => ({
      line: text.slice(0, index).split('\n').length,
      script: body.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    }),
  )
}

/** Returns the statements that a page sends with psql. */
export const statementsOf = (page: string): string[] =>
  blocksOf(page).flatMap(({ script }) =>
    [...script.matchAll(/^psql "\$OWNER_DATABASE_URL" -c "([^"]+)"$/gm)].map(
      ([, statement = '']) => statement,
    ),
  )
