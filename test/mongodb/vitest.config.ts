import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import suite from '../vitest.config.ts'

const root = join(import.meta.dirname, '..', '..')

/** What the files of test/mongodb need besides: dev/mongodb.ts has a server for those in workerd. */
const own: Readonly<Record<string, { include: string[]; globalSetup: string[] }>> = {
  worker: { include: ['test/mongodb/*.test.ts'], globalSetup: [join(import.meta.dirname, 'server.ts')] },
  stack: { include: ['test/mongodb/node/*.test.ts'], globalSetup: [] },
}

const projects = suite.test?.projects?.flatMap((project) => {
  if (typeof project !== 'object' || !('test' in project)) return []
  const more = own[String(project.test?.name)]
  if (!more) return []
  const globalSetup = [project.test?.globalSetup ?? [], more.globalSetup].flat()
  return [{ ...project, test: { ...project.test, ...more, exclude: [], globalSetup } }]
})

export default defineConfig({ ...suite, root, test: { ...suite.test, projects: projects ?? [] } })
