/**
 * The process of keeper.ts: waits until the pipe on its standard input closes, and ends the processes in the
 * last line.
 */
import { createInterface } from 'node:readline'
import { type Child, endProcesses } from './end-processes.ts'

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const) process.on(signal, () => undefined)

let children: readonly Child[] = []
for await (const line of createInterface({ input: process.stdin })) children = JSON.parse(line)
await endProcesses(children)
