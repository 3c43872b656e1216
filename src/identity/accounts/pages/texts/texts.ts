/** The texts of the pages below `/accounts/` that are not those of the sign-in. */
import { defineTexts } from '../../../../kernel/page/texts/define.ts'
import { accountDe, accountEn } from './account.ts'
import { factorsDe, factorsEn } from './factors.ts'
import { linksDe, linksEn } from './links.ts'

export const accountTexts = defineTexts({
  en: { ...linksEn, ...factorsEn, ...accountEn },
  de: { ...linksDe, ...factorsDe, ...accountDe },
})

/** The texts in one language. */
export type AccountTexts = (typeof accountTexts)['en']
