/** The mails that tell somebody that a way into the account was changed. */
export const noticeKinds = [
  'passwordChanged',
  'emailChanged',
  'phoneChanged',
  'factorAdded',
  'factorRemoved',
  'passkeyAdded',
  'passkeyRemoved',
  'recoveryCodesMade',
  'identityLinked',
  'identityUnlinked',
] as const
export type NoticeKind = (typeof noticeKinds)[number]

export interface Notice {
  subject: string
  heading: string
  /** `{detail}` stands for what it is about. */
  body: string
  /** The same where nothing more is known. */
  plainBody?: string
  /** What to do about it, if it was somebody else. */
  ifNotYou: string
}

const chooseNewPassword =
  'If this was not you, somebody else may be in your account: sign in and choose a new password at once, which signs everybody else out. If you can no longer sign in, answer this mail.'

/** What happened, when, and what to do if it was somebody else. */
export const notices: Readonly<Record<NoticeKind, Notice>> = {
  passwordChanged: {
    subject: 'Your password was changed',
    heading: 'Your password was changed',
    body: 'From now on only the new password signs in. Everybody who was signed in with the old one is signed out.',
    ifNotYou: chooseNewPassword,
  },
  emailChanged: {
    subject: 'Your e-mail address was changed',
    heading: 'Your account has a new address',
    body: 'Your account now uses {detail}. This is the last mail that we send to the address you are reading it at.',
    plainBody: 'Your account now uses another address. This is the last mail that we send to this one.',
    ifNotYou:
      'If this was not you, answer this mail at once: with the old address alone you can no longer get in by yourself.',
  },
  phoneChanged: {
    subject: 'Your phone number was changed',
    heading: 'Your account has a new phone number',
    body: 'Codes by text message now go to the number that ends in {detail}.',
    plainBody: 'Codes by text message now go to another number.',
    ifNotYou: chooseNewPassword,
  },
  factorAdded: {
    subject: 'A second step was added to your account',
    heading: 'Signing in now has a second step',
    body: '“{detail}” is now a second step when somebody signs in to your account.',
    plainBody: 'A code or a key is now asked for when somebody signs in to your account.',
    ifNotYou: chooseNewPassword,
  },
  factorRemoved: {
    subject: 'A second step was removed from your account',
    heading: 'A second step is gone',
    body: '“{detail}” is no longer a second step when somebody signs in to your account.',
    plainBody: 'A code or a key that used to be asked for when somebody signs in is not asked for any more.',
    ifNotYou: chooseNewPassword,
  },
  passkeyAdded: {
    subject: 'A passkey was added to your account',
    heading: 'A new passkey opens your account',
    body: 'The passkey “{detail}” now signs in to your account.',
    plainBody: 'A new passkey now signs in to your account.',
    ifNotYou:
      'If this was not you, sign in, remove the passkey in your account, and choose a new password. If you can no longer sign in, answer this mail.',
  },
  passkeyRemoved: {
    subject: 'A passkey was removed from your account',
    heading: 'A passkey is gone',
    body: 'The passkey “{detail}” no longer signs in to your account.',
    plainBody: 'A passkey no longer signs in to your account.',
    ifNotYou: chooseNewPassword,
  },
  recoveryCodesMade: {
    subject: 'Your account has new recovery codes',
    heading: 'New recovery codes were made',
    body: 'Recovery codes that you wrote down earlier no longer work.',
    ifNotYou: chooseNewPassword,
  },
  identityLinked: {
    subject: 'A new way to sign in was added to your account',
    heading: 'There is a new way in',
    body: 'You can now also sign in with {detail}.',
    plainBody: 'You can now also sign in with another account of yours.',
    ifNotYou:
      'If this was not you, sign in, remove it in your account, and choose a new password. If you can no longer sign in, answer this mail.',
  },
  identityUnlinked: {
    subject: 'A way to sign in was removed from your account',
    heading: 'One way in is closed',
    body: '{detail} no longer signs in to your account.',
    plainBody: 'One of your other accounts no longer signs in to this one.',
    ifNotYou: chooseNewPassword,
  },
}
