/** The list of the pages for language models, at /llms.txt. */
import { chapters, contents } from './pages.ts'

/** Returns the pages in the form of llmstxt.org: a line for each, below the heading of its chapter. */
export function listOfPages(origin: string): string {
  const list = chapters.map(({ title, pages: listed }) => {
    const lines = listed.map((one) => `- [${one.title}](${origin}/docs/${one.file}): ${one.description}`)
    return `## ${title}\n\n${lines.join('\n')}\n`
  })
  const api = `## API\n\n- [OpenAPI document](${origin}/api/schema/): Every operation, with examples\n`
  return [introduction, ...list, api].join('\n')
}

/** The title and the summary of the table of contents. */
const introduction = contents.markdown.slice(0, contents.markdown.indexOf('\n## '))
