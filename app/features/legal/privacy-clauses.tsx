import { type Clause, ContactLink } from './legal-page.tsx'

/** The privacy policy (specification, section 2: adults only; personal info, usage data, cookies; nothing is sold). */
export const privacyClauses: readonly Clause[] = [
  {
    id: 'who-may-use',
    title: 'Who this site is for',
    body: (
      <>
        <p>
          Walking Together (“we”) is written for parents and caregivers. The site is not for people under 18:
          they may not use it, and we do not knowingly collect information about them from themselves.
        </p>
        <p>
          If you believe that somebody under 18 has given us personal information, write to <ContactLink />,
          and we will delete it. Please leave out your child’s full name, school and other details that
          identify them when you write to us or take part in a group.
        </p>
      </>
    ),
  },
  {
    id: 'what-we-collect',
    title: 'What we collect',
    body: (
      <>
        <p>
          <strong>Personal information you give us.</strong> Your e-mail address and name when you have or ask
          for an account, a picture if you add one, the resources you save, and what you write to us. Your
          password is kept only in a form from which it cannot be read back.
        </p>
        <p>
          <strong>Usage data.</strong> When your browser asks for a page, our server receives and may log the
          page’s address, the time, your IP address, and what kind of browser asked. How fast pages appear is
          measured in your browser and stays there.
        </p>
        <p>
          <strong>Cookies and browser storage.</strong> See the next section.
        </p>
        <p>
          You can read and listen to everything public without an account and without telling us who you are.
        </p>
      </>
    ),
  },
  {
    id: 'cookies',
    title: 'Cookies and browser storage',
    body: (
      <>
        <p>
          We use cookies and your browser’s own storage only for what the site needs to work as you set it up:
        </p>
        <ul>
          <li>your sign-in, if you have an account, until you log out;</li>
          <li>your choices: colors, cards or list, how many resources on a page, how fast podcasts play;</li>
          <li>where you stopped in a podcast, and loading times, until you close the tab.</li>
        </ul>
        <p>
          There are no advertising cookies, no trackers and no analytics by third parties. You can clear this
          storage in your browser’s settings at any time; you will then be logged out and your choices will be
          forgotten.
        </p>
      </>
    ),
  },
  {
    id: 'how-we-use-it',
    title: 'What we use it for',
    body: (
      <>
        <p>We use this information to</p>
        <ul>
          <li>show you the site, your account and what you saved;</li>
          <li>answer you, and send messages about your account, such as a confirmation or a new password;</li>
          <li>keep the site safe, find faults, and learn which pages are of use;</li>
          <li>do what the law requires of us.</li>
        </ul>
        <p>
          What you read here can say something personal about your family. We do not build profiles from it,
          and we make no decisions about you by machine.
        </p>
      </>
    ),
  },
  {
    id: 'no-sale',
    title: 'We do not sell your data',
    body: (
      <p>
        We do not sell personal information, and we do not share it for advertising. The site carries no
        advertisements.
      </p>
    ),
  },
  {
    id: 'who-sees-it',
    title: 'Who else can see it',
    body: (
      <>
        <p>Only those who need it for the site to work, and only what they need:</p>
        <ul>
          <li>
            companies that host the site, its database and its e-mail for us, bound to our instructions;
          </li>
          <li>experts and moderators, when you book a session or write in a group;</li>
          <li>authorities, when the law obliges us, or to prevent serious harm to somebody;</li>
          <li>a successor, if the site passes into other hands, under the same promises.</li>
        </ul>
        <p>
          Pages may link to other sites, and may show a picture or play a recording that is kept elsewhere.
          Those who keep it then see your IP address, and their own rules apply.
        </p>
      </>
    ),
  },
  {
    id: 'how-long',
    title: 'How long we keep it',
    body: (
      <p>
        Your account’s information for as long as the account exists; letters for as long as it takes to deal
        with them; logs for no longer than we need to keep the site safe. After that it is deleted, unless the
        law asks us to keep it. Copies made for safety are overwritten in turn.
      </p>
    ),
  },
  {
    id: 'your-rights',
    title: 'Your choices and rights',
    body: (
      <>
        <p>
          You may ask us what we hold about you, for a copy of it, to correct it or to delete it, and to close
          your account. Write to <ContactLink />. We answer within the time that your law sets, and never
          treat you worse for asking. We may first have to make sure that it is you who asks.
        </p>
        <p>
          These are rights under the California Consumer Privacy Act. If you live in the European Economic
          Area, the United Kingdom or Switzerland, you may also object to a use, ask us to restrict it, take
          your information elsewhere, and complain to your data protection authority.
        </p>
      </>
    ),
  },
  {
    id: 'security',
    title: 'How we protect it',
    body: (
      <p>
        Who may read what is decided by rules in the database itself, and nobody here ever needs your
        password. No system is perfectly safe: if something happens that concerns you, we will tell you.
      </p>
    ),
  },
  {
    id: 'changes',
    title: 'Changes and questions',
    body: (
      <p>
        When this policy changes, the date above changes with it, and we tell members before anything
        important does. Questions go to <ContactLink />; a person reads them.
      </p>
    ),
  },
]
