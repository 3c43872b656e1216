import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import suite from '../vitest.config.ts'

const root = join(import.meta.dirname, '..', '..')

/** The files of test/mongodb, run as those of the project `worker`: dev/mongodb.ts has a server for them. */
const projects = suite.test?.projects?.flatMap((project) => {
  if (typeof project !== 'object' || !('test' in project) || project.test?.name !== 'worker') return []
  const { globalSetup = [] } = project.test
  const setup = [globalSetup, join(import.meta.dirname, 'server.ts')].flat()
  const include = ['test/mongodb/**/*.test.ts']
  return [{ ...project, test: { ...project.test, include, exclude: [], globalSetup: setup } }]
})

export default defineConfig({ ...suite, root, test: { ...suite.test, projects: projects ?? [] } })
