import { invalidFields } from '../errors.ts'

export const nameGivesNoSlug = () => invalidFields({ name: ['The name needs a letter or a digit from which a slug can be made.'] })
export const organizationExists = (slug: string) => invalidFields({ name: [`An organization with the slug "${slug}" exists already.`] })
