/** The error of a form, with a link to a page that helps. */
import { Alert } from './form.tsx'
import type { Texts } from './texts/en.ts'

/** A link to a page that helps. A path is below the prefix of the site's paths; an address is whole. */
export type Help = { text: string } & ({ path: string } | { address: string })

/** The error, and a link to a page that helps. */
export interface Problem {
  text: string
  help?: Help | undefined
}

/** Shows the error and the link. `mount` is the prefix of the site's paths: '' or `/sites/<slug>`. */
export const ProblemPart = ({ mount, problem: { text, help } }: { mount: string; problem: Problem }) => (
  <>
    <Alert id="problem" text={text} />
    {help ? (
      <p class="aside">
        <a href={'address' in help ? help.address : `${mount}${help.path}`}>{help.text}</a>
      </p>
    ) : null}
  </>
)

/** Returns the link for a sign-in that is too old: to a new sign-in, which leads back to `path`. */
export const signInAgain = (texts: Texts, mount: string, path: string): Help => ({
  text: texts.common.signInAgain,
  path: `/accounts/login/?auto_redirect=false&next=${encodeURIComponent(`${mount}${path}`)}`,
})
