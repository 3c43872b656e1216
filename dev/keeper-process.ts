/** The process of keeper.ts: waits for the end of the pipe on its standard input, and ends the processes of the last line. */
import { createInterface } from 'node:readline'
import { type Child, endProcesses } from './end-processes.ts'

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const) process.on(signal, () => undefined)

let children: readonly Child[] = []
for await (const line of createInterface({ input: process.stdin })) children = JSON.parse(line)
await endProcesses(children)
