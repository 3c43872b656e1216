/** The results as Markdown, ratios first. */
import { short, table } from '../report/table.ts'
import { type Question, questions } from './questions.ts'
import { comparedAt, type Figures, figuresAt, ourselves, type Results, ratioTo, totalCpu } from './results.ts'

const none = '–'

const questionsIn = ({ figures }: Results): Question[] =>
  questions.filter(({ name }) => figures.some(({ question }) => question === name))

/** Writes the document of a run. */
export function resultsDocument(results: Results): string {
  const title = `# Side by side, ${results.date.slice(0, 10)}, commit ${results.commit}`
  return `${[title, ...summary(results), ...details(results)].join('\n\n')}\n`
}

/** Writes the paragraphs and tables of docs/performance.md. */
export function summary(results: Results): string[] {
  const { machine, size, plan, source, absent } = results
  const thousands = (value: number) => value.toLocaleString('en')
  const absentees = absent.map(({ name, reason }) => `${name} (${reason.split('\n')[0]})`).join('; ')
  return [
    `Measured on ${results.date.slice(0, 10)} at commit ${results.commit}: ${machine.cores} cores (${machine.cpu}), ` +
      `Postgres ${machine.postgres}, Node ${machine.node}; ${thousands(size.products)} products, ` +
      `${thousands(size.customers)} customers, ${thousands(size.orders)} orders, ` +
      `${thousands(size.employees)} employees in a tree; medians of ${plan.rounds} rounds of ${plan.seconds} s; ` +
      `CPU time by ${source === 'cgroup' ? 'control groups' : 'processes'}.`,
    ...(absent.length > 0
      ? [`Left out, as they could not be installed or started, or failed: ${absentees}.`]
      : []),
    'Our CPU time divided by theirs, and in parentheses the goal where there is one; bold: not reached.',
    ratioTable(results),
    'CPU time of a request in milliseconds, server process + Postgres.',
    cpuTable(results),
  ]
}

function ratioTable(results: Results): string {
  const others = results.peers.filter(({ name }) => name !== ourselves)
  return table(
    ['Work', ...others.map(({ title }) => `÷ ${title}`)],
    questionsIn(results).map((question) => [
      question.title,
      ...others.map(({ name }) => {
        const ratio = ratioTo(results, question, name)
        if (ratio === undefined) return none
        const goal = question.goals.find(({ peer }) => peer === name)?.ratio
        if (goal === undefined) return short(ratio)
        return ratio <= goal ? `${short(ratio)} (${short(goal)})` : `**${short(ratio)}** (${short(goal)})`
      }),
    ]),
  )
}

function cpuTable(results: Results): string {
  return table(
    ['Work', 'At a time', ...results.peers.map(({ title }) => title)],
    questionsIn(results).map((question) => {
      const concurrency = comparedAt(results, question)
      return [
        question.title,
        String(concurrency),
        ...results.peers.map(({ name }) => {
          const found = figuresAt(results, question, name, concurrency)
          return found ? `${short(found.server)} + ${short(found.postgres)}` : none
        }),
      ]
    }),
  )
}

/** Writes a table for each question with everything that was measured. */
function details(results: Results): string[] {
  return questionsIn(results).flatMap((question) => {
    const rows = results.figures.filter(({ question: name }) => name === question.name)
    const order = (row: Figures) =>
      row.concurrency * 100 + results.peers.findIndex(({ name }) => name === row.peer)
    return [
      `## ${question.title}`,
      table(
        [
          'Who',
          'At a time',
          'Server, ms',
          'Postgres, ms',
          'CPU, ms',
          'A second',
          'p50, ms',
          'p95, ms',
          'p99, ms',
        ],
        rows
          .toSorted((a, b) => order(a) - order(b))
          .map((row) => [
            results.peers.find(({ name }) => name === row.peer)?.title ?? row.peer,
            String(row.concurrency),
            ...[row.server, row.postgres, totalCpu(row), row.perSecond, row.p50, row.p95, row.p99].map(short),
          ]),
      ),
    ]
  })
}
