/** The texts of the list of sites. */
import { defineTexts } from '../../texts/define.ts'

/** The texts of the list of sites. */
export const sitesTexts = defineTexts({
  en: {
    title: 'Sites',
    service: 'Pages of the service',
    tenants: 'Tenants',
    health: 'Health of the service',
    filter: 'Find a site by its name',
    none: 'You do not have access to a site yet',
    noneText: 'Ask an administrator of your organization for an invitation, or create a site with the API.',
    howTo: 'How to create a site',
    noMatch: (text: string) => `No site matches "${text}".`,
    more: (shown: number, all: number) => `${shown} of ${all} sites are shown. Find others by their name.`,
    environments: {
      production: 'production',
      staging: 'staging',
      development: 'development',
      preview: 'preview',
    },
  },
  de: {
    title: 'Sites',
    service: 'Seiten des Dienstes',
    tenants: 'Mandanten',
    health: 'Zustand des Dienstes',
    filter: 'Eine Site nach ihrem Namen suchen',
    none: 'Sie dürfen noch keine Site betreten',
    noneText:
      'Bitten Sie eine Verwalterin oder einen Verwalter Ihrer Organisation um eine Einladung, ' +
      'oder legen Sie über die API eine Site an.',
    howTo: 'Wie eine Site angelegt wird',
    noMatch: (text: string) => `Keine Site passt zu „${text}“.`,
    more: (shown: number, all: number) =>
      `${shown} von ${all} Sites sind zu sehen. Andere finden Sie nach ihrem Namen.`,
    environments: {
      production: 'Produktion',
      staging: 'Erprobung',
      development: 'Entwicklung',
      preview: 'Vorschau',
    },
  },
})
