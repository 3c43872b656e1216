import { invalidFields } from '../../errors.ts'

export const nameGivesNoSlug = () => invalidFields({ name: ['No letter or digit of the name can stand in a slug: send a slug beside it.'] })
/** D1 */
export const appExists = (slug: string, field: 'name' | 'slug') => invalidFields({ [field]: [`An app with the slug "${slug}" exists already.`] })
