/**
 * The processes in which the local stack runs functions. A process runs one run at a time, always of the same
 * function. So the CPU time of a process is that of its run, and stopping it stops no other run.
 */
import {
  cpuMsMax,
  tookTooLong,
  usedTooMuchCpu,
  usedTooMuchMemory,
  waitedTooLong,
} from '../../src/runtime/functions/runners/limits.ts'
import { processStatus } from '../../src/runtime/functions/runners/process.ts'
import { type Answer, type FunctionProcess, startFunctionProcess } from './process.ts'
import type { Program } from './program.ts'
import { usageOf } from './usage.ts'

export interface Limits {
  /** CPU time of a run. */
  cpuMs: number
  /** Resident memory of a process; an idle one has about 50 MiB. */
  memoryBytes: number
  /**
   * The maximum number of concurrent runs: in all, of one site, and of one isolate's code. Further runs wait
   * without blocking others.
   */
  runsMax: number
  siteRunsMax: number
  isolateRunsMax: number
  /** How long a run waits for its turn. */
  waitMs: number
}

const defaults: Limits = {
  cpuMs: cpuMsMax,
  memoryBytes: 512 * 1024 ** 2,
  runsMax: 48,
  siteRunsMax: 24,
  isolateRunsMax: 8,
  // A claimed attempt starts at most 45 s later, and its lease is 90 s longer than the run's time limit.
  waitMs: 30_000,
}

/** How often usage is checked. */
const watchMs = 100
/** A process whose run has used this much CPU time gets a lower priority. */
const politeCpuMs = 500
/** How long a process without a run is kept. */
const idleMs = 30_000

interface Run {
  site: string
  isolate: string
  /** The time limit of the run, from its start. */
  timeoutMs: number
  /** The time limit from the request on, including the wait. Omitted: the run waits at most `waitMs`. */
  withinMs?: number
  /** The request for dev/functions/worker.ts. */
  call: Buffer
}

export interface FunctionPool {
  run(run: Run): Promise<Answer>
  /** New runs use this program. */
  replace(program: Program): void
  stop(): Promise<void>
}

interface Member {
  site: string
  isolate: string
  program: Program
  process: Promise<FunctionProcess>
  /** Undefined until it has started. */
  started?: FunctionProcess
  running: boolean
  /** When its last run ended. */
  idleSince: number
  /**
   * CPU time when its run began; undefined until it was measured. CPU time after the run, as by `waitUntil`,
   * counts for the run.
   */
  cpuMsBefore: number | undefined
}

export function startPool(initial: Program, some: Partial<Limits> = {}): FunctionPool {
  const limits = { ...defaults, ...some }
  let program = initial
  let stopped = false
  const members = new Set<Member>()
  const waiting: { run: Run; take(member: Member): void }[] = []
  let watch = setTimeout(look, watchMs)

  async function run(asked: Run): Promise<Answer> {
    const until = Date.now() + (asked.withinMs ?? Number.POSITIVE_INFINITY)
    const member = await place(asked)
    if (!member)
      return { status: processStatus.notStarted, text: 'No process for functions was free in time.' }
    let timer: NodeJS.Timeout | undefined
    try {
      const process = await member.process
      const left = until - Date.now()
      const reason = left < asked.timeoutMs ? waitedTooLong : tookTooLong(asked.timeoutMs)
      timer = setTimeout(() => discard(member, reason), Math.max(0, Math.min(left, asked.timeoutMs)))
      return await process.ask(asked.call)
    } catch (error) {
      discard(member)
      return { status: processStatus.failed, text: (error as Error).message }
    } finally {
      clearTimeout(timer)
      member.running = false
      member.idleSince = Date.now()
      serve()
    }
  }

  /** Returns undefined if its turn does not come in time. */
  function place(asked: Run): Promise<Member | undefined> {
    return new Promise((done) => {
      const entry = {
        run: asked,
        take(member: Member) {
          clearTimeout(timer)
          done(member)
        },
      }
      const timer = setTimeout(
        () => {
          waiting.splice(waiting.indexOf(entry), 1)
          done(undefined)
        },
        Math.min(limits.waitMs, asked.withinMs ?? limits.waitMs),
      )
      waiting.push(entry)
      serve()
    })
  }

  /**
   * Assigns processes to waiting runs in the order of arrival, except those whose site or function already
   * has its share.
   */
  function serve(): void {
    for (const entry of [...waiting]) {
      const running = [...members].filter((member) => member.running)
      if (running.length >= limits.runsMax) return
      const { site, isolate } = entry.run
      if (running.filter((member) => member.site === site).length >= limits.siteRunsMax) continue
      if (running.filter((member) => member.isolate === isolate).length >= limits.isolateRunsMax) continue
      waiting.splice(waiting.indexOf(entry), 1)
      const member = idleOf(isolate) ?? added(site, isolate)
      member.running = true
      member.cpuMsBefore = undefined
      entry.take(member)
    }
  }

  const idle = (): Member[] =>
    [...members].filter((member) => !member.running).sort((a, b) => a.idleSince - b.idleSince)

  const idleOf = (isolate: string): Member | undefined =>
    idle().findLast((member) => member.isolate === isolate && member.program === program)

  function added(site: string, isolate: string): Member {
    const longestIdle = idle()[0]
    if (members.size >= limits.runsMax && longestIdle) discard(longestIdle)
    const process = startFunctionProcess(program)
    const member: Member = {
      site,
      isolate,
      program,
      process,
      running: true,
      idleSince: 0,
      cpuMsBefore: undefined,
    }
    members.add(member)
    process.then(
      (started) => {
        member.started = started
        if (!members.has(member)) started.end()
        void started.ended.then(() => members.delete(member))
      },
      () => members.delete(member),
    )
    return member
  }

  function discard(member: Member, reason?: string): void {
    members.delete(member)
    member.started?.end(reason)
  }

  async function look(): Promise<void> {
    await lookAtUsage()
    if (!stopped) watch = setTimeout(look, watchMs)
  }

  async function lookAtUsage(): Promise<void> {
    const looked = [...members].flatMap((member) =>
      member.started ? [{ member, process: member.started }] : [],
    )
    if (looked.length === 0) return
    const usages = await usageOf(looked.map(({ process }) => process.pid))
    for (const { member, process } of looked) {
      const usage = usages.get(process.pid)
      if (!usage || !members.has(member)) continue
      member.cpuMsBefore ??= usage.cpuMs
      const cpuMs = usage.cpuMs - member.cpuMsBefore
      if (cpuMs > limits.cpuMs) discard(member, usedTooMuchCpu(limits.cpuMs))
      else if (usage.residentBytes > limits.memoryBytes)
        discard(member, usedTooMuchMemory(limits.memoryBytes))
      else if (!member.running && Date.now() - member.idleSince > idleMs) discard(member)
      else if (cpuMs > politeCpuMs) process.yieldToOthers()
    }
  }

  return {
    run,
    replace(next) {
      program = next
    },
    async stop() {
      stopped = true
      clearTimeout(watch)
      const ended = [...members].map(async ({ process }) => (await process).ended)
      for (const member of members) discard(member)
      await Promise.allSettled(ended)
    },
  }
}
