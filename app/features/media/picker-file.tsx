import type { SiteSettings } from '#app/session/site.ts'
import { Button } from '#app/ui/button.tsx'
import { shownAddress, thumbnailAddress } from '#domain/media/address.ts'
import type { MediaKind } from '#domain/media/rules.ts'
import type { StoredFile } from './stored-files.ts'

interface Props {
  kind: MediaKind
  file: StoredFile
  settings: SiteSettings
  isChosen: boolean
  onChoose(): void
  onRemove(): void
}

/** One stored file: what it looks or sounds like, to be taken or removed. */
export function PickerFile({ kind, file, settings, isChosen, onChoose, onRemove }: Props) {
  const { name, address } = file
  return (
    <li className="media-file" data-chosen={isChosen || undefined}>
      {kind === 'image' ? (
        <button type="button" onClick={onChoose} tabIndex={-1} aria-hidden className="cursor-pointer">
          <img
            src={thumbnailAddress(address, settings, 320)}
            alt=""
            loading="lazy"
            className="aspect-[4/3] w-full rounded-lg bg-sunken object-contain"
          />
        </button>
      ) : (
        // biome-ignore lint/a11y/useMediaCaption: a recording has no captions; its page describes it
        <audio src={shownAddress(address, settings)} controls preload="none" aria-label={name} />
      )}
      <p className="mt-2 line-clamp-2 text-sm break-all">{name}</p>
      <div className="-mx-1 mt-auto flex justify-between">
        <Button look="quiet" onClick={onChoose} aria-label={`Use ${name}`} aria-pressed={isChosen}>
          {isChosen ? 'In use' : 'Use'}
        </Button>
        <Button look="quiet" onClick={onRemove} aria-label={`Remove ${name}`}>
          Remove
        </Button>
      </div>
    </li>
  )
}
