import { invalidFields } from '../../errors.ts'

export const nameGivesNoSlug = () => invalidFields({ name: ['The name needs a letter or a digit from which a slug can be made.'] })
/** D1 */
export const appExists = (slug: string) => invalidFields({ name: [`An app with the slug "${slug}" exists already.`] })
