import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import suite from '../vitest.config.ts'

const root = join(import.meta.dirname, '..', '..')

/** The files of test/mongodb, by their project: dev/mongodb.ts has a server for them. */
const own: Readonly<Record<string, string[]>> = {
  worker: ['test/mongodb/*.test.ts'],
  stack: ['test/mongodb/node/*.test.ts'],
}

const projects = suite.test?.projects?.flatMap((project) => {
  if (typeof project !== 'object' || !('test' in project)) return []
  const include = own[String(project.test?.name)]
  if (!include) return []
  const { globalSetup = [] } = project.test ?? {}
  const setup = [globalSetup, join(import.meta.dirname, 'server.ts')].flat()
  return [{ ...project, test: { ...project.test, include, exclude: [], globalSetup: setup } }]
})

export default defineConfig({ ...suite, root, test: { ...suite.test, projects: projects ?? [] } })
