import { href, Link } from 'react-router'
import { type Clause, ContactLink } from './legal-page.tsx'

/** The terms of service (specification, section 2: 18+ only, California law, no professional advice, licence). */
export const termsClauses: readonly Clause[] = [
  {
    id: 'agreement',
    title: 'What you agree to',
    body: (
      <p>
        These terms are between you and Walking Together (“we”). By using this site you accept them, and our{' '}
        <Link to={href('/privacy')}>privacy policy</Link>. If you do not, please do not use the site.
      </p>
    ),
  },
  {
    id: 'adults-only',
    title: 'Adults only',
    body: (
      <p>
        You must be at least 18 years old to use this site, to have an account, and to take part in groups,
        workshops or sessions. The library is about children and teens; it is not meant for them.
      </p>
    ),
  },
  {
    id: 'no-professional-advice',
    title: 'No professional advice',
    body: (
      <>
        <p>
          What you find here is general information. It is not medical, psychological, therapeutic, legal,
          educational or any other professional advice, and it does not know your child. Reading, listening,
          writing in a group or joining a workshop does not make you anybody’s patient or client.
        </p>
        <p>
          Ask a qualified professional about your own situation, and never put off asking because of something
          you read or heard here.{' '}
          <strong>
            In an emergency call your local emergency number. In the United States you can call or text 988,
            the Suicide &amp; Crisis Lifeline, at any hour.
          </strong>
        </p>
      </>
    ),
  },
  {
    id: 'accounts',
    title: 'Accounts and early access',
    body: (
      <>
        <p>
          Accounts are being opened step by step. If you have one, give us an address that is yours, keep your
          password to yourself, and tell us if somebody else may have it. What happens under your account is
          your responsibility.
        </p>
        <p>You may close your account at any time.</p>
      </>
    ),
  },
  {
    id: 'conduct',
    title: 'How we treat each other',
    body: (
      <>
        <p>In groups, workshops and sessions, and in everything you send us, do not</p>
        <ul>
          <li>threaten, shame, harass or discriminate against anybody;</li>
          <li>give away who another member, or anybody’s child, is;</li>
          <li>post what is unlawful, what is not yours to share, or advertising;</li>
          <li>present yourself as a professional unless you are one;</li>
          <li>disturb the site, get around its limits, or collect its members’ information.</li>
        </ul>
        <p>
          Moderators may remove what breaks these rules, and we may close the accounts of those who do. If we
          believe that somebody is in danger, we may tell those who can help.
        </p>
      </>
    ),
  },
  {
    id: 'content-licence',
    title: 'Content licence',
    body: (
      <>
        <p>
          <strong>What is ours, for you.</strong> The articles, recordings, pictures and the design of this
          site belong to us or to those who let us use them. We give you a personal, non-exclusive, revocable
          licence to read, listen to, print and share links to them for yourself, your family and your class
          or group, without payment. You may follow our feeds in any reader or podcast app. You may not sell
          them, republish them as a whole, or remove our name, without our written consent.
        </p>
        <p>
          <strong>What is yours, for us.</strong> What you post stays yours. You give us a non-exclusive,
          worldwide, royalty-free licence to store it and to show it where you posted it, for as long as it
          stands there. You confirm that you may give us that licence. If you send us ideas about the site, we
          may use them freely.
        </p>
        <p>
          If you think that something here infringes your rights, write to <ContactLink /> with what it is,
          where it stands, and why it is yours.
        </p>
      </>
    ),
  },
  {
    id: 'links',
    title: 'Links to others',
    body: (
      <p>
        We link to other sites because we think they may help. We do not run them and cannot answer for them,
        and a link does not mean that we agree with everything there.
      </p>
    ),
  },
  {
    id: 'no-warranty',
    title: 'No warranty',
    body: (
      <p>
        We work with care, but the site comes “as is” and “as available”, without warranties of any kind,
        express or implied, as far as the law allows. We do not promise that it is always there, free of
        errors, or right for your purpose. Some recordings are read by a synthetic voice, and say so.
      </p>
    ),
  },
  {
    id: 'liability',
    title: 'Limits of liability',
    body: (
      <p>
        As far as the law allows, we are not liable for indirect, incidental, special or consequential damages
        that arise from using the site or from not being able to use it, or from acting on what stands here.
        Nothing in these terms excludes a liability that cannot be excluded, such as for our own fraud, wilful
        injury or violation of law, or takes away rights that you have as a consumer where you live.
      </p>
    ),
  },
  {
    id: 'law',
    title: 'California law',
    body: (
      <p>
        These terms follow the laws of the State of California, without its rules on conflicts of laws.
        Disputes belong before the state or federal courts in California, unless the law where you live as a
        consumer gives you another place. Please write to us first; most things can be mended with a letter.
      </p>
    ),
  },
  {
    id: 'changes',
    title: 'Changes and the rest',
    body: (
      <p>
        When these terms change, the date above changes with it; members are told before an important change
        applies. If you go on using the site after that, you accept it. If a part of these terms does not
        hold, the rest does. That we do not act on a breach at once does not mean that we accept it. Questions
        go to <ContactLink />.
      </p>
    ),
  },
]
