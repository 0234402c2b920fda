#!/usr/bin/env bash
# Makes content/podcasts/<slug>/episode.mp3 from script.txt (one spoken paragraph per line).
#
#   tools/podcasts/make.sh             every episode
#   tools/podcasts/make.sh slug…       only these
#
# Needs espeak-ng, sox and ffmpeg (with libmp3lame). Two runs with the same versions give the same sound.
set -euo pipefail
export LC_ALL=C.UTF-8
cd "$(dirname "$0")/../.."

readonly EPISODES=content/podcasts
# Of the voices that ship with espeak-ng, m7 comes closest to the average spectrum of human speech: clear vowels,
# and little of the whine above 3.5 kHz. Slow enough to follow while cooking.
readonly VOICE=en-us+m7 WORDS_PER_MINUTE=152 WORD_GAP=1
# Mono speech at -19 LUFS sounds as loud as stereo at -16, the usual level of spoken podcasts.
readonly LOUDNESS=-19 PEAK=-3
readonly RATE=44100

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Script to SSML. Quoted speech is lifted a little, so that a listener hears where somebody else is talking.
# Help line numbers are read as digits, and slower, because people write them down.
ssml() {
  # A little more pitch range than the voice has by nature, for the melody of a sentence.
  printf '<speak><prosody pitch="100%%" range="115%%">\n'
  sed -E "
    s/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g; s/’/'/g
    s/1-800-422-4453/<n>1, 800, 4 2 2, 4 4 5 3<\/n>/g
    s/116 123/<n>1 1 6, 1 2 3<\/n>/g
    s/13 11 14/<n>13, 11, 14<\/n>/g
    s/\b988\b/<n>9 8 8<\/n>/g
    s/<n>/<prosody rate=\"85%\">/g; s/<\/n>/<\/prosody>/g
    s/“/<prosody pitch=\"+15%\">/g; s/”/<\/prosody>/g
    s/^(.*)$/<p>\1<\/p><break time=\"600ms\"\/>/
  " "$1"
  printf '</prosody></speak>\n'
}

# One soft bell note: a sine with two quiet overtones, struck and left to fade.
note() { # frequency, file
  sox -n -r "$RATE" -c 1 "$2" synth 4 sine "$1" sine "$(($1 * 2))" sine "$(($1 * 3))" \
    remix 1v0.80,2v0.16,3v0.04 fade l 0.012 4 3.98
}

# Three notes of a C major chord, rising at the start of an episode, falling and slower at its end.
chime() { # file, length in seconds, seconds between notes, frequencies
  local file=$1 length=$2 step=$3 place=0 notes=() frequency
  shift 3
  for frequency in "$@"; do
    note "$frequency" "$work/note.wav"
    sox "$work/note.wav" "$work/note-$frequency.wav" pad "$place"
    notes+=("$work/note-$frequency.wav")
    place=$(awk "BEGIN { print $place + $step }")
  done
  # The lowpass takes the electronic edge off, the reverb lets the notes ring into each other, and the last fade
  # closes the sound before digital silence. Well below the voice: it should greet, not startle.
  sox -m "${notes[@]}" "$file" lowpass 3000 reverb 45 60 60 0 20 -4 gain -n -17 fade h 0 "$length" 1.4
}

# What turns the raw voice into something pleasant, in this order:
voice_filters() {
  local chain=(
    'highpass=f=70:p=1'                   # rumble below the voice; one pole, so that it stays warm
    'allpass=f=180:t=q:w=1.2'             # four allpasses leave the tone alone but smear the clicks of the
    'allpass=f=420:t=q:w=1.2'             # synthetic vocal cords over a few milliseconds, as a throat does:
    'allpass=f=1000:t=q:w=1.2'            # less buzz, and peaks 2 dB lower
    'allpass=f=2400:t=q:w=1.2'
    'equalizer=f=170:t=q:w=0.8:g=1.5'     # some chest
    'equalizer=f=1100:t=q:w=1.0:g=-2.5'   # the telephone band, where the voice is harder than a human one
    'highshelf=f=4800:g=-5'               # spitting s sounds
    'lowpass=f=9000:p=1'                  # nothing but grain lives up there
    'acompressor=threshold=-24dB:ratio=2.5:attack=6:release=160:knee=6' # evens out words for a kitchen or a car
  )
  (IFS=,; printf '%s' "${chain[*]}")
}

loudness_of() { # integrated loudness in LUFS
  ffmpeg -hide_banner -nostats -i "$1" -af ebur128 -f null - 2>&1 | awk '/Summary/ { s = 1 } s && $1 == "I:" { print $2 }'
}

episode() {
  local dir=$EPISODES/$1 title gain
  title=$(sed -nE 's/^ *"title": "(.*)",$/\1/p' "$dir/resource.json")
  : "${title:?no title in $dir/resource.json}"

  ssml "$dir/script.txt" > "$work/script.xml"
  espeak-ng -m -v "$VOICE" -s "$WORDS_PER_MINUTE" -g "$WORD_GAP" -f "$work/script.xml" -w "$work/raw.wav"

  ffmpeg -v error -y -i "$work/raw.wav" -af "$(voice_filters)" -ar "$RATE" "$work/clean.sox"
  # A very small room: an absolutely dry voice is what sounds most like a machine. Then a common level for the join.
  sox "$work/clean.sox" "$work/voice.wav" silence 1 0.02 0.1% reverb 20 60 18 0 8 -1 gain -n -4

  # 0.4 s of nothing keeps players that fade in from eating the first note.
  sox "$work/opening.wav" "$work/head.wav" pad 0.4 0
  sox "$work/voice.wav" "$work/body.wav" pad 0 0.2
  sox "$work/head.wav" "$work/body.wav" "$work/closing.wav" "$work/whole.wav"

  # One gain for the whole episode (loudnorm would pump in the pauses); the limiter only catches stray peaks.
  # LAME scales its input by 0.95 against clipping: the 0.45 dB pay that back.
  gain=$(awk "BEGIN { print $LOUDNESS + 0.45 - ($(loudness_of "$work/whole.wav")) }")
  # Constant bitrate, so that a player can seek by arithmetic. Bitexact leaves the encoder's name out of the tags.
  ffmpeg -v error -y -i "$work/whole.wav" \
    -af "volume=${gain}dB,alimiter=limit=${PEAK}dB:level=false:attack=3:release=60" \
    -map_metadata -1 -fflags +bitexact -flags:a +bitexact -c:a libmp3lame -b:a 64k -ac 1 -ar "$RATE" -id3v2_version 3 \
    -metadata title="$title" -metadata artist='Walking Together' -metadata album='Walking Together' "$dir/episode.mp3"
  printf '%-40s %6.1f s  %s LUFS\n' "$1" "$(soxi -D "$work/whole.wav")" "$(loudness_of "$dir/episode.mp3")"
}

chime "$work/opening.wav" 2.5 0.34 392 523 659
chime "$work/closing.wav" 3.4 0.46 659 523 392
[ $# -gt 0 ] || set -- $(ls "$EPISODES")
for slug in "$@"; do episode "$slug"; done
