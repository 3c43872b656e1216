/** Writes .dev.vars, from which `wrangler dev` reads the variables of the Worker. */
import { existsSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const file = join(root, '.dev.vars')

const opening =
  '# Written by npm start and npm run setup. Add your own lines below this block; they override ' + 'it.'
const closing = '# End of the generated block.'

/** Writes the variables into .dev.vars, and keeps its other lines. */
export function writeDevVars(variables: Readonly<Record<string, string>>): void {
  const before = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const after = withVariables(before, variables)
  if (after === before) return
  writeFileSync(file, after, { mode: 0o600 })
  // A running `wrangler dev` reads .dev.vars again only when the time of wrangler.toml changes.
  const now = new Date()
  utimesSync(join(root, 'wrangler.toml'), now, now)
}

/**
 * Returns a text of .dev.vars with a block of these variables at its top, and with the lines of others after
 * it.
 */
export function withVariables(text: string, variables: Readonly<Record<string, string>>): string {
  const lines = text.split('\n')
  const from = lines.indexOf(opening)
  const to = lines.indexOf(closing)
  const others = from !== -1 && to > from ? [...lines.slice(0, from), ...lines.slice(to + 1)] : lines
  const block = Object.entries(variables).map(([name, value]) => `${name}=${quoted(name, value)}`)
  return [opening, ...block, closing, ...others].join('\n')
}

/** Returns a value in quotes. The format cannot escape a quotation mark between marks of the same kind. */
function quoted(name: string, value: string): string {
  const mark = ["'", '"', '`'].find((each) => !value.includes(each))
  if (mark === undefined || /[\r\n]/.test(value))
    throw new Error(
      `${name} cannot be written to .dev.vars: it has line breaks or every kind of quotation mark.`,
    )
  return `${mark}${value}${mark}`
}
