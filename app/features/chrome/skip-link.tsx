/** The first thing Tab finds: past the header, to what the page is about. */
export function SkipLink() {
  return (
    <a
      href="#content"
      className="fixed top-2 left-2 z-30 -translate-y-20 rounded-full bg-ink px-5 py-3 font-semibold text-paper focus:translate-y-0 print:hidden"
    >
      Skip to content
    </a>
  )
}
