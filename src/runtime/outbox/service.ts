/** What other areas use of the outbox. */
export { afterCommit } from './after-commit.ts'
export { queueOutboxRows } from './queue.ts'
