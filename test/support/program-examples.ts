/** Runs the programs of a document: its `ts` blocks as one module, each optionally followed by its output. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Tokens } from 'marked'
import { packageProgram } from '../../dev/package-program.ts'
import { type Document, root } from './documents.ts'

/** A TypeScript block with its expected output. */
export interface Program {
  line: number
  text: string
  shown: string
}

/** Returns the `ts` blocks, each with the `text` block after it. */
export const programsOf = ({ blocks }: Document): Program[] =>
  blocks.flatMap(({ token, line }, index) => {
    const { type, lang, text } = token as Tokens.Code
    if (type !== 'code' || lang !== 'ts') return []
    const next = blocks.slice(index + 1).find((block) => block.token.type !== 'space')?.token as Tokens.Code
    return [{ line, text, shown: next?.lang === 'text' ? next.text : '' }]
  })

const mark = '---- the next program ----'

/**
 * Compiles and runs programs as one module against the service at `address`. They import the types of `apps`.
 * Returns the output of each. Throws with the errors of the compiler.
 */
export function runPrograms(
  programs: readonly Program[],
  address: string,
  apps: readonly string[],
): string[] {
  // Inside the project, to use its compiler options.
  const folder = mkdtempSync(join(root, 'test', 'client', 'types', '.guide-'))
  try {
    const client = '../../../../client/src/index.ts'
    for (const app of apps) {
      const out = join(folder, `${app}.ts`)
      const options = [app, '--url', address, '--out', out]
      execFileSync(process.execPath, [join(root, 'dev', 'types.ts'), ...options], { stdio: 'pipe' })
      writeFileSync(out, readFileSync(out, 'utf8').replace("'tessera-client'", `'${client}'`))
    }
    const text = programs.map((program) => program.text).join(`\nconsole.log(${JSON.stringify(mark)})\n`)
    const program = join(folder, 'program.ts')
    const own = text
      .replaceAll("'tessera-client'", `'${client}'`)
      .replaceAll('http://127.0.0.1:8787', address)
    writeFileSync(program, own)
    const settings = { extends: '../../../../tsconfig.json', include: ['program.ts'], exclude: [] }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings))
    const compiled = spawnSync(process.execPath, [packageProgram('typescript', 'tsc'), '-p', folder], {
      encoding: 'utf8',
    })
    if (compiled.status !== 0) throw new Error(compiled.stdout)
    const { stdout, stderr } = spawnSync(process.execPath, [program], { encoding: 'utf8' })
    if (stderr !== '') throw new Error(stderr)
    return stdout.split(`${mark}\n`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
