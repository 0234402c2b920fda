/** What the page's scripts are marked with until it is their turn. Browsers fetch and run nothing of an unknown kind. */
const LATER = 'later'

/**
 * Gives the scripts their turn: when the page is parsed, and something of it is on the screen, or nobody looks at it.
 * A browser that does not tell of its first paint begins at once; one that does not come to it, after three seconds.
 */
const start = `{const parsed=new Promise(go=>document.readyState==='loading'?addEventListener('DOMContentLoaded',go):go());
const painted=new Promise(go=>{if(document.hidden||!window.PerformanceObserver?.supportedEntryTypes?.includes('paint'))go();
else{new PerformanceObserver(go).observe({type:'paint',buffered:true});setTimeout(go,3000)}});
Promise.all([parsed,painted]).then(()=>{
for(const link of document.querySelectorAll('link[rel=${LATER}]'))link.rel='modulepreload';
for(const script of document.querySelectorAll('script[type=${LATER}]')){
script.replaceWith(Object.assign(document.createElement('script'),{type:'module',async:true,text:script.text}))}})}`

/**
 * Lets what is seen come before what it is brought to life with: the page is read, and painted once, before its scripts
 * are fetched, which are ten times as large. React Router names them first in the head, as urgent as the style sheets,
 * and offers no word in this. Everything works without them, slower. Takes and returns the HTML of a page whose scripts
 * carry the nonce; the page that React finds when it comes to life is the one that it wrote.
 */
export const scriptsLast = (html: string, nonce: string): string =>
  html
    .replaceAll('<link rel="modulepreload"', `<link rel="${LATER}" fetchpriority="low"`)
    .replaceAll(`<script nonce="${nonce}" type="module"`, `<script nonce="${nonce}" type="${LATER}"`)
    .replace('</head>', () => `<script nonce="${nonce}">${start}</script></head>`)
