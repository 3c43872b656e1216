/** The texts of the page that stops e-mails, in English and German. */
import { defineTexts } from '../../../kernel/page/texts/define.ts'

const en = {
  stop: {
    title: (organization: string) => `E-mails of ${organization}`,
    question:
      'The organization may send you invitations and e-mails about an account that it has made for you.',
    button: 'Stop these e-mails',
    stopped: 'You get no more of these e-mails. Warnings about an account of yours are still sent.',
    allow: 'Allow them again',
  },
}

const de: typeof en = {
  stop: {
    title: (organization) => `E-Mails von ${organization}`,
    question:
      'Die Organisation darf Ihnen Einladungen senden, und E-Mails zu einem Konto, das sie für Sie ' +
      'angelegt hat.',
    button: 'Diese E-Mails beenden',
    stopped:
      'Sie erhalten diese E-Mails nicht mehr. Warnungen zu einem Konto von Ihnen senden wir weiterhin.',
    allow: 'Wieder erlauben',
  },
}

export const stopTexts = defineTexts({ en, de })
