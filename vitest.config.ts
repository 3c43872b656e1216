/** Lets `npx vitest` find the test suite. */
export { default } from './test/vitest.config.ts'
