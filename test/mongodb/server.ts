/** Tells the tests in workerd where the server is. */
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** The connection string of the server: of MONGODB_URL, or of the one that dev/mongodb.ts has started. */
    mongodbUrl: string
  }
}

export default function setup(project: TestProject): void {
  project.provide('mongodbUrl', process.env.MONGODB_URL ?? '')
}
