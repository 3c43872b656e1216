/** The link from the pages of the user's own account back to the first of them. */
import { accountPath } from './account-path.ts'
import { useTexts } from './language.ts'
import { commonTexts } from './texts/define.ts'

/** The link. `mount` is the prefix of the site's paths: '' or `/sites/<slug>`. */
export const AccountLink = ({ mount }: { mount: string }) => (
  <p class="aside">
    <a href={`${mount}${accountPath}`}>{useTexts(commonTexts).common.yourAccount}</a>
  </p>
)
