/**
 * Two people, one tall and one small, walking over the hills: by day in the light theme, under the moon in the dark one.
 * Its ground has the colour of what is meant to follow below: `sunken`.
 */
export function Landscape() {
  return (
    <svg
      viewBox="0 0 1600 480"
      preserveAspectRatio="xMidYMax slice"
      aria-hidden="true"
      className="landscape -mt-6 -mb-px block h-[clamp(13rem,31vw,28rem)] w-full md:-mt-24"
    >
      <circle cx="1090" cy="190" r="118" fill="var(--sun)" />
      <path
        fill="var(--far)"
        d="M0 300c150-60 260-70 400-30s240 60 400 0 300-120 470-90 220 70 330 50v250H0z"
      />
      <path fill="var(--middle)" d="M0 370c180-70 330-60 520-10s330 40 520-30 370-90 560-30v180H0z" />
      <path
        fill="var(--tree)"
        d="M262 430v-58c0-44 12-72 26-72s26 28 26 72v58zM322 430v-54c0-32 9-52 19-52s19 20 19 52v54zM1362 420v-68c0-50 13-82 29-82s29 32 29 82v68z"
      />
      <path fill="var(--near)" d="M0 400c240-50 420 10 660 20s460-90 940-40v100H0z" />
      <path fill="var(--ground)" d="M0 452c300-54 640 4 900-4s470-46 700-16v60H0z" />
      <g
        transform="translate(-226 -112) scale(1.25)"
        strokeLinecap="round"
        strokeLinejoin="round"
        fill="none"
      >
        <g stroke="var(--trousers)" strokeWidth="13">
          <path d="M862 442l16-46 18 46" />
        </g>
        <path fill="var(--coat)" d="M861 399c-3-30-1-54 16-54 18 0 21 24 18 54z" />
        <path stroke="var(--coat)" strokeWidth="10" d="M889 358l18 34" />
        <circle cx="880" cy="327" r="12" fill="var(--skin)" />
        <path fill="var(--hair)" d="M867 328c-4-16 6-23 15-21 8 1 11 7 11 11-9-2-14 0-17 6-2 5-5 8-9 4z" />
        <g stroke="var(--jeans)" strokeWidth="11">
          <path d="M920 443l13-36 15 36" />
        </g>
        <path fill="var(--jumper)" d="M919 409c-2-24 0-42 14-42s17 18 15 42z" />
        <path stroke="var(--jumper)" strokeWidth="8" d="M924 378l-16 15" />
        <path fill="var(--pack)" d="M912 376c0-4 3-6 7-6h3v30h-4c-4 0-7-2-7-6z" />
        <circle cx="936" cy="352" r="10.500" fill="var(--skin)" />
        <path fill="var(--hair)" d="M924 353c-3-14 6-20 14-18s9 6 9 9c-8-1-12 1-14 5s-5 8-9 4z" />
      </g>
    </svg>
  )
}
