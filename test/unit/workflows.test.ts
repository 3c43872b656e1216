/** The workflows of .github run commands that exist, and production comes after staging. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { environmentNames } from '../../dev/deploy/environment-names.ts'

const root = join(import.meta.dirname, '..', '..')
const folder = join(root, '.github', 'workflows')

interface Job {
  uses?: string
  needs?: string
  with?: Record<string, string>
  env?: Record<string, string>
  steps?: { uses?: string; run?: string }[]
}
interface Workflow {
  permissions: Record<string, string>
  jobs: Record<string, Job>
}

const workflows = readdirSync(folder).map((name) => ({
  name,
  workflow: parse(readFileSync(join(folder, name), 'utf8')) as Workflow,
}))
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>
}
const stepsOf = ({ jobs }: Workflow) => Object.values(jobs).flatMap(({ steps = [] }) => steps)

describe.each(workflows)('$name', ({ workflow }) => {
  it('may only read the repository', () => {
    expect(workflow.permissions).toEqual({ contents: 'read' })
  })

  it('puts no expression into a command, where its text would be executed', () => {
    expect(stepsOf(workflow).filter(({ run }) => run?.includes('${{'))).toEqual([])
  })

  it('runs npm scripts that exist', () => {
    const named = stepsOf(workflow).flatMap(({ run = '' }) =>
      [...run.matchAll(/npm run ([\w:-]+)/g)].map(([, script = '']) => script),
    )
    expect(named.filter((script) => !Object.hasOwn(scripts, script))).toEqual([])
  })
})

describe('deploy.yml', () => {
  it('has a job for each environment, in order', () => {
    const jobs = workflows.find(({ name }) => name === 'deploy.yml')?.workflow.jobs ?? {}
    expect(
      Object.entries(jobs).map(([name, { with: own, needs }]) => [name, own?.environment, needs]),
    ).toEqual(environmentNames.map((name, index) => [name, name, environmentNames[index - 1]]))
  })
})
