/** The mails that carry a code, most of them with a link. */
export const emailKinds = [
  'confirm',
  'magicLink',
  'recovery',
  'invite',
  'emailChangeCurrent',
  'emailChangeNew',
  'reauthenticate',
] as const
export type TokenEmailKind = (typeof emailKinds)[number]

/** What a mail says. `button` is missing where there is nothing to open. */
export interface Message {
  subject: string
  heading: string
  body: string
  button?: string
  /** What stands before the code. */
  beforeCode: string
  ignore: string
}

const notYou = 'If this was not you, you can leave this mail unanswered. Nothing will happen.'
const orType = 'Or type this code where you were asked for it:'

/** Plain and warm: one thing to do in each. */
export const messages: Readonly<Record<TokenEmailKind, Message>> = {
  confirm: {
    subject: 'Please confirm your e-mail address',
    heading: 'Good to have you with us',
    body: 'One step is left: confirm that this is your address, and your account is ready.',
    button: 'Confirm my address',
    beforeCode: orType,
    ignore: notYou,
  },
  magicLink: {
    subject: 'Your sign-in link',
    heading: 'Welcome back',
    body: 'Open this link to sign in. No password needed.',
    button: 'Sign in',
    beforeCode: orType,
    ignore: notYou,
  },
  recovery: {
    subject: 'Choose a new password',
    heading: 'Forgotten? It happens',
    body: 'Open this link to choose a new password. Your old one stays as it is until you do.',
    button: 'Choose a new password',
    beforeCode: orType,
    ignore: notYou,
  },
  invite: {
    subject: 'You are invited to Walking Together',
    heading: 'Come along',
    body: 'You are invited to Walking Together, a library for parents and caregivers of 9 to 17 year olds.',
    button: 'Accept the invitation',
    beforeCode: orType,
    ignore: 'If you did not expect this, you can leave this mail unanswered.',
  },
  emailChangeCurrent: {
    subject: 'Is this change of address from you?',
    heading: 'Your address is about to change',
    body: 'Somebody who is signed in as you asked to use {newEmail} from now on. Please confirm that it was you.',
    button: 'Yes, change it',
    beforeCode: orType,
    ignore: 'If this was not you, do not confirm, and choose a new password soon.',
  },
  emailChangeNew: {
    subject: 'Please confirm your new address',
    heading: 'Is this your new address?',
    body: 'Confirm it, and your account will use {newEmail} from now on.',
    button: 'Confirm my new address',
    beforeCode: orType,
    ignore: notYou,
  },
  reauthenticate: {
    subject: 'Your confirmation code',
    heading: 'Please confirm that it is you',
    body: 'You are about to change something important in your account.',
    beforeCode: 'Type this code where you were asked for it:',
    ignore: 'If this was not you, give this code to nobody, and choose a new password soon.',
  },
}
